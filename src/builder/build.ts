/**
 * One build: the master's bytes come in, the variant's bytes go out.
 *
 *     master -> decode -> resample -> sRGB -> canvas, upright -> encode
 *
 * Where the encoder takes rows and the master is upright, rows go straight through, without a canvas. Animations,
 * and all that becomes a GIF, have a path of their own (animation/build-animation.ts).
 */
import type { BuildOrder } from "../image/build.ts";
import { type CodecPath, codecPath } from "../image/codec-path.ts";
import { MEMORY } from "../image/cost.ts";
import { tilingOf } from "../image/cost-encode.ts";
import type { Quality } from "../image/variant.ts";
import { ISOLATE } from "../limits.ts";
import { buildAnimation } from "./animation/build-animation.ts";
import { guardFrames } from "./animation/frame-guard.ts";
import { encodeTiles } from "./avif/encode-tiles.ts";
import { canvasRows, paintAsIs, paintRgba } from "./canvas.ts";
import { CodecError } from "./codecs/emscripten.ts";
import { encodeCanvas } from "./codecs/encode.ts";
import { MasterColour } from "./colour/master-colour.ts";
import { flatten } from "./flatten.ts";
import { decodeMaster } from "./decode.ts";
import { turned } from "./orient.ts";
import { rowJpegOptions, webpOptions } from "./quality.ts";
import { encodeJpeg, jpegEncoderPeakBytes } from "./rows/jpeg-encoder.ts";
import { encodePng, pngEncoderPeakBytes } from "./rows/png-encoder.ts";
import { resamplerPeakBytes, resampleRows } from "./rows/resampler.ts";
import type { RowSource } from "./rows/row-source.ts";
import { encodeWebp, webpEncoderPeakBytes } from "./rows/webp-encoder.ts";
import type { Source } from "./source.ts";
import { turn } from "./turn.ts";
import type { Workshop } from "./workshop.ts";

export interface Built {
  /** The file, in pieces that nobody else has: each is all of its buffer. */
  pieces: Uint8Array<ArrayBuffer>[];
  byteLength: number;
  peakBytes: number;
}

/**
 * Builds `order` in `shop`, which is this build's alone and empty, and left empty whatever happens.
 * @throws Error when the picture cannot be built; SourceLost, or with `source.lost` set, when it did not arrive
 */
export async function buildVariant(shop: Workshop, order: BuildOrder, source: Source): Promise<Built> {
  const { animated, format } = order.spec;
  const work = animated || format === "gif" ? buildAnimation : buildStill;
  try {
    const pieces = await guardFrames(order, source.stream, (master) => work(shop, order, master, turn));
    return { pieces, byteLength: lengthOf(pieces), peakBytes: shop.tally.peakBytes };
  } finally {
    shop.clear();
  }
}

async function buildStill(
  shop: Workshop,
  order: BuildOrder,
  master: ReadableStream<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { spec, facts } = order;
  const path = codecPath(facts, spec);
  const stored = turned(spec, facts.orientation);
  const canvasBytes = spec.width * spec.height * path.canvasChannels;
  const colour = new MasterColour(facts, shop.tally, turn);
  const decoded = await decodeMaster(shop, colour.watch(master), order, stored, canvasBytes, turn);
  shop.tally.set("resampler", resamplerPeakBytes(decoded, stored));
  const inSrgb = colour.toSrgb(resampleRows(shop.resampler.memory, decoded, stored, turn));
  const rows = spec.format === "jpeg" ? flatten(inSrgb) : inSrgb;
  switch (path.encoder) {
    case "jpeg-rows":
    case "png-rows":
    case "webp-rows":
      return inRows(shop, rows, order, path);
    case "avif-tiles":
      return inTiles(shop, rows, order, path);
    default:
      return viaCanvas(shop, rows, order, path);
  }
}

/** For encoders that want the whole picture. */
async function viaCanvas(
  shop: Workshop,
  rows: RowSource,
  { spec, facts }: BuildOrder,
  path: CodecPath,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { arena, tally } = shop;
  await paintRgba(arena, spec, rows, facts.orientation);
  shop.countArena();
  tally.set("resampler", 0);
  const file = encodeCanvas(arena, path, spec, spec.quality as Quality);
  tally.set("output", file.length);
  shop.countArena();
  return [file];
}

/** For AVIF that no encoder can hold whole: its canvas has no byte more than it needs. */
async function inTiles(
  shop: Workshop,
  rows: RowSource,
  { spec, facts }: BuildOrder,
  path: CodecPath,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { arena, tally } = shop;
  await paintAsIs(arena, spec, rows, facts.orientation);
  shop.countArena();
  tally.set("resampler", 0);
  const pieces = await encodeTiles(arena, {
    size: spec,
    layout: rows.layout,
    quality: spec.quality as Quality,
    chroma: path.chroma,
    tiling: tilingOf(spec, path, MEMORY.arenaMaxBytes),
    held(bytes) {
      shop.countArena();
      holdOutput(shop, bytes);
    },
    turn,
  });
  holdOutput(shop, lengthOf(pieces));
  return pieces;
}

/** For encoders that take rows. */
async function inRows(
  shop: Workshop,
  rows: RowSource,
  { spec, facts }: BuildOrder,
  path: CodecPath,
): Promise<Uint8Array<ArrayBuffer>[]> {
  let upright = rows;
  if (facts.orientation !== 1) {
    await paintAsIs(shop.arena, spec, rows, facts.orientation);
    upright = canvasRows(shop.arena, spec, rows.layout);
  }
  shop.countArena();
  const { memory } = shop.rowEncoder;
  if (path.encoder === "png-rows") {
    shop.tally.set("row encoder", pngEncoderPeakBytes(upright));
    return collect(shop, encodePng(memory, upright, turn));
  }
  if (path.encoder === "webp-rows") {
    const quality = Number(webpOptions(spec.quality as Quality)["quality"]);
    const bytes = webpEncoderPeakBytes(spec.width, spec.height, quality, facts.hasAlpha, upright.layout);
    shop.tally.set("row encoder", bytes);
    const held = (output: number): void => {
      holdOutput(shop, output);
    };
    const { chunks } = await encodeWebp(memory, upright, { quality, held }, turn);
    shop.countArena();
    return [...chunks];
  }
  const options = rowJpegOptions(spec.quality as Quality, path.chroma);
  const bytes = jpegEncoderPeakBytes(spec.width, spec.height, options.quality, path.chroma, upright.layout);
  shop.tally.set("row encoder", bytes);
  return collect(shop, encodeJpeg(memory, upright, options, turn));
}

/** Gathers what a row encoder gives, in chunks of their own; its length is known only at the end. */
async function collect(
  shop: Workshop,
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    length += chunk.length;
    holdOutput(shop, length);
  }
  shop.countArena();
  return pieces;
}

/** Notes that so much of the file is there. @throws CodecError when it is too much */
function holdOutput({ tally }: Workshop, bytes: number): void {
  tally.set("output", bytes);
  if (tally.heldBytes > ISOLATE.buildBytes) throw new CodecError("the variant is too large to be held");
}

const lengthOf = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);
