/** One try at one build: master bytes to a room of the builder, its answer to R2, a row to D1. */
import { buildRoom, type Env } from "../config.ts";
import type { BuildAnswer } from "../image/build.ts";
import { intend } from "../storage/doomed.ts";
import { commitVariant, putVariant } from "../storage/variants.ts";
import { answers, handOver } from "./hand-over.ts";
import { ROOMS, type Lease } from "./leases.ts";
import type { Outcome } from "./outcome.ts";

export interface Try {
  lease: Lease;
  /** Aborted when the lease is over or the space is removed: whatever still comes is not wanted. */
  signal: AbortSignal;
  /** Called before a room is, so that the lease knows where its build may be running. */
  enterRoom: (room: number) => void;
}

type Ready = Extract<BuildAnswer, { ok: true }>;

/** @throws whatever R2, D1 or the builder's stub throw: the caller counts it as a loss */
export async function buildVariant(env: Env, attempt: Try): Promise<Outcome> {
  const { job, busySince } = attempt.lease;
  // Beside the build, as it only has to be there before the bytes are. A job that was put back as busy has it.
  const intended = busySince === null ? intend(env.DB, job.key, Date.now()) : Promise.resolve();
  intended.catch(() => undefined);
  const fed = new AbortController();
  try {
    const answer = await askRooms(env, attempt, AbortSignal.any([attempt.signal, fed.signal]));
    if (!("state" in answer)) return await store(env, attempt, answer, intended);
    if (answer.state === "busy") await intended;
    return answer;
  } finally {
    fed.abort();
  }
}

/** Asks one room after the other until one has place. */
async function askRooms(env: Env, attempt: Try, signal: AbortSignal): Promise<Ready | Outcome> {
  const { job, room: first, attempts } = attempt.lease;
  for (let n = 0; n < ROOMS; n++) {
    const number = (first + n) % ROOMS;
    signal.throwIfAborted();
    attempt.enterRoom(number);
    const room = buildRoom(env, job.spaceId, number);
    // Lost before: a builder that is down must not cost the picture its next tries, nor one that is still at it.
    if (attempts > 1 && !(await answers(room))) continue;
    const master = await env.BUCKET.get(job.masterKey);
    signal.throwIfAborted();
    if (!master) return { state: "gone", reason: "the master's file is gone" };
    const answer = await handOver(master.body as ReadableStream<Uint8Array>, signal, (body) =>
      room.build(job.order, body),
    );
    if (answer.ok) return answer;
    if (answer.code === "failed") return { state: "failed", reason: answer.reason };
  }
  return { state: "busy", reason: "the builder has no room" };
}

async function store(env: Env, attempt: Try, answer: Ready, intended: Promise<void>): Promise<Outcome> {
  const { lease, signal } = attempt;
  const { job } = lease;
  try {
    await intended;
    signal.throwIfAborted();
    const sizeBytes = await putVariant(
      env.BUCKET,
      job.key,
      job.format,
      answer.body,
      answer.byteLength,
      signal,
    );
    signal.throwIfAborted();
    const commit = await commitVariant(env.DB, job, sizeBytes, Date.now());
    if (!commit.ok) return { state: "gone", reason: "the master was removed during the build" };
    return { state: "built", sizeBytes, peakBytes: answer.facts.peakBytes, evicted: commit.evicted };
  } finally {
    if (!answer.body.locked) answer.body.cancel().catch(() => undefined);
    (answer as Partial<Disposable>)[Symbol.dispose]?.();
  }
}
