/**
 * The one large memory of an isolate, which every codec takes in turn.
 *
 * WebAssembly memory never shrinks, and one that is dropped is given back too late for an isolate of 128 MB:
 * so all codecs share this one, and what it costs is the highest of them and not their sum. It is all zero when
 * a codec starts and when a build ends: strangers' files never meet in a heap, and what an attack on a codec
 * left there is gone with it.
 *
 *     0 ........... the codec at work ........... high-water | canvas | zero
 *
 * The canvas is the picture between its decoder and its encoder. It outlives the first and is moved to where
 * the second one's heap would begin, so that the pixels are never copied out and in again.
 */
import { CANVAS_FLOOR_BYTES, INITIAL_MEMORY, MEMORY } from "../../image/memory/isolate.ts";
import { Emscripten, type Span } from "../emscripten/emscripten.ts";
import { MODULES } from "../emscripten/modules.ts";
import type { CodecName } from "../emscripten/symbols.ts";
import { PAGE_BYTES } from "../../image/memory/pages.ts";
import { CodecError, CodecMemoryError } from "../emscripten/errors.ts";
import type { SharedMemory } from "./spare-memory.ts";

const ALIGNMENT = 16;
const align = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

export class Arena implements SharedMemory {
  asideFrom = Infinity;
  readonly memory: WebAssembly.Memory;
  readonly #maximum: number;
  #codec: Emscripten | null = null;
  #canvas: Span | null = null;
  /** The codec that was started last, while nothing else was laid out since. */
  #last: { name: CodecName; codec: Emscripten } | null = null;
  /** Bytes beside the memory that it is started again from. */
  #stateBytes = 0;
  /** Room for a canvas, and behind it what stays while codecs come and go. */
  #kept: { canvas: Span; span: Span } | null = null;
  /** Bytes that a row codec, which looks after its own memory, has taken from the bottom. */
  #lent = 0;
  #peak = 0;
  /** No one has had the memory since it was wiped, or made. */
  #isBlank = true;

  constructor(maximumBytes: number = MEMORY.arenaMaxBytes) {
    const maximum = Math.floor(maximumBytes / PAGE_BYTES);
    this.#maximum = maximum * PAGE_BYTES;
    this.memory = new WebAssembly.Memory({ initial: INITIAL_MEMORY.arena / PAGE_BYTES, maximum });
  }

  /** The bytes that the isolate pays for the arena, which never get less. */
  get byteLength(): number {
    return this.memory.buffer.byteLength;
  }

  /** Where what the codec at work and the canvas take now ends: so large the memory must be. */
  get usedBytes(): number {
    const canvas = this.#canvas ? this.#canvas.pointer + this.#canvas.length : 0;
    return Math.max(this.#low, canvas);
  }

  /** Returns the most that was in use since this was last asked, with what is kept of a codec beside the memory. */
  takePeak(): number {
    this.#note();
    const peak = this.#peak;
    this.#peak = this.usedBytes + this.#stateBytes;
    return peak;
  }

  /**
   * Returns a codec in its initial state, over zeros. If a canvas is laid out, the codec's heap begins behind it.
   * One that is started again, on the next piece of the same picture, has only what it used wiped, and from the third
   * time on it is the same instance.
   * @throws CodecError when the memory cannot hold it
   */
  start(name: CodecName): Emscripten {
    const last = this.#last?.name === name ? this.#last.codec : null;
    const used = last ? this.#low : this.byteLength;
    this.#endPhase();
    this.#wipeBesidesCanvas(used);
    if (last?.canRestart) last.restart();
    const codec = last?.canRestart ? last : this.#newCodec(name);
    if (codec !== last) this.#stateBytes = last ? codec.keepState() : 0;
    this.#last = { name, codec };
    this.#codec = codec;
    return codec;
  }

  #newCodec(name: CodecName): Emscripten {
    return new Emscripten(name, MODULES[name], this.memory, (heapBase) => this.#settle(heapBase));
  }

  /** Forgets the codec's layout, because something else is laid out: a codec that is started next begins elsewhere. */
  #forgetCodec(): void {
    this.#last = null;
    this.#stateBytes = 0;
  }

  /** Gives the bottom of the arena to a row codec, which says with `lent` how much it took. */
  lend(): WebAssembly.Memory {
    this.#endPhase();
    this.#forgetCodec();
    this.#wipeBesidesCanvas();
    return this.memory;
  }

  /**
   * Reserves `length` bytes that stay until `release`, for a picture that is decoded in pieces, by one codec after
   * another. They lie behind room for the canvas that `canvas` will lay out. Nothing moves meanwhile, and heaps begin
   * behind both.
   * @throws CodecError when the arena cannot grow that far
   */
  keep(length: number, canvasLength: number): Span {
    this.#endPhase();
    this.#forgetCodec();
    this.#wipeBesidesCanvas();
    const canvas = { pointer: align(CANVAS_FLOOR_BYTES), length: canvasLength };
    const span = { pointer: align(canvas.pointer + canvasLength), length };
    this.#growTo(span.pointer + length);
    this.#kept = { canvas, span };
    this.#note();
    return span;
  }

  /** Ends the keeping that `keep` began. The kept bytes can be read until the next codec starts. */
  release(): void {
    this.#note();
    this.#kept = null;
    this.#forgetCodec();
  }

  /** Returns the bytes that a decoder may take when a canvas is to fit above it. */
  roomBeside(canvasBytes: number): number {
    return this.#maximum - align(canvasBytes);
  }

  lent(bytes: number): void {
    this.#lent = bytes;
    this.#note();
  }

  /**
   * Lays out a canvas of `length` bytes, all zero, above everything that the decoder at work has used, or in the
   * room that `keep` made for it.
   * @param floor where it begins at least: that of the encoder that is to follow, 0 for none
   * @throws CodecError when the arena cannot grow that far
   */
  canvas(length: number, floor: number = CANVAS_FLOOR_BYTES): Span {
    this.#note();
    const room = this.#kept?.canvas;
    if (room && length > room.length) throw new CodecError("the canvas is larger than was planned");
    const pointer = room?.pointer ?? align(Math.max(this.#low, floor));
    this.#growTo(pointer + length);
    this.#canvas = { pointer, length };
    this.#isBlank = false;
    this.#forgetCodec();
    this.#note();
    return this.#canvas;
  }

  #growTo(end: number): void {
    const missing = Math.ceil((end - this.byteLength) / PAGE_BYTES);
    if (missing <= 0) return;
    try {
      this.memory.grow(missing);
    } catch {
      throw new CodecMemoryError(`no memory for ${end} bytes`);
    }
  }

  bytes({ pointer, length }: Span): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.memory.buffer, pointer, length);
  }

  /** Where the canvas is now: `start` moves it. */
  get canvasSpan(): Span {
    if (!this.#canvas) throw new CodecError("there is no canvas");
    return this.#canvas;
  }

  /** Ends the build: no byte of it is left. */
  reset(): void {
    this.#endPhase();
    this.#canvas = null;
    this.#kept = null;
    this.asideFrom = Infinity;
    this.#forgetCodec();
    // All of it, not what was reported as used: a codec that was taken over may have written anywhere.
    new Uint8Array(this.memory.buffer).fill(0);
    this.#isBlank = true;
    this.#peak = 0;
  }

  /** Moves the canvas down to a codec's heap base, and answers where the heap begins then. */
  #settle(heapBase: number): number {
    if (this.#kept) {
      if (heapBase > CANVAS_FLOOR_BYTES) throw new CodecError("the codec's data lie over the canvas");
      return align(this.#kept.span.pointer + this.#kept.span.length);
    }
    if (!this.#canvas) return heapBase;
    const { pointer, length } = this.#canvas;
    const target = align(heapBase);
    if (target === pointer) return align(target + length);
    if (target > pointer) throw new CodecError("the codec's data lie over the canvas");
    const all = new Uint8Array(this.memory.buffer);
    all.copyWithin(target, pointer, pointer + length);
    all.fill(0, Math.max(pointer, target + length), pointer + length);
    this.#canvas = { pointer: target, length };
    return align(target + length);
  }

  /** The bytes that the codec at work has taken from the bottom; with a canvas below its heap, that is part of it. */
  get #low(): number {
    const kept = this.#kept ? this.#kept.span.pointer + this.#kept.span.length : 0;
    return Math.min(Math.max(this.#codec?.usedBytes ?? this.#lent, kept), this.byteLength);
  }

  #note(): void {
    this.#peak = Math.max(this.#peak, this.usedBytes + this.#stateBytes);
  }

  #endPhase(): void {
    this.#note();
    this.#codec = null;
    this.#lent = 0;
  }

  /**
   * Fills the arena below `end` with zeros, but for the canvas and the bytes that are kept or set aside, so that the
   * next codec starts on clean memory.
   */
  #wipeBesidesCanvas(end = this.byteLength): void {
    const isBlank = this.#isBlank;
    this.#isBlank = false;
    if (isBlank) return;
    const all = new Uint8Array(this.memory.buffer, 0, Math.min(end, this.asideFrom));
    const from = this.#kept?.canvas.pointer ?? this.#canvas?.pointer;
    const last = this.#kept?.span ?? this.#canvas;
    if (from === undefined || !last) return void all.fill(0);
    all.fill(0, 0, from);
    all.fill(0, last.pointer + last.length);
  }
}
