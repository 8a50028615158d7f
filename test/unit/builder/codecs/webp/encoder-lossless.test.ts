import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { encodeWebp } from "../../../../../src/builder/codecs/webp/encoder.ts";
import {
  webpEncoderPeakBytes,
  WEBP_LOSSLESS_MAX,
} from "../../../../../src/image/formats/webp/encoder-memory.ts";
import { CHANNELS_OF } from "../../../../../src/image/memory/rows.ts";
import { newMemory, type Picture, rowsOf, workspaceIn } from "../../../../../scripts/harness/png-rows.ts";
import { picture } from "../../../../../scripts/samples/webp-rows-pictures.ts";
import { coloured, shown } from "../../../../support/coloured-pictures.ts";
import { chunksOf } from "../../../../support/webp-rows-reader.ts";

const BATCH_ROWS = 16;

async function encode(
  source: Picture,
  quality = 100,
  memory = newMemory(),
  roundedBits = 0,
): Promise<Buffer> {
  const options = { quality, mayBeLossless: true, roundedBits };
  return Buffer.concat((await encodeWebp(workspaceIn(memory), rowsOf(source, BATCH_ROWS), options)).chunks);
}

/** What an SVG shows, in RGB. */
async function drawn(width: number, height: number, body: string): Promise<Picture> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${body}</svg>`;
  const { data } = await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return { width, height, layout: "rgb", data };
}

const smallestOfLibwebp = ({ data, width, height }: Picture): Promise<Buffer> =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .webp({ lossless: true, effort: 6 })
    .toBuffer();

const SMALL_TEXT =
  `<rect width="300" height="200" fill="#f6f8fa"/>` +
  Array.from(
    { length: 12 },
    (_, i) => `<text x="5" y="${15 + i * 16}" font-size="12">Line ${i * 37}</text>`,
  ).join("");

const isLossless = (file: Buffer): boolean => chunksOf(file).has("VP8L");

/** As libwebp decodes it. */
async function decoded(file: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return shown({ layout: "rgba", data, width: info.width, height: info.height });
}

async function expectExact(source: Picture, label: string): Promise<void> {
  const file = await encode(source);
  expect(isLossless(file), `${label} is without loss`).toBe(true);
  expect(Buffer.compare(await decoded(file), shown(source)), `${label} is exact`).toBe(0);
}

describe("a WebP without loss", () => {
  it.each([1, 2, 3, 4, 5, 15, 16, 17, 255, 256, 257, 1000, 5000])(
    "is exact with %d colours",
    async (colours) => {
      // Noise of more colours takes fewer bytes with loss.
      if (colours <= 257) await expectExact(coloured(colours, 121, 97), "noise");
      await expectExact(coloured(colours, 203, 150, 7), "squares");
    },
  );

  it("is exact at odd and even sizes, in all layouts", async () => {
    for (const width of [1, 2, 3, 7, 8, 9, 16, 17, 40, 67]) {
      for (const height of [1, 2, 3, 16, 33]) {
        for (const layout of ["rgb", "rgba", "gray", "gray-alpha"] as const) {
          for (const colours of [2, 4, 16, 200, 300]) {
            const source = coloured(colours, width, height, 1, layout);
            const file = await encode(source);
            if (!isLossless(file)) continue;
            const label = `${colours} colours, ${width} x ${height} ${layout}`;
            expect(Buffer.compare(await decoded(file), shown(source)), label).toBe(0);
          }
        }
      }
    }
  });

  it("is exact where matches reach over many bands", async () => {
    const source = coloured(900, 640, 900, 3, "rgba");
    source.data.copyWithin(640 * 600 * 4, 0, 640 * 300 * 4);
    await expectExact(source, "a picture that repeats itself");
  });

  it("has runs longer than one match can hold", async () => {
    const source = coloured(1, 5000, 30);
    source.data[3 * 70_000] = 9;
    await expectExact(source, "a flat picture");
  });

  it("predicts a slope of colours", async () => {
    const [width, height] = [300, 200];
    const data = new Uint8Array(3 * width * height);
    for (let i = 0; i < width * height; i++) {
      const [x, y] = [i % width, Math.floor(i / width)];
      data.set([x >> 1, 255 - y, (x + y) >> 2], 3 * i);
    }
    const source: Picture = { width, height, layout: "rgb", data };
    const many = {
      ...source,
      data: source.data.map((sample, i) => (i % 3 === 2 ? sample & 0xf0 : sample & 0xfc)),
    };
    await expectExact(many, "a slope in steps");
  });

  it("predicts colours from each other: a gradient takes fewer bytes than libwebp's best", async () => {
    const stops = `<stop stop-color="#0b2a6f"/><stop offset=".5" stop-color="#e0705a"/><stop offset="1" stop-color="#fbe6b0"/>`;
    const gradient = `<defs><linearGradient id="g" x2="1" y2="1">${stops}</linearGradient></defs><rect width="400" height="300" fill="url(#g)"/>`;
    const source = await drawn(400, 300, gradient);
    const own = await encode(source);
    expect(isLossless(own)).toBe(true);
    expect(own.length).toBeLessThan((await smallestOfLibwebp(source)).length);
    expect(Buffer.compare(await decoded(own), shown(source))).toBe(0);
  });

  it("is exact for pictures of every kind of content", async () => {
    const random = (() => {
      let state = 11;
      return (below: number): number => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
      };
    })();
    for (let round = 0; round < 60; round++) {
      const [width, height] = [1 + random(160), 1 + random(120)];
      const layout = (["rgb", "rgba", "gray", "gray-alpha"] as const)[random(4)]!;
      const source = coloured(1 + random(random(2) ? 20 : 3000), width, height, 1 + random(9), layout);
      const channels = CHANNELS_OF[layout];
      for (let shapes = random(12); shapes > 0; shapes--) {
        const [left, top] = [random(width), random(height)];
        const [right, bottom] = [left + random(width - left), top + random(height - top)];
        const colour = Array.from({ length: channels }, () => random(256));
        const isSlope = random(3) === 0;
        for (let y = top; y <= bottom; y++) {
          for (let x = left; x <= right; x++) {
            const at = (y * width + x) * channels;
            colour.forEach((sample, c) => (source.data[at + c] = isSlope ? sample + x - y : sample));
          }
        }
      }
      const file = await encode(source);
      if (!isLossless(file)) continue;
      expect(Buffer.compare(await decoded(file), shown(source)), `round ${round}`).toBe(0);
    }
  });

  it("is read by dwebp", async () => {
    const source = coloured(700, 133, 77, 5, "rgba");
    const folder = mkdtempSync(join(tmpdir(), "webp-"));
    try {
      writeFileSync(join(folder, "own.webp"), await encode(source));
      execFileSync("dwebp", ["-quiet", "-pam", join(folder, "own.webp"), "-o", join(folder, "own.pam")]);
      const pam = execFileSync("cat", [join(folder, "own.pam")]);
      const data = pam.subarray(pam.length - 4 * 133 * 77);
      expect(Buffer.compare(shown({ ...source, data }), shown(source))).toBe(0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

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
