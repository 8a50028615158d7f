/**
 * Room for a variant in memories that earlier builds have grown, where the build at hand does not use them. It is
 * taken from their upper ends downwards: codecs take theirs from the bottom.
 */
import type { MemoryPart } from "./memory-meter.ts";

/** A memory whose upper end can be given to a variant. */
export interface SharedMemory {
  readonly memory: WebAssembly.Memory;
  /** Bytes from here on are the variant's: they are not wiped before the build ends. */
  asideFrom: number;
}

interface Region {
  part: MemoryPart;
  shared: SharedMemory;
  /** Where what the plan knows of ends. */
  floor: number;
  /** Where what was taken begins. */
  from: number;
}

export class SpareMemory {
  #regions: Region[] = [];

  /** Offers what of `shared` lies at `floor` and above. */
  offer(part: MemoryPart, shared: SharedMemory, floor: number): void {
    this.#regions.push({ part, shared, floor, from: shared.memory.buffer.byteLength });
  }

  /** Holds `bytes` here; null when there is no room for them. */
  hold(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
    const region = this.#regions.find(({ floor, from }) => from - floor >= bytes.length);
    if (!region) return null;
    region.from -= bytes.length;
    region.shared.asideFrom = region.from;
    const held = new Uint8Array(region.shared.memory.buffer, region.from, bytes.length);
    held.set(bytes);
    return held;
  }

  /** Whether anything is offered. */
  get isOffered(): boolean {
    return this.#regions.some(({ floor, from }) => from > floor);
  }

  isHeldHere({ buffer }: Uint8Array): boolean {
    return this.#regions.some(({ shared }) => shared.memory.buffer === buffer);
  }

  /** Returns whether a codec that took `usedBytes` of the memory `part` may have written over what is held in it. */
  isReached(part: MemoryPart, usedBytes: number): boolean {
    return this.#regions.some((region) => region.part === part && usedBytes > region.shared.asideFrom);
  }

  clear(): void {
    this.#regions = [];
  }
}
