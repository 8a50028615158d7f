/** Decodes the AV1 picture of an item in rows of planes: the JavaScript side of assembly/decoder. */
import type { RowWorkspace } from "../../../scheduling/row-workspace.ts";
import type { WorkMeter } from "../../../scheduling/work-meter.ts";
import { FAULT_OUT_OF_MEMORY } from "../decoder-status.ts";
import { faultOf } from "./errors.ts";
import { type Av1DecoderExports, newAv1Decoder } from "./module.ts";

/** Units of work per sample of luma, and per byte of the item: what a row costs at most, by its share of both. */
const SAMPLE_WORK = 20;
const BYTE_WORK = 160;

/** What the sequence and frame headers say of the picture. */
export interface Av1Format {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: 8 | 10 | 12;
  readonly planes: 1 | 3;
  /** 1 where chroma has half as many columns or rows. */
  readonly chromaShiftX: 0 | 1;
  readonly chromaShiftY: 0 | 1;
  /** matrix_coefficients and color_range of the stream. */
  readonly matrix: number;
  readonly fullRange: boolean;
}

/** Rows of one plane: samples of 16 bits, `stride` bytes from row to row. */
export interface PlaneRows {
  readonly address: number;
  readonly stride: number;
}

/** The item of a picture in the memory of its decoder. */
export interface Av1Item {
  /** Bytes of the item's configuration (av1C), before its data. */
  readonly configurationBytes: number;
  readonly dataBytes: number;
  /** The operating point of `a1op`, and the layer of `lsel`; -1 for the highest. */
  readonly operatingPoint?: number;
  readonly layer?: number;
}

/** A picture whose headers are read. The next rows of planes are valid until the next call. */
export class Av1Picture {
  readonly format: Av1Format;
  readonly #decoder: Av1DecoderExports;
  readonly #work: WorkMeter;
  /** Units of work per row of superblocks. */
  readonly #rowWork: number;

  private constructor(decoder: Av1DecoderExports, work: WorkMeter, dataBytes: number) {
    this.#decoder = decoder;
    this.#work = work;
    this.format = {
      width: decoder.width(),
      height: decoder.height(),
      bitDepth: decoder.bitDepth() as Av1Format["bitDepth"],
      planes: decoder.planes() as Av1Format["planes"],
      chromaShiftX: decoder.chromaShiftX() as Av1Format["chromaShiftX"],
      chromaShiftY: decoder.chromaShiftY() as Av1Format["chromaShiftY"],
      matrix: decoder.matrix(),
      fullRange: decoder.fullRange() === 1,
    };
    const samples = this.format.width * this.format.height;
    this.#rowWork = (samples * SAMPLE_WORK + dataBytes * BYTE_WORK) / Math.max(1, decoder.rowsLeft());
  }

  /**
   * Reads the headers of an item, and allocates the memory of its rows.
   * @param write writes configuration and data to an address of the memory
   * @throws Av1DecodeError when they are damaged, not supported, or do not fit
   */
  static async open(
    { memory, work }: RowWorkspace,
    item: Av1Item,
    write: (address: number) => Promise<void> | void,
  ): Promise<Av1Picture> {
    const decoder = newAv1Decoder(memory);
    const bytes = item.configurationBytes + item.dataBytes;
    const address = decoder.allocateItem(bytes);
    if (address === 0) throw faultOf(FAULT_OUT_OF_MEMORY);
    await write(address);
    const { operatingPoint = 0, layer = -1 } = item;
    const fault = decoder.begin(address, item.configurationBytes, bytes, operatingPoint, layer);
    if (fault < 0) throw faultOf(fault);
    const layOutFault = decoder.layOut();
    if (layOutFault < 0) throw faultOf(layOutFault);
    return new Av1Picture(decoder, work, item.dataBytes);
  }

  /** Decodes more rows. @returns how many rows of luma are ready, 0 after the last @throws Av1DecodeError */
  async decode(): Promise<number> {
    while (this.#decoder.rowsLeft() > 0) {
      await this.#work.spend(this.#rowWork);
      const count = this.#decoder.decodeRow();
      if (count < 0) throw faultOf(count);
      if (count > 0) return count;
    }
    return 0;
  }

  /** The rows of a plane that the last call of `decode` made ready. */
  rows(plane: number): PlaneRows {
    return { address: this.#decoder.rowsAddress(plane), stride: this.#decoder.rowsStride(plane) };
  }

  /** Bytes allocated in the memory so far. */
  peakBytes(): number {
    return this.#decoder.highWater();
  }
}
