/** The memories of an isolate, which one build at a time has to itself. */
import { MEMORY, type MemoryBytes } from "../../image/memory/isolate.ts";
import { ISOLATE } from "../../limits.ts";
import { Arena } from "./arena.ts";
import { CodecError } from "../emscripten/emscripten.ts";
import { Tally } from "./memory-budget.ts";
import { SmallMemory } from "./small-memory.ts";

export class Workshop {
  readonly arena: Arena;
  readonly resampler = new SmallMemory(MEMORY.resamplerMaxBytes);
  readonly rowEncoder = new SmallMemory(MEMORY.rowEncoderMaxBytes);
  readonly tally = new Tally();
  /** What the build at hand may bring the isolate to. */
  budgetBytes: number = ISOLATE.buildBytes;

  constructor(arenaMaxBytes: number = MEMORY.arenaMaxBytes) {
    this.arena = new Arena(arenaMaxBytes);
  }

  /** What the isolate pays for its memories, whatever a build uses of them. */
  get memoryBytes(): MemoryBytes {
    return {
      arena: this.arena.byteLength,
      resampler: this.resampler.memory.buffer.byteLength,
      rowEncoder: this.rowEncoder.memory.buffer.byteLength,
    };
  }

  /** What is left of the budget beside the memories, and what is held outside of them. */
  get roomBytes(): number {
    const { arena, resampler, rowEncoder } = this.memoryBytes;
    return this.budgetBytes - arena - resampler - rowEncoder - this.tally.bufferBytes;
  }

  /** Notes the most that the arena took. */
  countArena(): void {
    this.tally.raise("arena", this.arena.takePeak());
  }

  /** Notes that so much of the variant is held outside of the memories. @throws CodecError when it is too much */
  holdOutput(bytes: number): void {
    this.tally.set("output", bytes);
    if (this.roomBytes < 0) throw new CodecError("the variant is too large to be held");
  }

  /** Leaves nothing of a build behind. */
  clear(): void {
    this.arena.reset();
    this.resampler.wipe();
    this.rowEncoder.wipe();
    this.tally.clear();
    this.budgetBytes = ISOLATE.buildBytes;
  }
}
