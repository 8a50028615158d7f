/** WebP files without loss: exact, and as small as libwebp's. */
import { describe, expect, it } from "vitest";
import { CHANNELS_OF } from "../../../../../src/image/memory/rows.ts";
import { type Picture } from "../../../../../scripts/harness/png-rows.ts";
import { coloured, shown } from "../../../../support/pictures/coloured-pictures.ts";
import {
  decoded,
  drawn,
  encode,
  isLossless,
  smallestOfLibwebp,
} from "../../../../support/pictures/lossless-webp.ts";
import { ofRing, rounds } from "../../../../support/ring.ts";

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
    for (const width of ofRing([1, 2, 3, 7, 8, 9, 16, 17, 40, 67], 3)) {
      for (const height of ofRing([1, 2, 3, 16, 33], 2)) {
        for (const layout of ["rgb", "rgba", "gray", "gray-alpha"] as const) {
          // A picture with no more pixels than colours is the same with still more colours.
          const counts = [2, 4, 16, 200, 300];
          for (const colours of counts.filter((_, i) => i === 0 || counts[i - 1]! < width * height)) {
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
    for (let round = 0; round < rounds(15, 60); round++) {
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
});
