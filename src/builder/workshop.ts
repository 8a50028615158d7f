/** The memories of an isolate, which one build at a time has to itself. */
import { MEMORY } from "../image/cost.ts";
import { Arena } from "./arena.ts";
import { Tally } from "./ledger.ts";
import { SmallMemory } from "./small-memory.ts";

export class Workshop {
  readonly arena: Arena;
  readonly resampler = new SmallMemory(MEMORY.resamplerMaxBytes);
  readonly rowEncoder = new SmallMemory(MEMORY.rowEncoderMaxBytes);
  readonly tally = new Tally();

  constructor(arenaMaxBytes: number = MEMORY.arenaMaxBytes) {
    this.arena = new Arena(arenaMaxBytes);
  }

  /** Notes the most that the arena held since this was last asked, beside what is held now. */
  countArena(): void {
    this.tally.set("arena", this.arena.takePeak());
  }

  /** Leaves nothing of a build behind. */
  clear(): void {
    this.arena.reset();
    this.resampler.wipe();
    this.rowEncoder.wipe();
    this.tally.clear();
  }
}
