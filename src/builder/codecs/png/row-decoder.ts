/** Decodes inflated rows to pixels, in the memory of the decoder. */
import { PNG_SAMPLES, pngLayoutOf } from "../../../image/formats/png/memory.ts";
import { CHANNELS_OF } from "../../../image/memory/rows.ts";
import { PngDecodeError } from "./errors.ts";
import type { PngHeader } from "./header.ts";
import type { InflatedData } from "./inflated.ts";
import type { PngModule } from "./module.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import { wholePages } from "../../../image/memory/pages.ts";

export interface PngLayout {
  /** Most rows that are decoded at a time. */
  batchRows: number;
  /** Rows of the picture that are assembled from passes at a time; 0 when the picture is not interlaced. */
  pictureRows: number;
  /** Number of passes that are decoded in parallel; 1 if passes are decoded one after the other. */
  parallelPasses: number;
}

export class PngRowDecoder {
  readonly wasm: PngModule;
  readonly memory: WebAssembly.Memory;
  readonly header: PngHeader;
  readonly layout: RowSource["layout"];
  readonly meter: WorkMeter;
  readonly channels: number;

  /** @throws PngDecodeError OUT_OF_MEMORY */
  constructor(
    { memory, work }: RowWorkspace,
    wasm: PngModule,
    header: PngHeader,
    { batchRows, pictureRows, parallelPasses }: PngLayout,
  ) {
    const { width, bitDepth, colourType, palette, transparency } = header;
    this.memory = memory;
    this.wasm = wasm;
    this.header = header;
    this.layout = pngLayoutOf(colourType, colourType >= 4 || transparency !== null);
    this.channels = CHANNELS_OF[this.layout];
    this.meter = work;
    const isKeyed = transparency !== null && colourType !== 3;
    const fits = wasm.configureDecoder(
      width,
      bitDepth,
      colourType,
      this.channels,
      isKeyed ? 1 : 0,
      batchRows,
      pictureRows,
      parallelPasses,
    );
    if (!fits) throw new PngDecodeError("OUT_OF_MEMORY", "The rows of the PNG do not fit the memory given");
    if (palette) this.#writePalette(palette, transparency);
    if (isKeyed) this.#writeKey(transparency);
  }

  get memoryBytes(): number {
    return wholePages(this.wasm.used());
  }

  /** Inflates, unfilters and expands the next `count` rows of the current pass. @throws PngDecodeError */
  async decode(inflated: InflatedData, count: number, columns: number): Promise<void> {
    const wanted = count * filteredRowBytes(this.header, columns);
    await inflated.need(wanted);
    if (!this.wasm.decode(count)) {
      throw new PngDecodeError("CORRUPT", "A row has an invalid filter type");
    }
    await this.meter.spend(4 * Math.max(wanted, count * columns));
  }

  #writePalette(palette: Uint8Array, alpha: Uint8Array | null): void {
    const table = new Uint8Array(this.memory.buffer, this.wasm.paletteAddress(), 1024);
    for (let entry = 0; entry < 256; entry++) {
      table.set(palette.subarray(3 * entry, 3 * entry + 3), 4 * entry);
      table[4 * entry + 3] = alpha?.[entry] ?? 255;
    }
  }

  /** Writes the transparent colour. Of each 16-bit value, only the bits of the bit depth are used (clause 11.3.2.1). */
  #writeKey(transparency: Uint8Array): void {
    const view = new DataView(transparency.buffer, transparency.byteOffset, transparency.length);
    const key = new Uint32Array(this.memory.buffer, this.wasm.keyAddress(), 3);
    const mask = 2 ** this.header.bitDepth - 1;
    for (let i = 0; 2 * i < transparency.length; i++) key[i] = view.getUint16(2 * i) & mask;
  }
}

/** Returns the bytes of a row of `columns` pixels before it is compressed, with its filter type. */
export function filteredRowBytes(
  { bitDepth, colourType }: Pick<PngHeader, "bitDepth" | "colourType">,
  columns: number,
): number {
  return 1 + Math.ceil((columns * PNG_SAMPLES[colourType] * bitDepth) / 8);
}
