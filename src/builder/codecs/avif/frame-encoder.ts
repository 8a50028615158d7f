/** The tiles of a picture by our own AV1 encoder: an instance of assembly/, and beside it one for alpha. */
import type { Effort } from "../../../image/model/variant.ts";
import { CHANNELS_OF, type RowLayout } from "../../../image/memory/rows.ts";
import { PAGE_BYTES } from "../../../image/memory/pages.ts";
import { RowMemoryError } from "../../scheduling/row-errors.ts";
import module from "../../wasm/av1-encoder.wasm";
import type { StillFrame } from "./av1-headers.ts";
import type { Av1Exports } from "./av1-module.ts";
import { tilesOf } from "./av1-tiles.ts";
import type { FrameSettings } from "./frame-settings.ts";

type Bytes = Uint8Array<ArrayBuffer>;
/** Returns a copy of a piece of the file, because the encoder reuses its memory. May throw. */
export type Keep = (bytes: Uint8Array) => Bytes;
/** A picture as the encoder codes it: the settings of its headers, and those of the search. */
export type Frame = StillFrame & FrameSettings & { effort?: Effort };

/** Bytes of output that are kept at once, at least. */
const CHUNK_BYTES = 32_768;
/** Pages of memory that the module's own tables take. */
const TABLE_PAGES = 7;

export class FrameEncoder {
  readonly #memory: WebAssembly.Memory;
  readonly #frame: Frame;
  readonly #layout: RowLayout;
  readonly #keepCopy: Keep;
  readonly #wasm: Av1Exports;
  /** The module's data ends there. */
  readonly #dataBytes: number;
  readonly #tiles: Bytes[][];

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
    const tiles = tilesOf(frame);
    this.#tiles = Array.from({ length: tiles.columns * tiles.rows }, () => []);
    const { width, height, chroma, baseIndex, chromaDc, chromaAc, chromaWeight, matrix } = frame;
    const isConfigured = this.#wasm.configure(
      width,
      height,
      CHANNELS_OF[layout],
      stagedRows,
      chroma === "none" ? 1 : 3,
      chroma === "444" ? 0 : 1,
      tiles.width,
      tiles.height,
      baseIndex,
      chromaDc,
      chromaAc,
      chromaWeight,
      matrix,
    );
    if (!isConfigured) throw this.#shortage();
    if (frame.isDrawing) this.#wasm.expectDrawing();
    else if (frame.effort === "quick") this.#wasm.hurry();
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
   * Returns an encoder of the alpha of the same rows, which are staged here alone. Both are to be given each row, alpha
   * first.
   * @throws RowMemoryError when the memory is too small
   */
  besideForAlpha(frame: Frame): AlphaEncoder {
    const aside = this.#wasm.reserve(this.#dataBytes);
    if (aside === 0) throw this.#shortage();
    const bytes = new Uint8Array(this.#memory.buffer);
    bytes.copyWithin(aside, 0, this.#dataBytes);
    bytes.fill(0, 0, this.#dataBytes);
    const encoder = new FrameEncoder(this.#memory, frame, this.#layout, 0, this.#keepCopy, this.usedBytes);
    encoder.#wasm.codeAlpha(this.#wasm.stagingAddress());
    this.#wasm.seeAlpha(encoder.#wasm.samples());
    this.#wasm.exchange(aside);
    const exchange = (): void => this.#wasm.exchange(aside);
    return { encoder, exchange, isOpaque: () => encoder.#wasm.isOpaque() !== 0 };
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
    if (bytes < 0) return false;
    if (bytes > CHUNK_BYTES || this.#wasm.mustRelease() !== 0) this.#keep(bytes);
    return true;
  }

  /** The data of each tile, once all superblocks are coded. */
  get tiles(): readonly Bytes[][] {
    return this.#tiles;
  }

  #keep(bytes: number): void {
    const output = new Uint8Array(this.#memory.buffer, this.#wasm.outputAddress(), bytes);
    if (bytes > 0) this.#tiles[this.#wasm.heldTile()]!.push(this.#keepCopy(output));
    this.#wasm.release();
  }
}

export interface AlphaEncoder {
  readonly encoder: FrameEncoder;
  /**
   * Gives the module's data, which has the same addresses in both instances, to the other one: that of colour has it
   * first. An instance may take rows without its data, but not code.
   */
  exchange(): void;
  /** Whether all rows so far are opaque. */
  isOpaque(): boolean;
}
