/** Photos of phones in the console: HEIC arrives at the service as JPEG, in its colours. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { beforeAll, expect, inject, it } from "vitest";
import { bearer, json, newSpace, type MediaObject } from "../../../../scripts/harness/api.ts";
import { inBrowser, signIn, visit } from "../../../support/console/console.ts";

const service = inject("service");
const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../fixtures/heic/${name}.heic`, import.meta.url));
/** The colours of the files' four quadrants. */
const COLOURS = [
  [220, 40, 40],
  [40, 200, 60],
  [50, 70, 220],
  [240, 220, 40],
];

/** Returns the middle of each quadrant, as a decoder with colour management shows it. */
async function quadrants(file: ArrayBuffer): Promise<number[][]> {
  const image = sharp(Buffer.from(file)).toColourspace("srgb").removeAlpha().raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return [0, 1, 2, 3].map((at) => {
    const x = Math.floor((info.width * (1 + 2 * (at % 2))) / 4);
    const y = Math.floor((info.height * (1 + 2 * (at >> 1))) / 4);
    const start = (y * info.width + x) * info.channels;
    return [...data.subarray(start, start + 3)];
  });
}

inBrowser("HEIC in the console", (openBrowser) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it("is converted before it is sent, and refused in words when it is damaged (RULES 11.6)", async () => {
    const space = await newSpace(service);
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    const decoders: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith(".wasm")) decoders.push(request.url());
    });
    await page.getByLabel("Upload files").setInputFiles([fixture("srgb"), fixture("display-p3")]);
    await page.getByRole("link", { name: "srgb.jpg" }).waitFor();
    await page.getByRole("link", { name: "display-p3.jpg" }).waitFor();
    await expect.poll(() => decoders.length).toBeGreaterThan(0);

    const stored = await json<MediaObject[]>(
      await fetch(`${space.api}/media`, { headers: bearer(space.key) }),
    );
    expect(stored).toHaveLength(2);
    for (const { filename, mime, width, height, url } of stored) {
      expect([filename, mime, width, height]).toEqual([filename, "image/jpeg", 320, 240]);
      const seen = await quadrants(await (await fetch(url)).arrayBuffer());
      for (const [at, colour] of COLOURS.entries())
        for (const [channel, value] of colour.entries())
          expect(Math.abs((seen[at]?.[channel] ?? -1) - value), `${filename} ${at} ${channel}`).toBeLessThan(
            10,
          );
    }

    const damaged = readFileSync(fixture("srgb")).subarray(0, 500);
    await page
      .getByLabel("Upload files")
      .setInputFiles({ name: "broken.heic", mimeType: "image/heic", buffer: damaged });
    await page.getByText("The file is damaged, or not the picture that it says it is.").waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
