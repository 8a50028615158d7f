/** One try at one build: master bytes to a room of the builder, its answer to R2, a row to D1. */
import { buildRoom, type Env } from "../config.ts";
import type { BuildAnswer, BuildFacts, BuiltPart, RestOfBuild } from "../../image/protocol/build.ts";
import { intend } from "../storage/pending-deletes.ts";
import { VariantUpload } from "../storage/variant-upload.ts";
import { commitVariant, putVariant } from "../storage/variants.ts";
import { aborted, answers, handOver, rangesOf } from "./stream-master.ts";
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
      room.build(job.order, body, rangesOf(env.BUCKET, job.masterKey, job.order.facts, signal)),
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
    const stored = answer.rest
      ? await storeInParts(env, attempt, answer, answer.rest)
      : await storeWhole(env, attempt, answer, answer.facts);
    if ("state" in stored) return stored;
    signal.throwIfAborted();
    const { sizeBytes, peakBytes } = stored;
    const commit = await commitVariant(env.DB, job, sizeBytes, Date.now());
    if (!commit.ok) return { state: "gone", reason: "the master was removed during the build" };
    return { state: "built", sizeBytes, peakBytes, evicted: commit.evicted };
  } finally {
    letGo(answer);
  }
}

interface Stored {
  sizeBytes: number;
  peakBytes: number;
}

async function storeWhole(
  env: Env,
  { lease: { job }, signal }: Try,
  { body, byteLength }: BuiltPart,
  { peakBytes }: BuildFacts,
): Promise<Stored> {
  const { key, format } = job;
  return { sizeBytes: await putVariant(env.BUCKET, key, format, body, byteLength, signal), peakBytes };
}

/** Asks for one part after the other, each when the one before is stored. Of a build that fails nothing is left. */
async function storeInParts(
  env: Env,
  { lease: { job }, signal }: Try,
  first: BuiltPart,
  rest: RestOfBuild,
): Promise<Stored | Outcome> {
  const over = aborted(signal);
  over.catch(() => undefined);
  const upload = await VariantUpload.begin(env, job.key, job.format, Date.now());
  try {
    await upload.add(first.body, first.byteLength, signal);
    for (;;) {
      const part = await Promise.race([rest.next(), over]);
      if (!part.ok) {
        await upload.abort();
        return { state: "failed", reason: part.reason };
      }
      try {
        await upload.add(part.body, part.byteLength, signal);
      } finally {
        letGo(part);
      }
      signal.throwIfAborted();
      if (part.facts) return { sizeBytes: await upload.complete(), peakBytes: part.facts.peakBytes };
    }
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

/** What came over RPC is held at its other end until it is disposed of. */
function letGo(part: BuiltPart): void {
  if (!part.body.locked) part.body.cancel().catch(() => undefined);
  (part as Partial<Disposable>)[Symbol.dispose]?.();
}
