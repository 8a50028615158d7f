/** The session of one piece of work: the isolate's memories, a reservation, and its master. */
import type { MasterFacts } from "../image/model/facts.ts";
import { type BuildPlan, type PlaceholderPlan, rangeBytesOf } from "../image/plan/build-plan.ts";
import { fitsBeside, fitsIsolate, type BuildBytes } from "../image/memory/isolate.ts";
import type { BuildFailure, MasterPieces, OpenMaster, ReadRange } from "../image/protocol/build.ts";
import type { BuildStage } from "../image/protocol/failure.ts";
import type { NotNow } from "../image/protocol/not-now.ts";
import { AS_PIECES } from "../image/protocol/previous-version.ts";
import { BUILDER } from "../limits.ts";
import { failureOf } from "./failures/build-error.ts";
import { LostFramesError } from "./frame-guard.ts";
import { isolateMemory, reserve } from "./isolate.ts";
import type { BuildMemory } from "./memory/build-memory.ts";
import type { Reservation } from "./memory/memory-budget.ts";
import { WorkMeter, yieldToEventLoop } from "./scheduling/work-meter.ts";
import type { BuildContext, ReadFont } from "./streams/build-context.ts";
import { patiently } from "./streams/range-reader.ts";
import { openSource, type Source, SourceLost } from "./streams/source.ts";
import { STALL_MS } from "./streams/source-lost.ts";

/** A master, and the way to its bytes. */
export interface Master {
  facts: MasterFacts;
  sourceBytes: number;
  /** The bytes to reserve: the peak of the plan. */
  peakBytes: number;
  open: OpenMaster;
  readRange: ReadRange | undefined;
  readFont: ReadFont;
}

/** How work ends that is not wanted any more. */
export interface Ending {
  /** Called between stretches of computing. It throws to end the work. */
  yieldOnce?: () => Promise<void>;
  /** Ends the waiting for the master. */
  signal?: AbortSignal;
}

/** A reservation that sends heartbeats until it is released, also while it waits for the master or the queue. */
class Room {
  readonly reservation: Reservation;
  readonly #beating: ReturnType<typeof setInterval>;

  constructor(reservation: Reservation) {
    this.reservation = reservation;
    this.#beating = setInterval(() => reservation.beat(), BUILDER.beatMs);
  }

  release(): void {
    clearInterval(this.#beating);
    this.reservation.release();
  }
}

export class BuildSession<Plan extends BuildPlan | PlaceholderPlan> {
  readonly source: Source;
  readonly context: BuildContext<Plan>;
  readonly #room: Room;
  readonly #openedInMs: number;
  #isOver = false;

  private constructor(
    plan: Plan,
    { facts, sourceBytes, readRange, readFont }: Master,
    room: Room,
    { pieces, openedInMs }: { pieces: MasterPieces; openedInMs: number },
    yieldOnce: () => Promise<void>,
  ) {
    const { reservation } = room;
    this.#room = room;
    this.#openedInMs = openedInMs;
    const memory = isolateMemory();
    memory.budgetBytes = reservation.budgetBytes;
    this.source = openSource(pieces, sourceBytes, { readRange, rangeBytes: rangeBytesOf(plan) });
    const work = new WorkMeter(async () => {
      reservation.beat();
      await yieldOnce();
      if (reservation.isTakenBack) throw new Error("the build sent no heartbeat and lost its room");
    });
    this.context = { plan, facts, source: this.source, readFont, memory, work };
  }

  /**
   * Makes room for `plan`, and opens the master then. Answers why not when there is none, with the master unopened.
   * @throws SourceLost when the master cannot be opened, or `signal` aborts before it is
   */
  static async begin<Plan extends BuildPlan | PlaceholderPlan>(
    plan: Plan,
    master: Master,
    { yieldOnce = yieldToEventLoop, signal }: Ending = {},
  ): Promise<BuildSession<Plan> | NotNow["code"]> {
    const reservation = await reserve(master.peakBytes);
    const room = reservation ? new Room(reservation) : null;
    try {
      const askedAt = Date.now();
      const pieces = room ? await piecesFor(plan, master, room.reservation, signal) : "busy";
      if (room && pieces !== null && typeof pieces !== "string") {
        const opened = { pieces, openedInMs: Date.now() - askedAt };
        return new BuildSession(plan, master, room, opened, yieldOnce);
      }
      room?.release();
      master.readRange?.[Symbol.dispose]?.();
      return typeof pieces === "string" ? pieces : "gone";
    } catch (error) {
      room?.release();
      master.readRange?.[Symbol.dispose]?.();
      throw error;
    }
  }

  /** For how long the master, and then its bytes, were waited for so far, in milliseconds. */
  get waitedMs(): number {
    return this.#openedInMs + this.source.waitedMs;
  }

  /**
   * Converts a thrown error into the outcome of a build. Must be called before `end`.
   * @param stage of an error that does not say where it happened
   * @throws SourceLost when the master did not arrive whole
   */
  failed(error: unknown, stage: BuildStage): BuildFailure {
    if (this.source.lost) throw this.source.lost;
    if (error instanceof SourceLost) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const failure = failureOf(error, stage);
    const answer: BuildFailure = { ok: false, code: "failed", reason, failure };
    return error instanceof LostFramesError ? { ...answer, learned: error.learned } : answer;
  }

  /** Leaves nothing of the master behind, then lets others work. `heldBytes` stay reserved until `release`. */
  async end(heldBytes = 0): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.source.close();
    if (heldBytes > 0) this.#room.reservation.finish(heldBytes);
    else this.release();
  }

  /** Lets go of the variant, of which nothing is held any more. */
  release(): void {
    this.#room.release();
  }
}

/** Opens the master, or returns why not; null when it is gone. @throws SourceLost when it cannot be opened */
async function piecesFor(
  plan: BuildPlan | PlaceholderPlan,
  { open }: Master,
  reservation: Reservation,
  signal: AbortSignal | undefined,
): Promise<MasterPieces | NotNow["code"] | null> {
  if (isCrowded(plan.memory, isolateMemory(), reservation.budgetBytes)) return "busy";
  const opening = open(AS_PIECES);
  const pieces = await patiently(opening, { stallMs: STALL_MS, ...(signal && { signal }) }).catch(
    (cause: unknown) => {
      opening.then(letGo, () => undefined);
      throw new SourceLost(`the master could not be opened: ${String(cause)}`, { cause });
    },
  );
  if (!reservation.isTakenBack) return pieces;
  letGo(pieces);
  return "busy";
}

const letGo = (pieces: MasterPieces | null): void => pieces?.[Symbol.dispose]?.();

/**
 * Returns whether the plan has no room now. A plan that no isolate has room for is tried: an edge with another reserve
 * made it, and it would wait for ever.
 */
const isCrowded = (planned: BuildBytes, memory: BuildMemory, budgetBytes: number): boolean =>
  fitsIsolate(planned) && !fitsBeside(planned, memory.memoryBytes, budgetBytes);
