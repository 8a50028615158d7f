/** GIF longer than one part: sent while it is built, with no more held of it than a part. */
import { describe, expect, it } from "vitest";
import { buildVariant } from "../../../../../src/builder/build.ts";
import { GIF_PIECE_BYTES } from "../../../../../src/image/formats/gif/memory.ts";
import { MULTIPART } from "../../../../../src/limits.ts";
import { framesOf, sharpFrames, specOf } from "../../../../../scripts/harness/animation-frames.ts";
import { contextOf } from "../../../../../scripts/harness/builds.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { type GifFramePlan, writeGif } from "../../../../../scripts/samples/animation/writers.ts";
import { integersOf } from "../../../../../scripts/samples/random.ts";

const SIZE = { width: 700, height: 500 };

/** Returns a frame of noise in `colours` colours of its palette, which no code makes shorter. */
function noise(seed: number, colours: number, palette?: number[]): GifFramePlan {
  const next = integersOf(seed);
  const indices = new Uint8Array(SIZE.width * SIZE.height);
  for (let i = 0; i < indices.length; i++) indices[i] = next(colours);
  return { ...{ left: 0, top: 0, ...SIZE, delay: 10 }, indices, ...(palette && { palette }) };
}

/** Returns a palette of `count` greys from `first` on. */
const greys = (first: number, count: number): number[] =>
  Array.from({ length: 3 * count }, (_, i) => first + Math.floor(i / 3));

/** Writes a GIF of frames as they are: choosing colours for noise would take seconds. */
const gif = (frames: GifFramePlan[], palette: number[], loop?: number): Buffer =>
  Buffer.from(writeGif({ ...SIZE, palette, frames, ...(loop !== undefined && { loop }) }));

/** Builds the file in its parts, and returns it with the largest planned and taken sizes. */
async function build(master: Buffer) {
  const context = contextOf(master, { spec: specOf(probe(master), { format: "gif" }) });
  const building = buildVariant(context);
  const parts: Buffer[] = [];
  for (;;) {
    const { done, value } = await building.next();
    parts.push(Buffer.concat(value.pieces));
    expect(parts.at(-1)).toHaveLength(value.byteLength);
    if (done) return { parts, peakBytes: value.peakBytes, plannedBytes: context.plan.memory };
  }
}

describe("a GIF of several parts", () => {
  it("shows what its master does, in colours too that come after the first part, and takes what is planned", async () => {
    const others = greys(128, 128);
    const frames = [...Array(19).keys()].map((n) => (n < 17 ? noise(n, 100) : noise(n, 120, others)));
    const master = gif(frames, greys(0, 128), 2);
    const { parts, peakBytes, plannedBytes } = await build(master);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.slice(0, -1).every(({ length }) => length === MULTIPART.partBytes)).toBe(true);
    expect(plannedBytes.output).toBe(MULTIPART.partBytes + GIF_PIECE_BYTES);
    expect(peakBytes).toBeLessThan(1.05 * plannedBytes.peak);
    const [built, wanted] = [await sharpFrames(Buffer.concat(parts)), await sharpFrames(master)];
    expect([built.delays, built.plays]).toEqual([wanted.delays, 3]);
    built.frames.forEach((frame, i) => expect(Buffer.compare(frame, wanted.frames[i]!), `${i}`).toBe(0));
  });

  it("is played as often as its master says, also after the frames", async () => {
    const once = gif(
      [...Array(16).keys()].map((n) => noise(n, 200)),
      greys(0, 256),
    );
    expect(once.includes("NETSCAPE2.0")).toBe(false);
    const looping = Buffer.concat([
      Buffer.of(0x21, 0xff, 11),
      Buffer.from("NETSCAPE2.0"),
      Buffer.of(3, 1, 6, 0, 0),
    ]);
    const { parts } = await build(Buffer.concat([once.subarray(0, -1), looping, Buffer.of(0x3b)]));
    expect(parts.length).toBeGreaterThan(1);
    expect((await framesOf(Buffer.concat(parts))).plays).toBe(7);
  });
});
