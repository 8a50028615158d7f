/** Frames of animated WebP by the decoder in rows: what sharp shows of them, within the memory that was planned. */
import sharp, { type WebpOptions } from "sharp";
import { describe, expect, it } from "vitest";
import { framesOf, sharpFrames } from "../../../../scripts/harness/animation-frames.ts";
import { contextOf } from "../../../../scripts/harness/builds.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";
import { cutout } from "../../../../scripts/samples/pictures.ts";
import { FrameCanvas } from "../../../../src/builder/animation/canvas.ts";
import { Stage } from "../../../../src/builder/animation/frame-buffers.ts";
import { WebpReader } from "../../../../src/builder/codecs/webp/animation-reader.ts";
import { newWebpDecoder } from "../../../../src/builder/codecs/webp/decoder-module.ts";
import { BuildMemory } from "../../../../src/builder/memory/build-memory.ts";
import { webpFrameBytes } from "../../../../src/image/formats/webp/decoder-memory.ts";
import { FRAMES_FLOOR_BYTES } from "../../../../src/image/memory/isolate.ts";
import type { WebpFacts } from "../../../../src/image/model/facts.ts";

const [WIDTH, HEIGHT, FRAMES] = [301, 203, 3];

/** Returns an animation of a cutout on a ground that changes, or on none. */
async function animation(options: WebpOptions, isOpaque: boolean): Promise<Buffer> {
  const { data } = await cutout(WIDTH, HEIGHT);
  const frames = Array.from({ length: FRAMES }, (_, frame) =>
    Uint8Array.from(data, (value, i) =>
      i % 4 === 3 ? (isOpaque ? 255 : value) : (value + frame * 40) & 255,
    ),
  );
  const raw = { width: WIDTH, height: HEIGHT * FRAMES, channels: 4, pageHeight: HEIGHT } as const;
  return sharp(Buffer.concat(frames), { raw })
    .webp({ effort: 1, ...options })
    .toBuffer();
}

describe.each([
  ["lossy and opaque", { quality: 80 }, true],
  ["lossy with alpha", { quality: 80 }, false],
  ["without loss", { lossless: true }, false],
  ["mixed", { mixed: true, quality: 60 }, false],
] as const)("an animated WebP that is %s", (_, options, isOpaque) => {
  it("is what sharp shows of it", async () => {
    const file = await animation(options, isOpaque);
    const [mine, theirs] = [await framesOf(file), await sharpFrames(file)];
    expect(mine.frames).toHaveLength(FRAMES);
    mine.frames.forEach((frame, i) =>
      expect(Buffer.from(frame).equals(theirs.frames[i]!), `${i}`).toBe(true),
    );
  });

  it("takes no more memory than is planned for a frame", async () => {
    const file = await animation(options, isOpaque);
    const facts = probe(file) as WebpFacts;
    const memory = new BuildMemory();
    const stage = new Stage(memory.arena);
    const reader = new WebpReader(
      contextOf(file, { facts, memory }),
      stage,
      new FrameCanvas(stage, facts, false),
    );
    memory.arena.takePeak();
    while (await reader.next());
    const taken = memory.arena.takePeak() - FRAMES_FLOOR_BYTES - WIDTH * HEIGHT * 4;
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThanOrEqual(webpFrameBytes(facts, file.length));
  });
});

it("the decoder's own data lie below the frames", () => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 100 });
  expect(newWebpDecoder({ memory }).highWater()).toBeLessThanOrEqual(FRAMES_FLOOR_BYTES);
  expect(newWebpDecoder({ memory, start: FRAMES_FLOOR_BYTES + 16 }).allocateFile(1)).toBe(
    FRAMES_FLOOR_BYTES + 16,
  );
});
