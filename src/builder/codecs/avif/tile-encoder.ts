/** The tile of a picture by our own AV1 encoder: an instance of assembly/, and beside it one for alpha. */
import { CHANNELS_OF, type RowLayout } from "../../../image/memory/rows.ts";
import { PAGE_BYTES } from "../../../image/memory/pages.ts";
import { RowMemoryError } from "../../scheduling/row-errors.ts";
import module from "../../wasm/av1-encoder.wasm";
import type { StillFrame } from "./av1-headers.ts";
import type { Av1Exports } from "./av1-module.ts";
import type { FrameSettings } from "./frame-settings.ts";

type Bytes = Uint8Array<ArrayBuffer>;
/** Returns a copy of a piece of the file, because the encoder reuses its memory. May throw. */
export type Keep = (bytes: Uint8Array) => Bytes;
/** A picture as the encoder codes it: what its headers say, and what the search goes by. */
export type Frame = StillFrame & FrameSettings;

/** Bytes of output that are kept at once, at least. */
const CHUNK_BYTES = 32_768;
/** Pages of memory that the module's own tables take. */
const TABLE_PAGES = 4;

export class TileEncoder {
  readonly #memory: WebAssembly.Memory;
  readonly #frame: Frame;
  readonly #layout: RowLayout;
  readonly #keepCopy: Keep;
  readonly #wasm: Av1Exports;
  /** The module's data ends there. */
  readonly #dataBytes: number;
  readonly #pieces: Bytes[] = [];

  /**
   * @param stagedRows the most rows that `stage` will get
   * @param takenBytes of the memory, by an instance that is there already
   * @throws RowMemoryError when the memory is too small
   */
  constructor(
    memory: WebAssembly.Memory,
    frame: Frame,
    layout: RowLayout,
    stagedRows: number,
    keepCopy: Keep,
    takenBytes = 0,
  ) {
    this.#memory = memory;
    this.#frame = frame;
    this.#layout = layout;
    this.#keepCopy = keepCopy;
    const missing = TABLE_PAGES - memory.buffer.byteLength / PAGE_BYTES;
    if (missing > 0) memory.grow(missing);
    this.#wasm = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Av1Exports;
    this.#dataBytes = this.#wasm.used();
    if (takenBytes > 0 && this.#wasm.reserve(takenBytes - this.#dataBytes) === 0) throw this.#shortage();
    const { width, height, chroma, baseIndex, chromaDc, chromaAc, chromaWeight, matrix } = frame;
    const isConfigured = this.#wasm.configure(
      width,
      height,
      CHANNELS_OF[layout],
      stagedRows,
      chroma === "none" ? 1 : 3,
      chroma === "444" ? 0 : 1,
      baseIndex,
      chromaDc,
      chromaAc,
      chromaWeight,
      matrix,
    );
    if (!isConfigured) throw this.#shortage();
    if (frame.isDrawing) this.#wasm.expectDrawing();
  }

  #shortage(): RowMemoryError {
    const { width, height } = this.#frame;
    return new RowMemoryError("encode", `Encoding ${width} x ${height} as AVIF does not fit its memory`);
  }

  /** Bytes of memory in use, with those of instances that were there before. */
  get usedBytes(): number {
    return this.#wasm.used();
  }

  /**
   * An encoder of the alpha of the same rows, which are staged here alone. Both are to be given each row, alpha first.
   * @throws RowMemoryError when the memory is too small
   */
  besideForAlpha(frame: Frame): AlphaEncoder {
    const aside = this.#wasm.reserve(this.#dataBytes);
    if (aside === 0) throw this.#shortage();
    const bytes = new Uint8Array(this.#memory.buffer);
    bytes.copyWithin(aside, 0, this.#dataBytes);
    bytes.fill(0, 0, this.#dataBytes);
    const tile = new TileEncoder(this.#memory, frame, this.#layout, 0, this.#keepCopy, this.usedBytes);
    tile.#wasm.codeAlpha(this.#wasm.stagingAddress());
    this.#wasm.seeAlpha(tile.#wasm.samples());
    this.#wasm.exchange(aside);
    const exchange = (): void => this.#wasm.exchange(aside);
    return { tile, exchange, isOpaque: () => tile.#wasm.isOpaque() !== 0 };
  }

  /** Puts whole rows where `push` takes them from. */
  stage(rows: Uint8Array): void {
    new Uint8Array(this.#memory.buffer, this.#wasm.stagingAddress(), rows.length).set(rows);
  }

  /** Takes staged rows `from` to `end`. Returns the row it stopped at: less than `end` when superblocks are due. */
  push(from: number, end: number): number {
    return this.#wasm.push(from, end);
  }

  /** Codes the next superblock of those whose rows are there. Returns whether there was one. */
  encode(): boolean {
    const bytes = this.#wasm.encode();
    if (bytes > CHUNK_BYTES) this.#keep(bytes);
    return bytes >= 0;
  }

  /** The data of the tile, once all superblocks are coded. */
  finish(): Bytes[] {
    this.#keep(this.#wasm.finish());
    return this.#pieces;
  }

  #keep(bytes: number): void {
    this.#pieces.push(this.#keepCopy(new Uint8Array(this.#memory.buffer, this.#wasm.outputAddress(), bytes)));
    this.#wasm.release();
  }
}

export interface AlphaEncoder {
  readonly tile: TileEncoder;
  /**
   * Gives the module's data, which has the same addresses in both instances, to the other one: that of colour has it
   * first. An instance may take rows without its data, but not code.
   */
  exchange(): void;
  /** Whether all rows so far are opaque. */
  isOpaque(): boolean;
}
