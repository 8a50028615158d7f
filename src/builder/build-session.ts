/** What one piece of work has to itself: the isolate's memories, a reservation, and its master. */
import type { MasterFacts } from "../image/model/facts.ts";
import { type BuildPlan, decoderOf, type PlaceholderPlan } from "../image/plan/build-plan.ts";
import { fitsBeside, fitsIsolate, type BuildBytes } from "../image/memory/isolate.ts";
import type { BuildFailure, MasterPieces, OpenMaster, ReadRange } from "../image/protocol/build.ts";
import type { BuildStage } from "../image/protocol/failure.ts";
import type { NotNow } from "../image/protocol/not-now.ts";
import { BUILDER } from "../limits.ts";
import { failureOf } from "./failures/build-error.ts";
import { LostFramesError } from "./frame-guard.ts";
import { isolateMemory, readBuffers, reserve } from "./isolate.ts";
import type { BuildMemory } from "./memory/build-memory.ts";
import type { Reservation } from "./memory/memory-budget.ts";
import { WorkMeter, yieldToEventLoop } from "./scheduling/work-meter.ts";
import type { BuildContext, ReadFont } from "./streams/build-context.ts";
import { patiently } from "./streams/range-reader.ts";
import { openSource, type Source, SourceLost } from "./streams/source.ts";
import { STALL_MS } from "./streams/source-lost.ts";

/** What is to be read, and how its bytes are reached. */
export interface Master {
  facts: MasterFacts;
  sourceBytes: number;
  /** What is reserved: the peak of the plan. */
  peakBytes: number;
  open: OpenMaster;
  readRange: ReadRange | undefined;
  readFont: ReadFont;
}

/** The master's bytes: pieces, or a stream from an older edge. */
type MasterBytes = ReadableStream<Uint8Array> | MasterPieces;

/** A reservation that shows signs of life until it is released, also while the master or the queue is waited for. */
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
    { bytes, openedInMs }: { bytes: MasterBytes; openedInMs: number },
    yieldOnce: () => Promise<void>,
  ) {
    const { reservation } = room;
    this.#room = room;
    this.#openedInMs = openedInMs;
    const memory = isolateMemory();
    memory.budgetBytes = reservation.budgetBytes;
    const rangeBytes = rangeBytesOf(plan);
    this.source = openSource(bytes, sourceBytes, { buffers: readBuffers, readRange, rangeBytes });
    const work = new WorkMeter(async () => {
      reservation.beat();
      await yieldOnce();
      if (reservation.isTakenBack) throw new Error("the build showed no sign of life and lost its room");
    });
    this.context = { plan, facts, source: this.source, readFont, memory, work };
  }

  /**
   * Makes room for `plan`, and opens the master then. Answers why not when there is none, with the master unopened.
   * @param yieldOnce may throw, to end what is not wanted any more
   * @throws SourceLost when the master cannot be opened
   */
  static async begin<Plan extends BuildPlan | PlaceholderPlan>(
    plan: Plan,
    master: Master,
    yieldOnce: () => Promise<void> = yieldToEventLoop,
  ): Promise<BuildSession<Plan> | NotNow["code"]> {
    const reservation = await reserve(master.peakBytes);
    const room = reservation ? new Room(reservation) : null;
    try {
      const askedAt = Date.now();
      const bytes = room ? await bytesFor(plan, master, room.reservation) : "busy";
      if (room && bytes !== null && typeof bytes !== "string") {
        const opened = { bytes, openedInMs: Date.now() - askedAt };
        return new BuildSession(plan, master, room, opened, yieldOnce);
      }
      room?.release();
      master.readRange?.[Symbol.dispose]?.();
      return typeof bytes === "string" ? bytes : "gone";
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
   * What work that has thrown comes to. To be asked before `end`.
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
    readBuffers.wipe();
    if (heldBytes > 0) this.#room.reservation.finish(heldBytes);
    else this.release();
  }

  /** Nothing of the variant is held any more. */
  release(): void {
    this.#room.release();
  }
}

/** The master's bytes, or why it was not opened; null when it is gone. @throws SourceLost when it cannot be opened */
async function bytesFor(
  plan: BuildPlan | PlaceholderPlan,
  { open }: Master,
  reservation: Reservation,
): Promise<MasterBytes | NotNow["code"] | null> {
  if (isCrowded(plan.memory, isolateMemory(), reservation.budgetBytes)) return "busy";
  const opening = open("pieces");
  const bytes = await patiently(opening, { stallMs: STALL_MS }).catch((cause: unknown) => {
    opening.then(letGo, () => undefined);
    throw new SourceLost(`the master could not be opened: ${String(cause)}`, { cause });
  });
  if (!reservation.isTakenBack) return bytes;
  letGo(bytes);
  return "busy";
}

function letGo(bytes: MasterBytes | null): void {
  if (bytes instanceof ReadableStream) void bytes.cancel().catch(() => undefined);
  else bytes?.[Symbol.dispose]?.();
}

/** Whether the plan has no room now. One that an older edge made, and that may never have any, is tried. */
const isCrowded = (planned: BuildBytes, memory: BuildMemory, budgetBytes: number): boolean =>
  fitsIsolate(planned) && !fitsBeside(planned, memory.memoryBytes, budgetBytes);

function rangeBytesOf(plan: BuildPlan | PlaceholderPlan): number | undefined {
  const decoder = decoderOf(plan);
  return decoder?.name === "png" ? decoder.sideBySide?.rangeBytes : undefined;
}
