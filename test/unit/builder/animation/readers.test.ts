/** Frames as our readers draw them, against sharp's (libnsgif, libwebp), and for APNG against the rules themselves. */
import { describe, expect, it } from "vitest";
import { framesOf, sharpFrames } from "../../../../scripts/harness/animation-frames.ts";
import {
  type GifFramePlan,
  type RgbaFramePlan,
  writeApng,
  writeGif,
  writeWebpAnimation,
} from "../../../../scripts/samples/animation/writers.ts";

const PALETTE = [
  0, 0, 0, 255, 255, 255, 220, 30, 30, 30, 160, 60, 20, 60, 200, 250, 220, 10, 128, 128, 128, 9, 9, 99,
];
const LOCAL = PALETTE.map((value) => 255 - value);

const pattern = (count: number, seed: number): number[] =>
  Array.from({ length: count }, (_, i) => ((i * 7 + seed * 3 + (i >> 3)) >> 1) & 7);

function gifFrame(
  place: [number, number, number, number],
  seed: number,
  more: Partial<GifFramePlan> = {},
): GifFramePlan {
  const [left, top, width, height] = place;
  return { left, top, width, height, indices: pattern(width * height, seed), delay: 5, ...more };
}

async function expectSharp(file: Uint8Array): Promise<void> {
  const [mine, theirs] = [await framesOf(file), await sharpFrames(file)];
  expect(mine.frames.length).toBe(theirs.frames.length);
  mine.frames.forEach((frame, i) =>
    expect(Buffer.from(frame).equals(theirs.frames[i] ?? frame.subarray(1)), `frame ${i}`).toBe(true),
  );
}

const whole: [number, number, number, number] = [0, 0, 20, 13];

describe("GIF frames", () => {
  const base = { width: 20, height: 13, palette: PALETTE, loop: 0 };

  for (const disposal of [0, 1, 2, 3]) {
    it(`are disposed of by ${disposal}`, async () => {
      const more = { disposal, transparent: 3 };
      const frames = [
        gifFrame(whole, 1),
        gifFrame([3, 2, 9, 7], 2, more),
        gifFrame([7, 5, 11, 8], 3, more),
        gifFrame([0, 0, 5, 5], 4, more),
        gifFrame([1, 1, 3, 3], 5),
      ];
      await expectSharp(writeGif({ ...base, frames }));
    });
  }

  it("have tables of their own, and odd places", async () => {
    const frames = [
      gifFrame(whole, 1),
      gifFrame([1, 1, 17, 11], 4),
      gifFrame([5, 3, 7, 9], 2, { palette: LOCAL }),
      gifFrame([3, 3, 4, 4], 3),
    ];
    await expectSharp(writeGif({ ...base, frames }));
  });

  it("are interlaced", async () => {
    for (const height of [1, 2, 3, 4, 5, 8, 9, 13]) {
      const frames = [
        gifFrame(whole, 3, { interlaced: true }),
        gifFrame([0, 0, 20, height], 1, { interlaced: true }),
        gifFrame([2, 0, 9, height], 2, { interlaced: true }),
      ];
      await expectSharp(writeGif({ ...base, frames }));
    }
  });

  it("are cut off at the edges of the canvas", async () => {
    const inside = writeGif({ ...base, frames: [gifFrame(whole, 1), gifFrame([15, 9, 5, 4], 2)] });
    const outside = writeGif({
      ...base,
      frames: [
        gifFrame(whole, 1),
        gifFrame([15, 9, 40, 30], 2, {
          indices: Array.from({ length: 1200 }, (_, i) =>
            i % 40 < 5 ? (pattern(20, 2)[((i / 40) | 0) * 5 + (i % 40)] ?? 1) : 2,
          ),
        }),
      ],
    });
    const [a, b] = [await framesOf(inside), await framesOf(outside)];
    expect(b.frames).toEqual(a.frames);
    const beyond = writeGif({ ...base, frames: [gifFrame(whole, 1), gifFrame([30, 30, 4, 4], 2)] });
    expect((await framesOf(beyond)).frames[1]).toEqual(a.frames[0]);
  });

  it("keep delays of any length, and how often they are played", async () => {
    const frames = [0, 1, 2, 10, 65_535].map((delay, i) => gifFrame(whole, i, { delay }));
    expect((await framesOf(writeGif({ ...base, frames }))).delays).toEqual([0, 10, 20, 100, 655_350]);
    const plays = async (loop?: number): Promise<number> =>
      (
        await framesOf(
          writeGif({
            width: 20,
            height: 13,
            palette: PALETTE,
            frames,
            ...(loop === undefined ? {} : { loop }),
          }),
        )
      ).plays;
    expect([await plays(), await plays(0), await plays(1), await plays(7)]).toEqual([1, 0, 2, 8]);
  });

  it("are refused when a picture breaks off, or has no colours", async () => {
    const short = gifFrame(whole, 2, { indices: pattern(20 * 12, 1) });
    await expect(framesOf(writeGif({ ...base, frames: [gifFrame(whole, 1), short] }))).rejects.toThrow(
      /lacks 20/,
    );
    const bare = { width: 20, height: 13 };
    await expect(framesOf(writeGif({ ...bare, frames: [gifFrame(whole, 1)] }))).rejects.toThrow(
      /colour table/,
    );
  });
});

function rgbaFrame(
  place: [number, number, number, number],
  seed: number,
  more: Partial<RgbaFramePlan> = {},
): RgbaFramePlan {
  const [left, top, width, height] = place;
  const alphas = [255, 255, 0, 128, 200, 17];
  const rgba = Uint8Array.from({ length: width * height * 4 }, (_, i) =>
    i % 4 === 3 ? (alphas[((i >> 2) + seed) % 6] ?? 0) : (i * 37 + seed * 91) & 255,
  );
  return { left, top, width, height, rgba, delayMs: 40, ...more };
}

describe("WebP frames", () => {
  for (const [dispose, blends] of [
    [0, false],
    [0, true],
    [1, false],
    [1, true],
  ] as const) {
    it(`are ${blends ? "blended" : "put"} and ${dispose ? "cleared" : "kept"}`, async () => {
      const more = { dispose, blends };
      const frames = [
        rgbaFrame(whole, 1),
        rgbaFrame([2, 4, 9, 7], 2, more),
        rgbaFrame([6, 2, 13, 11], 3, more),
        rgbaFrame([0, 0, 1, 1], 4, more),
      ];
      const file = await writeWebpAnimation({ width: 20, height: 13, frames, plays: 3 });
      const [mine, theirs] = [await framesOf(file), await sharpFrames(file)];
      expect([mine.plays, mine.delays]).toEqual([3, [40, 40, 40, 40]]);
      // libwebp blends with integers and may be off by one; under little alpha by a few, which cannot be seen.
      mine.frames.forEach((frame, i) => {
        const other = theirs.frames[i] ?? new Uint8Array();
        expect(
          frame.every((value, at) => Math.abs(value - (other[at] ?? -99)) <= (i === 0 ? 0 : 3)),
          `frame ${i}`,
        ).toBe(true);
      });
    });
  }
});

describe("APNG frames", () => {
  const full = rgbaFrame(whole, 1);

  it("are put, kept, cleared and restored", async () => {
    const patch = rgbaFrame([4, 3, 5, 6], 2);
    const dot: RgbaFramePlan = {
      left: 0,
      top: 0,
      width: 1,
      height: 1,
      rgba: Uint8Array.of(1, 2, 3, 255),
      delayMs: 40,
    };
    const placed = (over: Uint8Array, { left, top, width, height, rgba }: RgbaFramePlan): Uint8Array => {
      const copy = over.slice();
      for (let y = 0; y < height; y++)
        copy.set(rgba.subarray(y * width * 4, (y + 1) * width * 4), ((top + y) * 20 + left) * 4);
      return copy;
    };
    const seen = (rgba: Uint8Array): Uint8Array => rgba.map((v, i) => (rgba[i | 3] === 0 ? 0 : v));
    const cleared = { ...patch, rgba: new Uint8Array(patch.rgba.length) };
    for (const [dispose, after] of [
      [0, placed(full.rgba, patch)],
      [1, placed(full.rgba, cleared)],
      [2, full.rgba],
    ] as const) {
      for (const poster of [undefined, new Uint8Array(20 * 13 * 4)]) {
        const plan = { width: 20, height: 13, plays: 2, frames: [full, { ...patch, dispose }, dot] };
        const { frames, plays } = await framesOf(writeApng(poster ? { ...plan, poster } : plan));
        expect(plays).toBe(2);
        expect(frames[0]).toEqual(seen(full.rgba));
        expect(frames[1]).toEqual(seen(placed(full.rgba, patch)));
        expect(frames[2], `disposal ${dispose}`).toEqual(seen(placed(after, dot)));
      }
    }
  });

  it("are blended as PNG says", async () => {
    const under = { ...full, rgba: full.rgba.map((v, i) => (i % 4 === 3 ? 255 : v)) };
    const over = rgbaFrame(whole, 5, { blends: true });
    const { frames } = await framesOf(writeApng({ width: 20, height: 13, frames: [under, over] }));
    frames[1]?.forEach((value, i) => {
      const alpha = (over.rgba[i | 3] ?? 0) / 255;
      const wanted = i % 4 === 3 ? 255 : (over.rgba[i] ?? 0) * alpha + (under.rgba[i] ?? 0) * (1 - alpha);
      expect(Math.abs(value - wanted)).toBeLessThanOrEqual(0.51);
    });
  });

  it("keep the sum of delays that are no whole milliseconds", async () => {
    const file = writeApng({ width: 20, height: 13, frames: [full, full, full] });
    const text = Buffer.from(file);
    for (let at = text.indexOf("fcTL"); at >= 0; at = text.indexOf("fcTL", at + 1))
      text.set([0, 1, 0, 60], at + 24);
    await expect(framesOf(text)).rejects.toThrow(/check sum/);
  });
});
