/** Decodes the AV1 picture of an item in rows of planes: the JavaScript side of assembly/decoder. */
import type { RowWorkspace } from "../../../scheduling/row-workspace.ts";
import type { WorkMeter } from "../../../scheduling/work-meter.ts";
import { FAULT_OUT_OF_MEMORY } from "../decoder-status.ts";
import { faultOf } from "./errors.ts";
import { type Av1DecoderExports, newAv1Decoder } from "./module.ts";

/** Units of work per sample of luma, and per byte of the item: the most that a row costs, by its share of both. */
const SAMPLE_WORK = 30;
const BYTE_WORK = 160;

/** The facts of a picture from its sequence and frame headers. */
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

/** The data of an item, somewhere in the memory of its decoder. */
export interface Av1Item {
  /** Where the OBUs of the item's configuration (av1C) are, which may be none, and its data. */
  readonly configuration?: { readonly address: number; readonly bytes: number };
  readonly address: number;
  readonly bytes: number;
  /** The operating point of `a1op`, and the layer of `lsel`; -1 for the highest. */
  readonly operatingPoint?: number;
  readonly layer?: number;
}

/** A picture whose headers are read. The rows of planes are valid until the next call. */
export class Av1Picture {
  readonly format: Av1Format;
  /** The most rows of luma that `decode` makes ready at once. */
  readonly mostRows: number;
  readonly #decoder: Av1DecoderExports;
  readonly #work: WorkMeter;
  readonly #bytes: number;

  private constructor(decoder: Av1DecoderExports, work: WorkMeter, bytes: number) {
    this.#decoder = decoder;
    this.#work = work;
    this.#bytes = bytes;
    this.mostRows = decoder.mostRows();
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
  }

  /**
   * Reads the headers of an item. `layOut` is to follow.
   * @param start an address behind the item and all else that the memory holds, from which on it is zero
   * @throws Av1DecodeError when they are damaged, or not supported
   */
  static open({ memory, work }: RowWorkspace, item: Av1Item, start: number): Av1Picture {
    const decoder = newAv1Decoder(memory);
    if (!decoder.startAt(start)) throw faultOf(FAULT_OUT_OF_MEMORY);
    const { address, bytes, configuration = { address, bytes: 0 }, operatingPoint = 0, layer = -1 } = item;
    const fault = decoder.begin(
      configuration.address,
      configuration.bytes,
      address,
      bytes,
      operatingPoint,
      layer,
    );
    if (fault < 0) throw faultOf(fault);
    return new Av1Picture(decoder, work, bytes);
  }

  /** Bytes that `layOut` will allocate. */
  get rowsBytes(): number {
    return this.#decoder.layOutBytes();
  }

  /** Allocates the memory of rows. @throws Av1DecodeError when it is at its end */
  layOut(): void {
    const fault = this.#decoder.layOut();
    if (fault < 0) throw faultOf(fault);
  }

  /** Decodes more rows. @returns how many rows of luma are ready, 0 after the last @throws Av1DecodeError */
  async decode(): Promise<number> {
    const { width, height } = this.format;
    for (let left = this.#decoder.rowsLeft(); left > 0; left = this.#decoder.rowsLeft()) {
      const rows = Math.min(this.mostRows, height);
      await this.#work.spend(width * rows * SAMPLE_WORK + (this.#bytes * BYTE_WORK * rows) / height);
      const count = this.#decoder.decodeRow();
      if (count < 0) throw faultOf(count);
      if (count > 0) return count;
    }
    return 0;
  }

  /** Returns the rows of a plane that the last call of `decode` made ready. */
  rows(plane: number): PlaneRows {
    return { address: this.#decoder.rowsAddress(plane), stride: this.#decoder.rowsStride(plane) };
  }

  /** Returns the address behind all that is allocated. */
  end(): number {
    return this.#decoder.highWater();
  }
}
