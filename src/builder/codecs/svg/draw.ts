/** Draws SVG masters by resvg at the size of the variant, in bands, so that memory does not grow with the picture. */
import type { SvgFacts } from "../../../image/model/facts.ts";
import { BAND_SLACK_BYTES, undrawable } from "../../../image/formats/svg/work/cost.ts";
import { restyled, Unresolved } from "../../../image/formats/svg/inline-styles/inline-styles.ts";
import { factsAsDrawn } from "../../../image/formats/svg/work/drawn-facts.ts";
import { sanitizeSvg, SvgRejectedError } from "../../../image/formats/svg/safe/sanitize.ts";
import { drawnInBands, drawnWhole } from "../../../image/formats/svg/stored.ts";
import type { Arena } from "../../memory/arena.ts";
import type { Span } from "../../emscripten/emscripten.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { readAll } from "../../streams/source.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import { FONT_OPTIONS, fontsFor } from "./fonts.ts";
import { Resvg } from "./resvg.ts";
import type { Rect, Size } from "../../../image/geometry/size.ts";
import { CodecError } from "../../emscripten/errors.ts";

const RGBA_BYTES = 4;
const UTF16_BYTES = 2;
/** Approximate bytes of the pieces in which rows are handed out. Between them, the event loop can run. */
const STRIP_BYTES = 262_144;

export interface DrawingOptions {
  /** The size of the whole drawing, in pixels. */
  drawn: Size;
  /** The rectangle of it to hand out; null for all of it. */
  crop: Rect | null;
  /** Whether only that rectangle is drawn. */
  drawsCrop: boolean;
  /** Rows per band, which are drawn at a time. */
  bandRows: number;
  /** Whether styles are first written as attributes, because resvg does not support them. */
  inlinesStyles: boolean;
  /** Bytes of the canvas, which the arena must have room for. */
  canvasBytes: number;
}

/**
 * Draws the master or a part of it. The master must be a sanitised document: resvg expands entities, and draws drawings
 * inside drawings.
 * @throws SourceLost when the master or a font does not arrive
 * @throws CodecError when it cannot be drawn, or does not fit
 */
export async function drawSvg(
  { memory: { arena, meter }, source, work, readFont }: BuildContext,
  facts: SvgFacts,
  { drawn: size, crop, drawsCrop, bandRows: rowsPerBand, inlinesStyles, canvasBytes }: DrawingOptions,
): Promise<RowSource> {
  if (facts.drawing.undrawable !== null) throw new CodecError(facts.drawing.undrawable);
  const bytes = new Uint8Array(source.byteLength);
  await readAll(source.stream, (chunk, offset) => bytes.set(chunk, offset));
  const stored = new TextDecoder().decode(bytes);
  const document = inlinesStyles ? writtenOut(stored, size) : stored;
  if (!facts.drawing.work) assertDrawable(() => sanitizeSvg(bytes).facts, size);
  else if (dependsOnSize(stored)) assertDrawable(() => factsAsDrawn(facts, document), size);
  const room = arena.roomBeside(canvasBytes);
  const seen = crop ?? { left: 0, top: 0, ...size };
  const isPart = drawsCrop || rowsPerBand < seen.height;
  const banded = isPart ? drawnInBands(document, size) : null;
  const drawn = banded ?? drawnWhole(document, size);
  const svg = new TextEncoder().encode(drawn);
  const characters = stored.length + (document === stored ? 0 : document.length) + drawn.length;
  const fonts = await fontsFor(document, readFont);
  const fontBytes = fonts.reduce((sum, { length }) => sum + length, 0);
  meter.hold("buffers").set(bytes.length + svg.length + UTF16_BYTES * characters + fontBytes);
  const options = { fitTo: { mode: "original" }, font: FONT_OPTIONS };
  const resvg = new Resvg(arena.lend(), room, svg, options, fonts);
  const rows = new DrawnRows(arena, resvg, seen, banded === null ? size : rowsPerBand, work);
  // The canvas lies above the memory that the first band took, plus some slack. The other bands must fit below it.
  const taken = Math.min(room, resvg.usedBytes + BAND_SLACK_BYTES);
  resvg.limit(taken);
  arena.lent(taken);
  return rows;
}

/** @throws CodecError for what can be written out at another size alone */
function writtenOut(stored: string, size: Size): string {
  try {
    return restyled(stored, size);
  } catch (error) {
    throw error instanceof Unresolved ? new CodecError(error.message) : error;
  }
}

/** Returns whether it has strokes that do not scale, whose widths are written out for the size. */
const dependsOnSize = (stored: string): boolean => stored.includes("non-scaling-stroke");

/**
 * Refuses what would take too long.
 * @param count counts the work of a master whose facts are older than that count, or say it for another size
 * @throws CodecError
 */
function assertDrawable(count: () => SvgFacts, size: Size): void {
  let reason: string | null;
  try {
    reason = undrawable(count(), size);
  } catch (error) {
    if (!(error instanceof SvgRejectedError)) throw error;
    reason = error.message;
  }
  if (reason !== null) throw new CodecError(reason);
}

/** The last drawing: the whole, or a band of the wanted part. */
interface Drawn {
  pixels: Span;
  rowBytes: number;
  /** The wanted row, and the byte in it, that the drawing begins with. */
  top: number;
  left: number;
  end: number;
}

class DrawnRows implements RowSource {
  readonly width: number;
  readonly height: number;
  readonly layout = "rgba";
  readonly #arena: Arena;
  readonly #resvg: Resvg;
  readonly #seen: Rect;
  /** Rows of a band; null where the whole is drawn. */
  readonly #rowsPerBand: number | null;
  readonly #rowsPerStrip: number;
  readonly #work: WorkMeter;
  #drawn: Drawn;
  #y = 0;

  /**
   * Draws the first band, so that the cost of a band is known.
   * @param made rows of a band, or the size of the whole where that is drawn
   */
  constructor(arena: Arena, resvg: Resvg, seen: Rect, made: number | Size, work: WorkMeter) {
    this.width = seen.width;
    this.height = seen.height;
    this.#arena = arena;
    this.#resvg = resvg;
    this.#seen = seen;
    this.#rowsPerStrip = Math.max(1, Math.floor(STRIP_BYTES / (seen.width * RGBA_BYTES)));
    this.#work = work;
    this.#rowsPerBand = typeof made === "number" ? made : null;
    this.#drawn = typeof made === "number" ? this.#bandAt(0, made) : this.#whole(made);
  }

  async next(): Promise<Uint8Array | null> {
    if (this.#y === this.height) return null;
    if (this.#y === this.#drawn.end && this.#rowsPerBand !== null) {
      await this.#work.yield();
      this.#drawn = this.#bandAt(this.#y, this.#rowsPerBand);
    }
    const { pixels, rowBytes, top, left, end } = this.#drawn;
    const rows = Math.min(this.#rowsPerStrip, end - this.#y);
    const pointer = pixels.pointer + (this.#y - top) * rowBytes;
    this.#y += rows;
    const strip = this.#arena.bytes({ pointer, length: rows * rowBytes });
    return divideByAlpha(packed(strip, rowBytes, left, this.width * RGBA_BYTES));
  }

  #bandAt(top: number, rows: number): Drawn {
    const { left, top: above, width, height } = this.#seen;
    const end = Math.min(height, top + rows);
    const pixels = this.#resvg.drawPart({ left, top: above + top, width, height: end - top });
    return { pixels, rowBytes: width * RGBA_BYTES, top, left: 0, end };
  }

  #whole({ width, height }: Size): Drawn {
    const pixels = this.#resvg.draw(width, height);
    const { left, top } = this.#seen;
    return {
      pixels,
      rowBytes: width * RGBA_BYTES,
      top: -top,
      left: left * RGBA_BYTES,
      end: this.height,
    };
  }
}

/** Moves the wanted bytes of each row together, in place. */
function packed(rows: Uint8Array, rowBytes: number, left: number, wanted: number): Uint8Array {
  if (wanted === rowBytes) return rows;
  let to = 0;
  for (let from = left; from < rows.length; from += rowBytes, to += wanted) {
    rows.copyWithin(to, from, from + wanted);
  }
  return rows.subarray(0, to);
}

/** Divides colours by their alpha, in place: those of resvg are premultiplied. */
function divideByAlpha(rows: Uint8Array): Uint8Array {
  for (let at = 0; at < rows.length; at += RGBA_BYTES) {
    const alpha = rows[at + 3] as number;
    if (alpha === 255 || alpha === 0) continue;
    for (let c = at; c < at + 3; c++)
      rows[c] = Math.min(255, (((rows[c] as number) * 255 + (alpha >> 1)) / alpha) | 0);
  }
  return rows;
}
