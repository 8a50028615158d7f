/** Draws SVG files in headless Chromium, as a page shows them in an `img`. */
import { chromium as driver, type Browser, type Page } from "playwright-core";
import sharp from "sharp";
import { drivenChromiumFlags } from "./browsers.ts";
import type { Bitmap } from "./ssim.ts";

const PATIENCE_MS = 30_000;

export class ChromiumDrawings {
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  /** Starts Chromium, whose program is `command`. */
  static async open(command: string): Promise<ChromiumDrawings> {
    const args = [...drivenChromiumFlags, "--force-color-profile=srgb", "--disable-lcd-text"];
    const browser = await driver.launch({ executablePath: command, args });
    const page = await browser.newPage({ deviceScaleFactor: 1 });
    page.setDefaultTimeout(PATIENCE_MS);
    return new ChromiumDrawings(browser, page);
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
  }
}
