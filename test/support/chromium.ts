/** Headless Chromium, as a second opinion of drawings: pages as text, and as pixels. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium as driver, type Browser as Driven } from "playwright-core";
import sharp from "sharp";
import { chromiumFlags, drivenChromiumFlags, findBrowser } from "../../scripts/harness/browsers.ts";
import type { Bitmap } from "../../scripts/harness/ssim.ts";

/** By the page's own clock. */
const PAGE_MS = 4000;
const PATIENCE_MS = 300_000;
/** Rows of a window that a page may not get. */
const FRAME_ROWS = 200;
const FONTS = fileURLToPath(new URL("../../node_modules/@expo-google-fonts/", import.meta.url));

/** Where it is; null when there is none. */
export const chromium = findBrowser("chromium");
if (chromium === null) console.warn("No Chromium here: tests in a browser are skipped.");

export class Browser {
  readonly #folder = mkdtempSync(join(tmpdir(), "silverprint-chromium-"));
  /** Opens all pages but those for pictures: to start one takes longer than most pages do. */
  #driven: Promise<Driven> | null = null;

  /** Returns the page as it stands after a while, in a profile of its own. */
  async dump(url: string): Promise<string> {
    this.#driven ??= driver.launch({ executablePath: chromium ?? "", args: drivenChromiumFlags });
    const context = await (await this.#driven).newContext();
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      const session = await context.newCDPSession(page);
      const isOver = new Promise((resolve) => session.once("Emulation.virtualTimeBudgetExpired", resolve));
      await page.goto(url, { waitUntil: "commit" });
      // From here on the page's timers run at once; a request that is under way stops its clock. Set before there is a
      // page, the time would pass without it.
      const policy = { policy: "pauseIfNetworkFetchesPending", budget: PAGE_MS } as const;
      await session.send("Emulation.setVirtualTimePolicy", policy);
      await isOver;
      return await page.content();
    } finally {
      await context.close();
    }
  }

  /** Returns RGB of a page of this HTML, with the builder's font for all text, on white. */
  async screenshot(html: string, size: { width: number; height: number }): Promise<Bitmap> {
    const [page, picture] = [join(this.#folder, "page.html"), join(this.#folder, "page.png")];
    const body = `<!doctype html><meta charset="utf-8"><body style="margin:0;background:#fff">${html}`;
    writeFileSync(page, body);
    await this.#run([
      `--window-size=${size.width},${size.height + FRAME_ROWS}`,
      "--hide-scrollbars",
      "--force-device-scale-factor=1",
      "--force-color-profile=srgb",
      "--disable-lcd-text",
      `--screenshot=${picture}`,
      `file://${page}`,
    ]);
    const image = sharp(picture)
      .extract({ left: 0, top: 0, ...size })
      .removeAlpha()
      .raw();
    const { data, info } = await image.toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, channels: 3, data };
  }

  async close(): Promise<void> {
    await (await this.#driven)?.close();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #run(more: string[]): Promise<void> {
    const flags = [...chromiumFlags(join(this.#folder, "profile")), ...more];
    const env = { ...process.env, FONTCONFIG_FILE: this.#fonts() };
    return new Promise((resolve, reject) => {
      execFile(chromium ?? "", flags, { timeout: PATIENCE_MS, env }, (error) => {
        if (error) reject(new Error("Chromium failed", { cause: error }));
        else resolve();
      });
    });
  }

  /** Returns the font faces that the builder has, and no others. */
  #fonts(): string {
    const file = join(this.#folder, "fonts.conf");
    const folders = ["400Regular", "400Regular_Italic", "700Bold"].map((face) => `noto-sans/${face}`);
    const faces = [...folders, "noto-sans-math"].map((folder) => `<dir>${FONTS}${folder}</dir>`);
    const cache = `<cachedir>${join(this.#folder, "fonts")}</cachedir>`;
    writeFileSync(file, `<?xml version="1.0"?><fontconfig>${faces.join("")}${cache}</fontconfig>`);
    return file;
  }
}
