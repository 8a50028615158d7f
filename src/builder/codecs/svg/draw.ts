/** SVG masters: drawn by resvg at the size of the variant, in bands, so that memory does not follow the picture. */
import type { SvgFacts } from "../../../image/model/facts.ts";
import { BAND_SLACK_BYTES } from "../../../image/formats/svg/cost.ts";
import { restyled } from "../../../image/formats/svg/inline-styles/inline-styles.ts";
import { drawnInBands, drawnWhole } from "../../../image/formats/svg/stored.ts";
import type { Arena } from "../../memory/arena.ts";
import type { Span } from "../../emscripten/emscripten.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { readAll } from "../../streams/source.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import { FONT_OPTIONS, fontsFor } from "./fonts.ts";
import { Resvg } from "./resvg.ts";
import type { Size } from "../../../image/model/size.ts";
import { CodecError } from "../../emscripten/errors.ts";

const RGBA_BYTES = 4;
const UTF16_BYTES = 2;
/** About 256 KB of a picture at a time: whoever works on the rows can give the event loop a turn between. */
const STRIP_BYTES = 262_144;

export interface DrawingOptions {
  size: Size;
  /** Rows that are drawn at a time. */
  bandRows: number;
  /** Styles are written out first, where resvg does not know them. */
  inlinesStyles: boolean;
  /** That the arena must keep free. */
  canvasBytes: number;
}

/**
 * Draws the master, a sanitised document, at `size` exactly. Nothing else may be given to resvg:
 * it expands entities, and draws drawings inside drawings.
 * @throws SourceLost when the master does not arrive
 * @throws CodecError when it cannot be drawn, or does not fit
 */
export async function drawSvg(
  { memory: { arena, meter }, source, work }: BuildContext,
  facts: SvgFacts,
  { size: out, bandRows: rowsPerBand, inlinesStyles, canvasBytes }: DrawingOptions,
): Promise<RowSource> {
  if (facts.drawing.undrawable !== null) throw new CodecError(facts.drawing.undrawable);
  const bytes = new Uint8Array(source.byteLength);
  await readAll(source.stream, (chunk, offset) => bytes.set(chunk, offset));
  const stored = new TextDecoder().decode(bytes);
  const document = inlinesStyles ? restyled(stored) : stored;
  const room = arena.roomBeside(canvasBytes);
  const banded = rowsPerBand < out.height ? drawnInBands(document, out) : null;
  const drawn = banded ?? drawnWhole(document, out);
  const svg = new TextEncoder().encode(drawn);
  const characters = stored.length + (document === stored ? 0 : document.length) + drawn.length;
  meter.hold("buffers").set(bytes.length + svg.length + UTF16_BYTES * characters);
  const options = { fitTo: { mode: "original" }, font: FONT_OPTIONS };
  const resvg = new Resvg(arena.lend(), room, svg, options, fontsFor(document));
  const rows = new DrawnRows(arena, resvg, out, banded === null ? out.height : rowsPerBand, work);
  // The canvas lies above what the first band took and a little more; the other bands are held to that.
  const taken = Math.min(room, resvg.usedBytes + BAND_SLACK_BYTES);
  resvg.limit(taken);
  arena.lent(taken);
  return rows;
}

class DrawnRows implements RowSource {
  readonly width: number;
  readonly height: number;
  readonly layout = "rgba";
  readonly #arena: Arena;
  readonly #resvg: Resvg;
  readonly #rowsPerBand: number;
  readonly #rowsPerStrip: number;
  readonly #work: WorkMeter;
  #band: Span;
  #bandTop = 0;
  #y = 0;

  /** Draws the first band, so that what a band takes is known. */
  constructor(arena: Arena, resvg: Resvg, { width, height }: Size, rowsPerBand: number, work: WorkMeter) {
    this.width = width;
    this.height = height;
    this.#arena = arena;
    this.#resvg = resvg;
    this.#rowsPerBand = rowsPerBand;
    this.#rowsPerStrip = Math.max(1, Math.floor(STRIP_BYTES / (width * RGBA_BYTES)));
    this.#work = work;
    this.#band = rowsPerBand < height ? resvg.drawBand(0, width, rowsPerBand) : resvg.draw(width, height);
  }

  async next(): Promise<Uint8Array | null> {
    if (this.#y === this.height) return null;
    if (this.#y === this.#bandTop + this.#rowsPerBand) await this.#nextBand();
    const bandEnd = Math.min(this.height, this.#bandTop + this.#rowsPerBand);
    const rowBytes = this.width * RGBA_BYTES;
    const length = Math.min(this.#rowsPerStrip, bandEnd - this.#y) * rowBytes;
    const pointer = this.#band.pointer + (this.#y - this.#bandTop) * rowBytes;
    this.#y += length / rowBytes;
    return divideByAlpha(this.#arena.bytes({ pointer, length }));
  }

  async #nextBand(): Promise<void> {
    await this.#work.yield();
    this.#bandTop = this.#y;
    const rows = Math.min(this.#rowsPerBand, this.height - this.#y);
    this.#band = this.#resvg.drawBand(this.#y, this.width, rows);
  }
}

/** resvg's colours are multiplied by their alpha; every other part's are not. In place. */
function divideByAlpha(rows: Uint8Array): Uint8Array {
  for (let at = 0; at < rows.length; at += RGBA_BYTES) {
    const alpha = rows[at + 3] as number;
    if (alpha === 255 || alpha === 0) continue;
    for (let c = at; c < at + 3; c++)
      rows[c] = Math.min(255, (((rows[c] as number) * 255 + (alpha >> 1)) / alpha) | 0);
  }
  return rows;
}
