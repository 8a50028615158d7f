/** The memories of an isolate, which one build at a time has to itself. */
import { INITIAL_MEMORY, MEMORY, type MemoryBytes } from "../../image/memory/isolate.ts";
import { ISOLATE, MEGABYTE_BYTES } from "../../limits.ts";
import { Arena } from "./arena.ts";
import { type Held, MemoryMeter } from "./memory-meter.ts";
import { SmallMemory } from "./small-memory.ts";
import { CodecMemoryError } from "../emscripten/errors.ts";

/** A memory that nobody uses any more, as long as it is not collected. */
interface Dropped {
  memory: WeakRef<WebAssembly.Memory>;
  bytes: number;
  /** Whose memory it was, to be used again where it comes to that; null for one of the small ones. */
  arena: WeakRef<Arena> | null;
}

const NUDGES = 8;
const NUDGE_BYTES = 16 * MEGABYTE_BYTES;

export class BuildMemory {
  #arena: Arena;
  #resampler = new SmallMemory(MEMORY.resamplerMaxBytes);
  #rowCodec = new SmallMemory(MEMORY.rowCodecMaxBytes);
  #dropped: Dropped[] = [];
  readonly #arenaMaxBytes: number;
  readonly meter = new MemoryMeter();
  #output: Held = this.meter.hold("output");
  /** What the build at hand may bring the isolate to. */
  budgetBytes: number = ISOLATE.buildBytes;

  constructor(arenaMaxBytes: number = MEMORY.arenaMaxBytes) {
    this.#arenaMaxBytes = arenaMaxBytes;
    this.#arena = new Arena(arenaMaxBytes);
  }

  get arena(): Arena {
    return this.#arena;
  }

  get resampler(): SmallMemory {
    return this.#resampler;
  }

  get rowCodec(): SmallMemory {
    return this.#rowCodec;
  }

  /** What the isolate pays for its memories, whatever a build uses of them. */
  get memoryBytes(): MemoryBytes {
    return {
      arena: this.arena.byteLength,
      resampler: this.resampler.memory.buffer.byteLength,
      rowCodec: this.rowCodec.memory.buffer.byteLength,
    };
  }

  /** What memories that were dropped still take. */
  get droppedBytes(): number {
    this.#dropped = this.#dropped.filter(({ memory }) => memory.deref() !== undefined);
    return this.#dropped.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /**
   * Drops each memory that has grown beyond what is planned, for a new one: memories never shrink. Only between builds.
   * A dropped one is counted until it was collected, which V8 does in its own time.
   */
  renewGrown(planned: MemoryBytes): void {
    const grown = this.memoryBytes;
    if (grown.arena > Math.max(planned.arena, INITIAL_MEMORY.arena)) {
      this.#drop(this.#arena.memory, this.#arena);
      this.#arena = new Arena(this.#arenaMaxBytes);
    }
    if (grown.resampler > Math.max(planned.resampler, INITIAL_MEMORY.resampler)) {
      this.#drop(this.#resampler.memory);
      this.#resampler = new SmallMemory(MEMORY.resamplerMaxBytes);
    }
    if (grown.rowCodec > Math.max(planned.rowCodec, INITIAL_MEMORY.rowCodec)) {
      this.#drop(this.#rowCodec.memory);
      this.#rowCodec = new SmallMemory(MEMORY.rowCodecMaxBytes);
    }
  }

  /**
   * Asks V8 for a collection, in the only way there is: it looks when buffers of some 64 MB were made since it last did.
   * Nobody writes to these, so they take addresses and no memory, and each is let go of at once.
   */
  askForCollection(): void {
    for (let i = 0; i < NUDGES; i++) new ArrayBuffer(NUDGE_BYTES);
  }

  /**
   * Takes a dropped arena into use again, where it was not collected yet and `fits` says yes of what there is then: no
   * build is to wait for a collection that the arena as it was had room for.
   */
  restoreArena(fits: () => boolean): boolean {
    for (const entry of [...this.#dropped]) {
      const arena = entry.arena?.deref();
      if (!arena) continue;
      const [before, dropped] = [this.#arena, this.#dropped];
      this.#dropped = dropped.filter((other) => other !== entry);
      this.#drop(before.memory, before);
      this.#arena = arena;
      if (fits()) return true;
      [this.#arena, this.#dropped] = [before, dropped];
    }
    return false;
  }

  #drop(memory: WebAssembly.Memory, arena: Arena | null = null): void {
    const bytes = memory.buffer.byteLength;
    this.#dropped.push({ memory: new WeakRef(memory), bytes, arena: arena && new WeakRef(arena) });
  }

  /** What is left of the budget beside the memories, and what is held outside of them. */
  get roomBytes(): number {
    const { arena, resampler, rowCodec } = this.memoryBytes;
    return this.budgetBytes - arena - resampler - rowCodec - this.droppedBytes - this.meter.bufferBytes;
  }

  /** Notes the most that the arena took. */
  countArena(): void {
    this.meter.raise("arena", this.arena.takePeak());
  }

  /** Notes that so much of the variant is held outside of the memories. @throws CodecMemoryError when it is too much */
  holdOutput(bytes: number): void {
    this.#output.set(bytes);
    this.demandRoom();
  }

  /** @throws CodecMemoryError when more is held than the isolate has for this build */
  demandRoom(): void {
    if (this.roomBytes < 0) throw new CodecMemoryError("the variant is too large to be held");
  }

  /** Leaves nothing of a build behind. */
  clear(): void {
    this.arena.reset();
    this.resampler.wipe();
    this.rowCodec.wipe();
    this.meter.clear();
    this.#output = this.meter.hold("output");
    this.budgetBytes = ISOLATE.buildBytes;
  }
}
