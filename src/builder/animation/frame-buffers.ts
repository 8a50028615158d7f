/**
 * The pixels of an animation: a block of full frames in the arena. It stays in place while decoders and encoders, one
 * per frame, come and go above it.
 *
 *     0 ... a codec's data and stack ... block of frames | the codec's heap ... zero
 *
 * Nothing else is held of the frames, however many there are, except what was encoded of them.
 */
import { FRAMES_FLOOR_BYTES } from "../../image/memory/isolate.ts";
import type { Arena } from "../memory/arena.ts";
import { Emscripten, type Span } from "../emscripten/emscripten.ts";
import { MODULES } from "../emscripten/modules.ts";
import { PAGE_BYTES } from "../../image/memory/pages.ts";
import { CodecError, CodecMemoryError } from "../emscripten/errors.ts";

type WebpCodec = "webp-encoder";

/** The memory of a decoder whose blocks begin above the frames, and whose own data lie below them. */
export interface FrameDecoderRoom {
  readonly memory: WebAssembly.Memory;
  readonly start: number;
  /** Told the address where the decoder's blocks end. */
  readonly counted: (end: number) => void;
}

export class Stage {
  readonly #arena: Arena;
  readonly #memory: WebAssembly.Memory;
  #end: number;
  /** Everything from here up is still zero. */
  #dirtyEnd: number;

  constructor(arena: Arena) {
    this.#arena = arena;
    this.#memory = arena.lend();
    this.#end = FRAMES_FLOOR_BYTES;
    this.#dirtyEnd = this.#end;
  }

  /**
   * Adds `bytes` zeros to the block. To be called before the first codec starts.
   * @throws CodecError when the arena cannot grow that far
   */
  reserve(bytes: number): Span {
    const pointer = this.#end;
    this.#end = Math.ceil((pointer + bytes) / 16) * 16;
    this.#dirtyEnd = this.#end;
    const missing = Math.ceil((this.#end - this.#memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) {
      try {
        this.#memory.grow(missing);
      } catch {
        throw new CodecMemoryError(`no memory for frames of ${bytes} bytes`);
      }
    }
    this.#arena.lent(this.#end);
    return { pointer, length: bytes };
  }

  /** Returns a view of the span. It is valid until a codec runs, because the memory may grow then. */
  bytes({ pointer, length }: Span): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer, pointer, length);
  }

  /** Returns the buffer as pixels: red in the lowest byte, alpha in the highest. */
  pixels({ pointer, length }: Span): Uint32Array<ArrayBuffer> {
    return new Uint32Array(this.#memory.buffer, pointer, length >> 2);
  }

  /**
   * Runs `work` with a new instance of a codec, whose heap begins above the block. Its result must be copied out.
   * @throws CodecError
   */
  run<T>(name: WebpCodec, work: (codec: Emscripten) => T): T {
    this.#wipe();
    let codec: Emscripten | null = null;
    try {
      codec = new Emscripten(name, MODULES[name], this.#memory, (heapBase) => {
        if (heapBase > FRAMES_FLOOR_BYTES) throw new CodecError("the codec's data lie over the frames");
        return this.#end;
      });
      return work(codec);
    } finally {
      this.#note(codec ? codec.usedBytes : this.#end);
    }
  }

  /** Runs `work` with the memory for one decoder in rows, and where in it that may be. */
  async decode<T>(work: (room: FrameDecoderRoom) => Promise<T>): Promise<T> {
    this.#wipe();
    // Until the decoder has said how much it took, it may have written anywhere.
    this.#dirtyEnd = Infinity;
    return work({ memory: this.#memory, start: this.#end, counted: (end) => this.#note(end) });
  }

  /** Makes everything zero that is not frames. */
  #wipe(): void {
    const all = new Uint8Array(this.#memory.buffer);
    all.fill(0, 0, FRAMES_FLOOR_BYTES);
    all.fill(0, this.#end, Math.min(this.#dirtyEnd, all.length));
  }

  /** Notes that a codec took the memory up to `end`, an address that an attacker may control. */
  #note(end: number): void {
    this.#dirtyEnd = Math.min(Math.max(end, this.#end), this.#memory.buffer.byteLength);
    this.#arena.lent(this.#dirtyEnd);
    this.#arena.lent(this.#end);
  }
}
