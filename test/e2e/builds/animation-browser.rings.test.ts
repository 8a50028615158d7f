/**
 * Animations in a browser: Chromium plays a variant as it plays its master — as many frames, each as long, as often,
 * and the same to look at. Needs Chromium; without one these tests are skipped.
 */
import { afterAll, describe, expect, inject, it } from "vitest";
import { likeness } from "../../../scripts/harness/frames.ts";
import { sample } from "../../../scripts/samples/animation/samples.ts";
import {
  writeApng,
  writeGif,
  writeWebpAnimation,
  type RgbaFramePlan,
} from "../../../scripts/samples/animation/writers.ts";
import { newSpace, upload, variantOf } from "../../../scripts/harness/api.ts";
import { playedByChromium } from "../../support/chromium-animation.ts";
import { Browser, chromium } from "../../support/chromium.ts";
import { ofRing } from "../../support/ring.ts";

const browser = new Browser();
afterAll(() => browser.close());

/** Returns frames that are put and blended, kept, cleared and taken back, at places of their own. */
function frames(canRestore: boolean): RgbaFramePlan[] {
  return [0, 1, 2, 3, 4].map((n) => {
    const place = { left: 4 * n, top: 2 * n, width: 60 - 8 * n, height: 40 - 4 * n };
    const rgba = Uint8Array.from({ length: place.width * place.height * 4 }, (_, i) => {
      const [x, y] = [(i >> 2) % place.width, Math.floor((i >> 2) / place.width)];
      return [4 * x, 6 * y, 50 * n, n > 0 && x < 9 ? 0 : 255][i & 3]!;
    });
    const dispose = [0, 1, canRestore ? 2 : 0, 0, 1][n]!;
    return { ...place, rgba, dispose, blends: n % 2 === 1, delayMs: [40, 0, 10, 20, 500][n]! };
  });
}

const palette = Array.from({ length: 16 * 3 }, (_, i) => (i * 53) & 255);
const gifFrames = [0, 1, 2, 3].map((n) => ({
  ...{ left: 3 * n, top: n, width: 60 - 9 * n, height: 40 - 5 * n, delay: n, disposal: n },
  ...{ transparent: 2, interlaced: n === 1 },
  indices: Array.from({ length: (60 - 9 * n) * (40 - 5 * n) }, (_, i) => ((i >> 3) + n) & 15),
}));

describe.skipIf(chromium === null)("in Chromium", () => {
  it("a variant has the frames and delays of its master", async () => {
    const space = await newSpace(inject("service"));
    const size = { width: 60, height: 40 };
    const { gif, webp } = await sample("graphic");
    const masters: [name: string, file: Uint8Array, formats: ("gif" | "webp")[]][] = [
      ["a GIF", gif, ["gif", "webp"]],
      ["an odd GIF", writeGif({ ...size, palette, loop: 4, frames: gifFrames }), ["gif", "webp"]],
      ["a GIF played once", writeGif({ ...size, palette, frames: gifFrames }), ["gif", "webp"]],
      ["a WebP", webp, ["webp"]],
      ["an odd WebP", await writeWebpAnimation({ ...size, plays: 2, frames: frames(false) }), ["webp"]],
      ["an endless APNG", writeApng({ ...size, plays: 0, frames: frames(true) }), ["webp"]],
      ["an APNG", writeApng({ ...size, plays: 5, frames: frames(true) }), ["webp"]],
    ];
    for (const [name, file, formats] of ofRing(masters, 3)) {
      const { id, url, width } = await upload(space, file);
      const variants = [];
      for (const format of formats) {
        const asked = format === "gif" ? `w=${width}` : `w=${width}&fm=webp&q=100`;
        variants.push(await variantOf(space, id, asked));
      }
      const urls = [url, ...variants.map(({ location }) => location)];
      const [master, ...played] = await playedByChromium(browser, urls);
      expect(played.length).toBe(formats.length);
      expect(master!.frames.length, name).toBeGreaterThan(3);
      for (const [i, variant] of played.entries()) {
        const what = `${name} as ${formats[i] ?? ""}`;
        expect(variant.frames.length, what).toBe(master!.frames.length);
        expect(variant.delays, what).toEqual(master!.delays);
        expect(variant.plays, what).toBe(master!.plays);
        for (const [n, frame] of variant.frames.entries()) {
          expect(likeness(frame, master!.frames[n]!), `${what}, frame ${n}`).toBeGreaterThan(28);
        }
      }
    }
  });
});
