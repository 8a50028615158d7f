/**
 * One build: the master's bytes come in, the variant's bytes go out.
 *
 *     master -> decode -> resample -> sRGB -> canvas, upright -> encode
 *
 * Where the encoder takes rows and the decoder gives them upright, they go straight through, without a canvas.
 * Animations, and all that becomes a GIF, have a path of their own (animation/build-animation.ts).
 */
import type { BuildOrder } from "../image/protocol/build.ts";
import type { CodecPath } from "../image/plan/choose-encoder.ts";
import { buildPath, decoderBudget } from "../image/plan/plan-still.ts";
import { tilingOf } from "../image/plan/cost-encode.ts";
import { CANVAS_FLOOR_BYTES, MEMORY } from "../image/memory/isolate.ts";
import { orientationOfRows, turned } from "../image/model/orientation.ts";
import type { Quality, VariantSpec } from "../image/model/variant.ts";
import { buildAnimation } from "./build-animation.ts";
import { guardFrames } from "./frame-guard.ts";
import { encodeTiles } from "./codecs/avif/encode-tiles.ts";
import { canvasRows, paintAsIs, paintRgba } from "./pixels/canvas.ts";
import { CodecMemoryError } from "./emscripten/emscripten.ts";
import { encodeCanvas } from "./pixels/encode-canvas.ts";
import { MasterColour } from "./colour/master-colour.ts";
import { flatten } from "./pixels/flatten.ts";
import { decodeMaster } from "./decode-master.ts";
import { inParts, type Part, partOf, type Parts } from "./streams/parts.ts";
import { rowJpegOptions, webpOptions } from "./quality.ts";
import { encodeJpeg } from "./codecs/jpeg/encoder.ts";
import { encodePng } from "./codecs/png/encoder.ts";
import type { ReadAgain } from "./codecs/png/inflated.ts";
import { resampleRows } from "./pixels/resampler.ts";
import type { RowSource } from "./pixels/row-source.ts";
import { encodeWebp } from "./codecs/webp/encoder.ts";
import type { Source } from "./streams/source.ts";
import { turn } from "./scheduling/turn.ts";
import { uprightRows } from "./pixels/orient-rows.ts";
import type { Workshop } from "./memory/build-memory.ts";

/** The end of a build: the last of the file, which may be all of it. */
export interface Built extends Part {
  peakBytes: number;
  /** The most that a colour profile and its tables took. */
  colourBytes: number;
}

/**
 * Builds `order` in `shop`, which is this build's alone and empty until it ends or is returned from, and left empty
 * whatever happens. Between two parts nothing is computed.
 * @throws Error when the picture cannot be built; SourceLost, or with `source.lost` set, when it did not arrive
 */
export async function* buildVariant(shop: Workshop, order: BuildOrder, source: Source): Parts<Built> {
  const { animated, format } = order.spec;
  const { tally } = shop;
  try {
    const last = yield* guardFrames(order, source.stream, async function* (master) {
      if (!animated && format !== "gif") return yield* buildStill(shop, order, master, source.readAgain);
      return partOf(await buildAnimation(shop, order, master, turn));
    });
    return { ...last, peakBytes: tally.peakBytes, colourBytes: tally.mostOf("colour") };
  } finally {
    shop.clear();
  }
}

async function* buildStill(
  shop: Workshop,
  order: BuildOrder,
  master: ReadableStream<Uint8Array>,
  readAgain: ReadAgain | undefined,
): Parts {
  const { spec, facts } = order;
  const path = buildPath(facts, order.sourceBytes, spec);
  const stored = turned(spec, orientationOfRows(facts));
  const colour = new MasterColour(facts, shop.tally, turn);
  const budgetBytes = decoderBudget(facts, order.sourceBytes, spec, path);
  const room = { canvasBytes: path.canvasBytes, budgetBytes };
  const decoded = await decodeMaster(shop, colour.watch(master), order, stored, room, turn, readAgain);
  const resampled = resampleRows(shop.resampler.memory, decoded, stored, turn, (bytes) => {
    shop.tally.raise("resampler", bytes);
  });
  const inSrgb = colour.toSrgb(resampled);
  const rows = spec.format === "jpeg" ? flatten(inSrgb) : inSrgb;
  switch (path.encoder) {
    case "jpeg-rows":
    case "png-rows":
    case "webp-rows":
      return yield* inRows(shop, rows, order, path);
    case "avif-tiles":
      return partOf(await inTiles(shop, rows, order, path));
    default:
      return partOf(await viaCanvas(shop, rows, order, path));
  }
}

/** For encoders that want the whole picture. */
async function viaCanvas(
  shop: Workshop,
  rows: RowSource,
  { spec, facts }: BuildOrder,
  path: CodecPath,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { arena } = shop;
  await paintRgba(arena, spec, rows, orientationOfRows(facts), CANVAS_FLOOR_BYTES);
  try {
    const file = encodeCanvas(arena, path, spec, spec.quality as Quality);
    shop.countArena();
    shop.holdOutput(file.length);
    return [file];
  } catch (error) {
    // What libwebp takes for an alpha follows from what it shows. Rows take the same whatever that is.
    if (path.encoder !== "webp" || !(error instanceof CodecMemoryError)) throw error;
    return webpInRows(shop, canvasRows(arena, spec, "rgba"), spec);
  }
}

/** For AVIF that no encoder can hold whole: its canvas has no byte more than it needs. */
async function inTiles(
  shop: Workshop,
  rows: RowSource,
  { spec, facts }: BuildOrder,
  path: CodecPath,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { arena } = shop;
  await paintAsIs(arena, spec, rows, orientationOfRows(facts), CANVAS_FLOOR_BYTES);
  const pieces = await encodeTiles(arena, {
    size: spec,
    layout: rows.layout,
    quality: spec.quality as Quality,
    chroma: path.chroma,
    tiling: tilingOf(spec, path, MEMORY.arenaMaxBytes),
    held(bytes) {
      shop.countArena();
      shop.holdOutput(bytes);
    },
    turn,
  });
  shop.holdOutput(partOf(pieces).byteLength);
  return pieces;
}

/** For encoders that take rows. */
async function* inRows(shop: Workshop, rows: RowSource, { spec, facts }: BuildOrder, path: CodecPath): Parts {
  const { tally, arena } = shop;
  const upright =
    path.canvas === "none"
      ? rows
      : await uprightRows(arena, rows, orientationOfRows(facts), path.canvas === "planes-420", turn);
  shop.countArena();
  const { memory } = shop.rowEncoder;
  const counted = (bytes: number): void => tally.raise("row encoder", bytes);
  if (path.encoder === "png-rows") return yield* inParts(shop, encodePng(memory, upright, turn, counted));
  if (path.encoder === "webp-rows") return partOf(await webpInRows(shop, upright, spec));
  const options = rowJpegOptions(spec.quality as Quality, path.chroma);
  return yield* inParts(shop, encodeJpeg(memory, upright, { ...options, counted }, turn));
}

async function webpInRows(
  shop: Workshop,
  upright: RowSource,
  spec: VariantSpec,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const options = {
    quality: Number(webpOptions(spec.quality as Quality)["quality"]),
    held: (output: number): void => shop.holdOutput(output),
    counted: (bytes: number): void => shop.tally.raise("row encoder", bytes),
  };
  const { chunks } = await encodeWebp(shop.rowEncoder.memory, upright, options, turn);
  shop.countArena();
  return [...chunks];
}
