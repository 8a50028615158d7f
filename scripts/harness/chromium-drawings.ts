/** Draws SVG files in headless Chromium, as a page shows them in an `img`, with the fonts of the builder and no others. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium as driver, type Browser, type Page } from "playwright-core";
import sharp from "sharp";
import { drivenChromiumFlags } from "./browsers.ts";
import type { Bitmap } from "./ssim.ts";

const FONTS = fileURLToPath(new URL("../../dist/fonts", import.meta.url));
const PATIENCE_MS = 30_000;

export class ChromiumDrawings {
  readonly #browser: Browser;
  readonly #page: Page;

  readonly #folder: string;

  private constructor(browser: Browser, page: Page, folder: string) {
    this.#browser = browser;
    this.#page = page;
    this.#folder = folder;
  }

  /** Starts Chromium, whose program is `command`. */
  static async open(command: string): Promise<ChromiumDrawings> {
    const args = [...drivenChromiumFlags, "--force-color-profile=srgb", "--disable-lcd-text"];
    const folder = mkdtempSync(join(tmpdir(), "silverprint-chromium-"));
    const configuration = join(folder, "fonts.conf");
    const places = `<dir>${FONTS}</dir><cachedir>${join(folder, "fonts")}</cachedir>`;
    writeFileSync(configuration, `<?xml version="1.0"?><fontconfig>${places}</fontconfig>`);
    const env = { ...process.env, FONTCONFIG_FILE: configuration } as Record<string, string>;
    const browser = await driver.launch({ executablePath: command, args, env });
    const page = await browser.newPage({ deviceScaleFactor: 1 });
    page.setDefaultTimeout(PATIENCE_MS);
    return new ChromiumDrawings(browser, page, folder);
  }

  /** RGB of the file on white at this size; null when Chromium does not show it. */
  async draw(file: Uint8Array, size: { width: number; height: number }): Promise<Bitmap | null> {
    const source = `data:image/svg+xml;base64,${Buffer.from(file).toString("base64")}`;
    await this.#page.setViewportSize(size);
    await this.#page.setContent(
      `<!doctype html><body style="margin:0;background:#fff;overflow:hidden"><img style="display:block;width:${size.width}px;height:${size.height}px">`,
    );
    const isShown = await this.#page.evaluate(async (address) => {
      const image = document.images[0]!;
      image.src = address;
      return image.decode().then(
        () => true,
        () => false,
      );
    }, source);
    if (!isShown) return null;
    const picture = await this.#page.screenshot({ type: "png" });
    const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, channels: 3, data };
  }

  async close(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
