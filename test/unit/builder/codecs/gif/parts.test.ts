/** GIF longer than one part: sent while it is built, with no more held of it than a part. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { buildVariant } from "../../../../../src/builder/build.ts";
import { GIF_PIECE_BYTES } from "../../../../../src/image/formats/gif/memory.ts";
import { MULTIPART } from "../../../../../src/limits.ts";
import { framesOf, sharpFrames, specOf } from "../../../../../scripts/harness/animation-frames.ts";
import { contextOf } from "../../../../../scripts/harness/builds.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { random } from "../../../../../scripts/samples/avif-pictures.ts";

const SIZE = { width: 700, height: 500 };

/** A frame of noise in `colours` greys above `from`: nothing makes it shorter. */
function noise(seed: number, colours: number, from: number): Uint8Array {
  const next = random(seed);
  const pixels = new Uint8Array(SIZE.width * SIZE.height * 3);
  for (let i = 0; i < pixels.length; i += 3) pixels.fill(from + next(colours), i, i + 3);
  return pixels;
}

async function gif(frames: Uint8Array[], loop = 3): Promise<Buffer> {
  const raw = { width: SIZE.width, height: SIZE.height * frames.length, channels: 3 as const };
  return sharp(Buffer.concat(frames), { raw: { ...raw, pageHeight: SIZE.height }, limitInputPixels: false })
    .gif({ effort: 1, loop, dither: 0 })
    .toBuffer();
}

/** The file in its parts, and the most that was planned and taken. */
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
    const frames = [...Array(19).keys()].map((n) => (n < 17 ? noise(n, 100, 0) : noise(n, 120, 130)));
    const master = await gif(frames);
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
    const once = await gif(
      [...Array(20).keys()].map((n) => noise(n, 200, 0)),
      1,
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
