/** Where the bytes of one frame lie between the master's stream and the decoder. */
import { wholePages } from "../../../image/memory/pages.ts";
import type { BuildMemory } from "../../memory/build-memory.ts";
import type { Held } from "../../memory/memory-meter.ts";

export class FrameRoom {
  readonly #memory: BuildMemory;
  readonly #plannedBytes: number;
  readonly #outside: Held;
  #free = new Uint8Array();

  /** @param plannedBytes of the row codec's memory, which frames of WebP need for nothing else */
  constructor(memory: BuildMemory, plannedBytes: number) {
    this.#memory = memory;
    this.#plannedBytes = plannedBytes;
    this.#outside = memory.meter.hold("buffers");
  }

  /**
   * Begins a frame whose parts have at most `bytes` together. One that is larger than was planned is held outside of
   * the memories.
   * @throws CodecMemoryError when there is no room
   */
  begin(bytes: number): void {
    const { rowCodec, meter } = this.#memory;
    const isPlanned = bytes <= this.#plannedBytes;
    if (isPlanned) {
      rowCodec.growTo(bytes);
      meter.raise("rowCodec", wholePages(bytes));
    }
    this.#outside.set(isPlanned ? 0 : bytes);
    this.#memory.demandRoom();
    const buffer = isPlanned ? rowCodec.memory.buffer : new ArrayBuffer(bytes);
    this.#free = new Uint8Array(buffer, 0, bytes);
  }

  /** Returns room for a part of it. */
  part(bytes: number): Uint8Array<ArrayBuffer> {
    const room = this.#free.subarray(0, bytes);
    this.#free = this.#free.subarray(bytes);
    return room;
  }

  end(): void {
    this.#free = new Uint8Array();
    this.#outside.set(0);
  }
}
