/** The memories of an isolate, which one build at a time has to itself. */
import { Arena, ARENA_MAX_BYTES, RESAMPLER_MAX_BYTES, ROW_ENCODER_MAX_BYTES } from "./arena.ts";
import { Tally } from "./ledger.ts";
import { SmallMemory } from "./small-memory.ts";

export class Workshop {
  readonly arena: Arena;
  readonly resampler = new SmallMemory(RESAMPLER_MAX_BYTES);
  readonly rowEncoder = new SmallMemory(ROW_ENCODER_MAX_BYTES);
  readonly tally = new Tally();

  constructor(arenaMaxBytes: number = ARENA_MAX_BYTES) {
    this.arena = new Arena(arenaMaxBytes);
  }

  /** Notes what is held now. */
  count(): void {
    this.tally.set("arena", this.arena.takePeak());
    this.tally.set("resampler", this.resampler.usedBytes);
    this.tally.set("row encoder", this.rowEncoder.usedBytes);
  }

  /** Leaves nothing of a build behind. */
  clear(): void {
    this.arena.reset();
    this.resampler.wipe();
    this.rowEncoder.wipe();
    this.tally.clear();
  }
}
