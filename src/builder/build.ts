/**
 * One build: the master's bytes come in, the variant's bytes go out.
 *
 *     master -> decode -> resample -> sRGB -> upright on the canvas -> encode
 *                    (PNG, and an upright picture: rows to rows, without a canvas)
 */
import type { BuildOrder } from "../image/build.ts";
import type { OutputFormat, Quality } from "../image/variant.ts";
import { ISOLATE } from "../limits.ts";
import { CHANNELS, canvasRows, paintAsIs, paintRgba } from "./canvas.ts";
import { encodeCanvas } from "./codecs/encode.ts";
import { CodecError } from "./codecs/emscripten.ts";
import { toSrgb } from "./colour.ts";
import { decodeMaster } from "./decode.ts";
import { turned } from "./orient.ts";
import { encodePng } from "./rows/png-encoder.ts";
import { resampleRows } from "./rows/resampler.ts";
import type { RowSource } from "./rows/row-source.ts";
import type { Source } from "./source.ts";
import { turn } from "./turn.ts";
import type { Workshop } from "./workshop.ts";

const RGBA_BYTES = 4;

export interface Built {
  /** The file, in pieces. */
  pieces: Uint8Array<ArrayBuffer>[];
  byteLength: number;
  peakBytes: number;
}

/**
 * Builds `order` in `shop`, which is this build's alone and empty, and left empty whatever happens.
 * @throws Error when the picture cannot be built; SourceLost, or with `source.lost` set, when it did not arrive
 */
export async function buildVariant(shop: Workshop, order: BuildOrder, source: Source): Promise<Built> {
  const { spec, facts, sourceBytes } = order;
  const format = spec.format as OutputFormat;
  const needsCanvas = format !== "png" || facts.orientation !== 1;
  const canvasBytes = needsCanvas ? spec.width * spec.height * RGBA_BYTES : 0;
  const stored = turned(spec, facts.orientation);
  try {
    const decoded = await decodeMaster(shop, source.stream, sourceBytes, facts, stored, canvasBytes, turn);
    const rows = toSrgb(resampleRows(shop.resampler.memory, decoded, stored, turn));
    const pieces =
      format === "png" ? await rowsToPng(shop, rows, order) : await viaCanvas(shop, rows, order, format);
    return { pieces, byteLength: lengthOf(pieces), peakBytes: shop.tally.peakBytes };
  } finally {
    shop.clear();
  }
}

async function viaCanvas(
  shop: Workshop,
  rows: RowSource,
  { spec, facts }: BuildOrder,
  format: Exclude<OutputFormat, "png">,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { arena, tally } = shop;
  const canvas = arena.canvas(spec.width * spec.height * RGBA_BYTES);
  await paintRgba(arena.bytes(canvas), rows, facts.orientation, format === "jpeg");
  shop.count();
  shop.resampler.wipe();
  const file = encodeCanvas(arena, format, spec, spec.quality as Quality);
  tally.set("output", file.length);
  shop.count();
  return [file];
}

async function rowsToPng(
  shop: Workshop,
  rows: RowSource,
  { spec, facts }: BuildOrder,
): Promise<Uint8Array<ArrayBuffer>[]> {
  let upright = rows;
  if (facts.orientation !== 1) {
    const { arena } = shop;
    const canvas = arena.canvas(spec.width * spec.height * CHANNELS[rows.layout]);
    await paintAsIs(arena.bytes(canvas), rows, facts.orientation);
    upright = canvasRows(arena, spec, rows.layout);
  }
  return collect(shop, encodePng(shop.rowEncoder.memory, upright, turn));
}

/** Gathers what a row encoder gives; its length is known only at the end. */
async function collect(
  shop: Workshop,
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunks) {
    pieces.push(chunk.slice());
    shop.tally.set("output", lengthOf(pieces));
    if (shop.tally.heldBytes > ISOLATE.buildBytes)
      throw new CodecError("the variant is too large to be held");
  }
  shop.count();
  return pieces;
}

const lengthOf = (pieces: readonly Uint8Array[]): number =>
  pieces.reduce((sum, { length }) => sum + length, 0);
