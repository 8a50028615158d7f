/** A memory of a few megabytes for a row part that works beside the arena: kept, and wiped between builds. */
import { INITIAL_MEMORY } from "../../image/memory/isolate.ts";
import { PAGE_BYTES, wholePages } from "../../image/memory/pages.ts";
import { CodecMemoryError } from "../emscripten/errors.ts";
import type { SharedMemory } from "./spare-memory.ts";

const INITIAL_PAGES = INITIAL_MEMORY.rowCodec / PAGE_BYTES;

export class SmallMemory implements SharedMemory {
  readonly memory: WebAssembly.Memory;
  asideFrom = Infinity;

  constructor(maximumBytes: number) {
    this.memory = new WebAssembly.Memory({
      initial: INITIAL_PAGES,
      maximum: Math.max(INITIAL_PAGES, Math.floor(maximumBytes / PAGE_BYTES)),
    });
  }

  /** @throws CodecMemoryError when there is no memory for `bytes` */
  growTo(bytes: number): void {
    const missing = (wholePages(bytes) - this.memory.buffer.byteLength) / PAGE_BYTES;
    if (missing <= 0) return;
    try {
      this.memory.grow(missing);
    } catch {
      throw new CodecMemoryError(`no memory for ${bytes} bytes`);
    }
  }

  /** Makes zeros of all that is not set aside. */
  wipe(): void {
    new Uint8Array(this.memory.buffer).fill(0, 0, this.asideFrom);
  }

  /** Ends the build: no byte of it is left. */
  reset(): void {
    this.asideFrom = Infinity;
    this.wipe();
  }
}
