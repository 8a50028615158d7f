/** Decodes the frames of animations by our readers or by sharp, and builds animations as the queue would order them. */
import sharp from "sharp";
import type { AnimationReader } from "../../src/builder/animation/animation.ts";
import { ApngReader } from "../../src/builder/codecs/png/apng-reader.ts";
import { FrameCanvas } from "../../src/builder/animation/canvas.ts";
import { GifReader } from "../../src/builder/codecs/gif/animation-reader.ts";
import { Stage } from "../../src/builder/animation/frame-buffers.ts";
import { WebpReader } from "../../src/builder/codecs/webp/animation-reader.ts";
import { BuildMemory } from "../../src/builder/memory/build-memory.ts";
import type { BuildAnswer, BuildFacts } from "../../src/image/protocol/build.ts";
import { orderFor } from "../../src/image/protocol/order.ts";
import type { MasterFacts } from "../../src/image/model/facts.ts";
import type { FocalPoint } from "../../src/image/geometry/focal-point.ts";
import type { Quality, VariantSpec } from "../../src/image/model/variant.ts";
import type { Frames } from "./frames.ts";
import { contextOf, partsOf, planFor, specFor, take } from "./builds.ts";
import { probe } from "./probe-run.ts";

export { likeness } from "./frames.ts";

const shop = new BuildMemory();

/** Returns the frames that our readers draw. @throws what they throw */
export async function framesOf(file: Uint8Array, facts: MasterFacts = probe(file)): Promise<Frames> {
  try {
    const size = { width: facts.codedWidth, height: facts.codedHeight };
    const stage = new Stage(shop.arena);
    const canvas = new FrameCanvas(stage, size, true);
    const context = contextOf(file, { facts, memory: shop, chunkBytes: 1000 });
    let reader: AnimationReader;
    if (facts.format === "gif") reader = await GifReader.open(context, canvas);
    else if (facts.format === "png") reader = new ApngReader(context, canvas, facts);
    else reader = new WebpReader(context, stage, canvas);
    const found: Frames = { ...size, frames: [], delays: [], plays: 0 };
    for (let shown = await reader.next(); shown; shown = await reader.next()) {
      found.frames.push(cleaned(canvas.bytes.slice()));
      found.delays.push(shown.delayMs);
    }
    return { ...found, plays: reader.plays };
  } finally {
    shop.clear();
  }
}

/** Returns the frames that sharp (libnsgif, libwebp) decodes. */
export async function sharpFrames(file: Uint8Array): Promise<Frames> {
  const image = sharp(file, { pages: -1 });
  const { pages = 1, pageHeight, delay = [], loop = 1 } = await image.metadata();
  const { data, info } = await image.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const height = pageHeight ?? info.height;
  const length = info.width * height * 4;
  const frames = Array.from({ length: pages }, (_, i) =>
    cleaned(Uint8Array.from(data.subarray(i * length, (i + 1) * length))),
  );
  return { width: info.width, height, frames, delays: delay, plays: loop };
}

/** Sets the colours of fully transparent pixels to 0, because they do not matter. */
function cleaned(rgba: Uint8Array): Uint8Array {
  for (let i = 0; i < rgba.length; i += 4) if (rgba[i + 3] === 0) rgba.fill(0, i, i + 4);
  return rgba;
}

export interface AnimatedVariant {
  bytes: Buffer;
  spec: VariantSpec;
  facts: BuildFacts;
  predictedBytes: number;
}

interface Ask {
  width?: number;
  format: "gif" | "webp";
  quality?: Quality;
  /** The ratio `W:H` of a crop around `focalPoint`, or around the centre. */
  ratio?: string;
  focalPoint?: FocalPoint;
}

export const specOf = (facts: MasterFacts, { format, ...ask }: Ask): VariantSpec => ({
  ...specFor(facts, { ...ask, format: "webp" }),
  ...(format === "gif" && { format, quality: null }),
  animated: facts.animated,
});

export function orderOf(file: Uint8Array, ask: Ask, facts: MasterFacts = probe(file)): Promise<BuildAnswer> {
  const spec = specOf(facts, ask);
  return take(orderFor(facts, file.length, spec, planFor(facts, file.length, spec)), file);
}

/** Builds an animation. @throws Error when the answer is not a variant */
export async function buildAnimated(file: Uint8Array, ask: Ask): Promise<AnimatedVariant> {
  const facts = probe(file);
  const answer = await orderOf(file, ask, facts);
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  const { parts, facts: buildFacts } = await partsOf(answer);
  const spec = specOf(facts, ask);
  const predictedBytes = planFor(facts, file.length, spec).memory.peak;
  return { bytes: Buffer.concat(parts), spec, facts: buildFacts, predictedBytes };
}
