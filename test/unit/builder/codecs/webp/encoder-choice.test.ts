/** Drawings as WebP: rounded at edges, and without loss where that is smaller. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodeWebp } from "../../../../../src/builder/codecs/webp/encoder.ts";
import {
  webpEncoderPeakBytes,
  WEBP_LOSSLESS_MAX,
} from "../../../../../src/image/formats/webp/encoder-memory.ts";
import { newMemory, type Picture, rowsOf, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import { picture } from "../../../../../scripts/samples/webp-rows-pictures.ts";
import { coloured, shown } from "../../../../support/pictures/coloured-pictures.ts";
import {
  BATCH_ROWS,
  decoded,
  drawn,
  encode,
  isLossless,
  SMALL_TEXT,
} from "../../../../support/pictures/lossless-webp.ts";
import { chunksOf } from "../../../../support/pictures/webp-rows-reader.ts";

describe("a WebP without loss but at edges", () => {
  it("rounds samples at edges alone, by less than half of what it may drop", async () => {
    const source = await drawn(300, 200, SMALL_TEXT);
    const [exact, rounded] = [await encode(source), await encode(source, 100, newMemory(), 4)];
    expect(isLossless(rounded)).toBe(true);
    expect(rounded.length).toBeLessThan(0.9 * exact.length);
    const pixels = await decoded(rounded);
    const was = shown(source);
    let most = 0;
    for (let at = 0; at < was.length; at++) most = Math.max(most, Math.abs(pixels[at]! - was[at]!));
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(2 ** 4 / 2);
    const numbers = (of: Buffer): Uint32Array => new Uint32Array(Uint8Array.from(of).buffer);
    const [before, after] = [numbers(was), numbers(pixels)];
    const isFlat = (at: number): boolean =>
      [1, -1, 300, -300].filter((step) => before[at + step] === before[at]).length >= 2;
    const changed = before.findIndex((pixel, at) => isFlat(at) && after[at] !== pixel);
    expect(changed, "a flat pixel that changed").toBe(-1);
  });

  it("leaves what is smooth, transparent or opaque as it is", async () => {
    const [width, height] = [120, 90];
    const data = new Uint8Array(4 * width * height);
    for (let i = 0; i < width * height; i++) {
      const [x, y] = [i % width, Math.floor(i / width)];
      data.set([2 * x, 2 * y, 7, x < 40 ? 0 : 255], 4 * i);
    }
    const source: Picture = { width, height, layout: "rgba", data };
    const pixels = await decoded(await encode(source, 100, newMemory(), 5));
    const was = shown(source);
    for (let i = 0; i < width * height; i++) {
      expect(pixels[4 * i + 3]).toBe(was[4 * i + 3]);
      const x = i % width;
      if (x !== 39 && x !== 40)
        expect(pixels.subarray(4 * i, 4 * i + 4)).toEqual(was.subarray(4 * i, 4 * i + 4));
    }
  });
});

describe("the choice between loss and none", () => {
  it("takes a screenshot at its own size without loss, in about libwebp's bytes at its best", async () => {
    const rows = Array.from({ length: 22 }, (_, i) => {
      const fill = i % 2 ? "#fff" : "#f6f8fa";
      const label = `Light falls on silver and leaves a trace ${i * 37}`;
      return `<rect y="${i * 20}" width="640" height="20" fill="${fill}"/><text x="12" y="${i * 20 + 14}" font-size="12">${label}</text>`;
    });
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="440">${rows.join("")}</svg>`;
    const { data, info } = await sharp(Buffer.from(svg))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const source: Picture = { width: info.width, height: info.height, layout: "rgb", data };
    const file = await encode(source, 80);
    const best = await sharp(data, { raw: { width: 640, height: 440, channels: 3 } })
      .webp({ lossless: true, effort: 6 })
      .toBuffer();
    expect(isLossless(file)).toBe(true);
    expect(file.length).toBeLessThan(1.15 * best.length);
  });

  it("takes a photograph with loss", async () => {
    expect([...chunksOf(await encode(picture("photo", 200, 150), 90)).keys()]).toEqual(["VP8 "]);
  });

  it("never takes more bytes than with loss, nor other bytes where that is smaller", async () => {
    for (const colours of [40, 3000]) {
      const source = coloured(colours, 150, 120, 2);
      const lossy = await encodeWebp(workspaceIn(), rowsOf(source, BATCH_ROWS), { quality: 10 });
      const file = await encode(source, 10);
      expect(file.length).toBeLessThanOrEqual(lossy.byteLength);
      if (!isLossless(file)) expect(Buffer.compare(file, Buffer.concat(lossy.chunks))).toBe(0);
    }
  });
});

describe("memory of the encoder that tries both", () => {
  it.each([
    [1, 1, "rgb"],
    [640, 480, "rgb"],
    [640, 480, "rgba"],
    [1000, 1500, "gray-alpha"],
    [1600, 1200, "gray"],
  ] as const)("of %d x %d in %s is what was predicted", async (width, height, layout) => {
    const hasAlpha = layout === "rgba" || layout === "gray-alpha";
    const predicted = webpEncoderPeakBytes(width, height, 80, hasAlpha, layout, true);
    const memory = newMemory(predicted / 65_536);
    await encode(coloured(500, width, height, 5, layout), 80, memory);
    expect(memory.buffer.byteLength).toBeGreaterThanOrEqual(predicted - 65_536);
  });

  it("stays below 18 MB", () => {
    for (const width of [512, 1448, WEBP_LOSSLESS_MAX.width]) {
      const height = Math.floor(WEBP_LOSSLESS_MAX.pixels / width);
      for (const hasAlpha of [false, true]) {
        const bytes = webpEncoderPeakBytes(width, height, 100, hasAlpha, undefined, true);
        expect(bytes, `${width}, alpha ${hasAlpha}`).toBeLessThan(18 * 1_048_576);
      }
    }
  });

  it("is enough for noise", async () => {
    const source = coloured(8000, 500, 400, 1, "rgba");
    await encode(source, 100, newMemory(webpEncoderPeakBytes(500, 400, 100, true, "rgba", true) / 65_536));
  });
});
