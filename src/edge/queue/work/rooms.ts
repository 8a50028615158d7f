/** Asks the rooms of the builder for a build, one after another, until one has place. */
import { buildRoom, type Env } from "../../config.ts";
import type {
  BuildAnswer,
  BuildFailure,
  BuildRoomApi,
  BuiltPart,
  FirstPart,
} from "../../../image/protocol/build.ts";
import type { NotNow } from "../../../image/protocol/not-now.ts";
import { TAKES_BYTES } from "../../../image/protocol/previous-version.ts";
import { inTime, LateError } from "../../../in-time.ts";
import { QUEUE } from "../../../limits.ts";
import type { BuildClock } from "./build-clock.ts";
import type { Lease } from "../schedule/leases.ts";
import { answers, callsFor, type MasterCalls } from "./master-calls.ts";
import type { Outcome } from "./outcome.ts";

export interface Try {
  lease: Lease;
  /** Aborted when the lease ends or the space is removed: the result is not wanted any more. */
  signal: AbortSignal;
  /** Called before each call of a room, so that the lease knows where its build may be running. */
  enterRoom: (room: number) => void;
}

export type Ready = FirstPart & Pick<BuildAnswer, "isolate">;

/** Asks one room after another until one has place. */
export async function askRooms(
  env: Env,
  attempt: Try,
  signal: AbortSignal,
  clock: BuildClock,
): Promise<Ready | Outcome> {
  const { job, lane, room: first, attempts } = attempt.lease;
  const rooms = QUEUE.roomsPerSpace;
  let refused: Refusal = { reason: REFUSALS.busy };
  for (let n = 0; n < rooms; n++) {
    const number = (first + n) % rooms;
    signal.throwIfAborted();
    attempt.enterRoom(number);
    const room = buildRoom(env, job.spaceId, number);
    // Lost before: a builder that is down must not cost the picture its next tries, nor one that is still at it.
    if ((attempts > 1 || lane === "idle") && !(await answers(room))) continue;
    const given = new AbortController();
    const wanted = AbortSignal.any([signal, given.signal]);
    const calls = callsFor(env.BUCKET, job.masterKey, job.order, wanted, clock);
    const asking = ask(room, attempt.lease, calls);
    const answer = await Promise.race([asking, silenceOf(room, calls)]);
    if (answer === null) {
      giveUp(asking, calls, given);
      refused = { reason: "the builder's isolate computes in one piece" };
      continue;
    }
    if (answer.ok) clock.answered(answer.ms, answer.masterMs);
    else clock.answered();
    if (answer.ok) return answer;
    if (answer.code === "failed") return failedBy(answer);
    if (answer.code === "gone") return { state: "gone", reason: "the master's file is gone" };
    refused = { ...answer, reason: REFUSALS[answer.code] };
  }
  const { reason, isolate } = refused;
  return { state: "busy", reason, ...(isolate ? { isolate } : {}) };
}

interface Refusal {
  reason: string;
  isolate?: string;
}

const REFUSALS: Record<Exclude<NotNow["code"], "gone">, string> = {
  busy: "the builder has no room",
  version: "the builder has other encoders",
};

/**
 * Resolves to null if the room does not answer: its isolate computes in one piece, for a room of another space or
 * of this one. Another room may be in another isolate. It never resolves if the room answers, or has opened the master.
 */
function silenceOf(room: BuildRoomApi, calls: MasterCalls): Promise<null> {
  return new Promise((resolve) => {
    inTime(room.ping(), QUEUE.roomAnswerMs).catch((error: unknown) => {
      // Other failures are reported by the build's own call.
      if (error instanceof LateError && !calls.isOpened) resolve(null);
    });
  });
}

/** Gives up a call: the room finds that the master cannot be opened any more, and a late answer is not held. */
function giveUp(asking: Promise<BuildAnswer>, calls: MasterCalls, given: AbortController): void {
  given.abort(new Error("the room did not answer"));
  calls.end();
  asking.then(
    (late) => {
      if (late.ok) letGo(late);
    },
    () => undefined,
  );
}

/** Opens the master only once the room has place. */
async function ask(
  room: BuildRoomApi,
  { job: { order }, busySince }: Lease,
  calls: MasterCalls,
): Promise<BuildAnswer> {
  const waitedMs = busySince === null ? {} : { waitedMs: Date.now() - busySince };
  const waiting = { ...order, ...waitedMs, ...TAKES_BYTES };
  const answer = await room.buildFrom(waiting, calls.open, calls.readRange);
  // Nothing more of the master is read.
  if (!answer.ok || answer.rest === null) calls.end();
  return answer;
}

export function failedBy({
  reason,
  failure,
  learned,
  isolate,
}: BuildFailure & { isolate?: string }): Outcome {
  return {
    state: "failed",
    reason,
    ...failure,
    ...(learned ? { learned } : {}),
    ...(isolate ? { isolate } : {}),
  };
}

/** Lets go of a part that came over RPC, which the other end holds until it is disposed of here. */
export function letGo(part: BuiltPart): void {
  if (!(part.body instanceof Uint8Array) && !part.body.locked) part.body.cancel().catch(() => undefined);
  (part as Partial<Disposable>)[Symbol.dispose]?.();
}
