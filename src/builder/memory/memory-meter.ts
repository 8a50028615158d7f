/** Counts what one build takes, by the parts that the plan names, and the most that it took at once. */
import type { BuildBytes, MemoryBytes } from "../../image/memory/isolate.ts";

/** A WebAssembly memory of the isolate. */
export type MemoryPart = keyof MemoryBytes;
/** The parts that are held outside of the memories. */
export type HeldPart = Exclude<keyof BuildBytes, MemoryPart>;

/** The bytes that one holder has of a part. */
export interface Held {
  /** It holds `bytes` now; 0 gives them back. */
  set(bytes: number): void;
}

const NO_MEMORIES: MemoryBytes = { arena: 0, resampler: 0, rowCodec: 0 };
const NOTHING_HELD: Record<HeldPart, number> = { buffers: 0, colour: 0, output: 0 };

export class MemoryMeter {
  #memories = { ...NO_MEMORIES };
  #held = { ...NOTHING_HELD };
  /** The most of each part. */
  #most = { ...NOTHING_HELD };
  #peak = 0;

  /** Returns a holder of the part `part`, beside those that there are. It begins with nothing. */
  hold(part: HeldPart): Held {
    let own = 0;
    return {
      set: (bytes) => {
        this.#held[part] += bytes - own;
        own = bytes;
        this.#most[part] = Math.max(this.#held[part], this.#most[part]);
        this.#notePeak();
      },
    };
  }

  /** Notes that `bytes` of a WebAssembly memory were used. Memories never shrink, so the most counts. */
  raise(part: MemoryPart, bytes: number): void {
    this.#memories[part] = Math.max(bytes, this.#memories[part]);
    this.#notePeak();
  }

  clear(): void {
    this.#memories = { ...NO_MEMORIES };
    this.#held = { ...NOTHING_HELD };
    this.#most = { ...NOTHING_HELD };
    this.#peak = 0;
  }

  /** Returns the bytes that are held of `part` now. */
  of(part: HeldPart): number {
    return this.#held[part];
  }

  /** Returns the most that was used of the memory `part`. */
  mostOfMemory(part: MemoryPart): number {
    return this.#memories[part];
  }

  /** Returns the most that was held of `part`. */
  mostOf(part: HeldPart): number {
    return this.#most[part];
  }

  /** Held outside of WebAssembly memory. */
  get bufferBytes(): number {
    const { buffers, colour, output } = this.#held;
    return buffers + colour + output;
  }

  get heldBytes(): number {
    const { arena, resampler, rowCodec } = this.#memories;
    return arena + resampler + rowCodec + this.bufferBytes;
  }

  get peakBytes(): number {
    return this.#peak;
  }

  #notePeak(): void {
    this.#peak = Math.max(this.#peak, this.heldBytes);
  }
}
