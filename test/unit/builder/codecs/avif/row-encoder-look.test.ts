/** AVIF by our own encoder, where the eye is strict: dark and smooth parts keep their colour and show no blocks. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { rowAvifOptions } from "../../../../../src/image/formats/avif/encoder-options.ts";
import { encodeAvifRows } from "../../../../../src/builder/codecs/avif/row-encoder.ts";
import { newMemory, type Picture, rowsOf, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";

const CELL = 8;

/** Returns a dark gradient with a little colour and the grain of a sensor, and something bright at its lower edge. */
function darkPicture(width: number, height: number): Picture {
  const data = new Uint8Array(width * height * 3);
  let state = 1;
  const grain = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return ((state >>> 16) % 5) - 2;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = 3 * (y * width + x);
      const isBright = y > height - 40;
      const light = isBright ? 120 + 60 * Math.sin(x / 3) : 0;
      const noise = grain();
      data[at] = Math.max(0, 16 + (14 * x) / width + light + noise);
      data[at + 1] = Math.max(0, 18 + (10 * y) / height + light + noise);
      data[at + 2] = Math.max(0, 26 + (12 * (width - x)) / width + light + noise);
    }
  }
  return { width, height, layout: "rgb", data };
}

/** Returns the root of the mean square by which cells of 8 x 8 differ in Cb and Cr, over those in the dark part. */
function colourError({ width, height, data }: Picture, seen: Uint8Array): number {
  let [sum, count] = [0, 0];
  for (let top = 0; top + CELL <= height - 48; top += CELL) {
    for (let left = 0; left + CELL <= width; left += CELL) {
      let [cb, cr] = [0, 0];
      for (let i = 0; i < CELL * CELL; i++) {
        const at = 3 * ((top + Math.trunc(i / CELL)) * width + left + (i % CELL));
        const [r, g, b] = [0, 1, 2].map((c) => seen[at + c]! - data[at + c]!) as [number, number, number];
        const luma = 0.299 * r + 0.587 * g + 0.114 * b;
        cb += (b - luma) * 0.564;
        cr += (r - luma) * 0.713;
      }
      sum += (cb / CELL ** 2) ** 2 + (cr / CELL ** 2) ** 2;
      count += 2;
    }
  }
  return Math.sqrt(sum / count);
}

describe("the look of AVIF by the row encoder", () => {
  it.each([80, 90] as const)(
    "keeps the colour of dark smooth parts as well as libaom at q %d",
    async (quality) => {
      const source = darkPicture(256, 256);
      const options = rowAvifOptions(quality, quality === 80 ? "420" : "444");
      const file = Buffer.concat(await encodeAvifRows(workspaceIn(newMemory(64)), rowsOf(source), options));
      const seen = await sharp(file).removeAlpha().raw().toBuffer();
      const { data, width, height } = source;
      const raw = { width, height, channels: 3 } as const;
      // The peer's first file that is no smaller.
      let peer = await sharp(data, { raw }).avif({ quality: 55, effort: 4 }).toBuffer();
      for (let other = 60; peer.length < file.length; other += 5) {
        peer = await sharp(data, { raw }).avif({ quality: other, effort: 4 }).toBuffer();
      }
      const peerError = colourError(source, await sharp(peer).removeAlpha().raw().toBuffer());
      expect(colourError(source, seen)).toBeLessThan(1.1 * peerError);
    },
  );
});
