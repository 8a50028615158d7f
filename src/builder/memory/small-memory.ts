/** A memory of a few megabytes for a row part that works beside the arena: kept, and wiped between builds. */
import { INITIAL_MEMORY } from "../../image/memory/isolate.ts";
import { PAGE_BYTES } from "../../image/memory/pages.ts";

const INITIAL_PAGES = INITIAL_MEMORY.rowCodec / PAGE_BYTES;

export class SmallMemory {
  readonly memory: WebAssembly.Memory;

  constructor(maximumBytes: number) {
    this.memory = new WebAssembly.Memory({
      initial: INITIAL_PAGES,
      maximum: Math.max(INITIAL_PAGES, Math.floor(maximumBytes / PAGE_BYTES)),
    });
  }

  wipe(): void {
    new Uint8Array(this.memory.buffer).fill(0);
  }
}
