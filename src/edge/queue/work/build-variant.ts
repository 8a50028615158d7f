/** One try at one build: it sends the master to a room of the builder, stores the answer in R2, and a row in D1. */
import type { Env } from "../../config.ts";
import type { BuildFacts, BuiltPart, RestOfBuild } from "../../../image/protocol/build.ts";
import { ENCODER_VERSION, parseVariantFile, QUICK_ENCODER_VERSION } from "../../../image/model/variant.ts";
import { QUEUE, VARIANT } from "../../../limits.ts";
import { d1OfSpace } from "../../shards/where.ts";
import { hastenPendingDelete, recordPendingDelete } from "../../storage/sweep/pending-deletes.ts";
import { VariantUpload } from "../../storage/pictures/variant-upload.ts";
import { learnFacts } from "../../storage/pictures/learned-facts.ts";
import { commitVariant, findVariant, isPresent, putVariant } from "../../storage/pictures/variants.ts";
import { BuildClock } from "./build-clock.ts";
import type { Lease } from "../schedule/leases.ts";
import { aborted } from "./master-calls.ts";
import type { Outcome } from "./outcome.ts";
import { askRooms, failedBy, letGo, type Ready, type Try } from "./rooms.ts";

/** @throws whatever R2, D1 or the builder's stub throw: the caller counts it as a loss */
export async function buildVariant(env: Env, attempt: Try): Promise<Outcome> {
  const { job, busySince } = attempt.lease;
  const version = parseVariantFile(job.file)?.encoderVersion;
  if (version !== ENCODER_VERSION && version !== QUICK_ENCODER_VERSION) {
    return { state: "gone", reason: "it was ordered of other encoders" };
  }
  if (attempt.lease.lane === "idle" && (await isFresh(env, job))) {
    return { state: "gone", reason: "it is there already" };
  }
  if (
    Date.now() - job.admittedAt >= QUEUE.waitedMs &&
    !(await isPresent(await d1OfSpace(env, job.spaceId), job))
  ) {
    return { state: "gone", reason: "the master was removed before the build" };
  }
  const fed = new AbortController();
  const clock = new BuildClock();
  try {
    const asking = askRooms(env, attempt, AbortSignal.any([attempt.signal, fed.signal]), clock);
    // Beside the build: it only has to be written before the bytes are. A job that was busy before has written it.
    const intended = busySince === null ? intend(env, job) : Promise.resolve();
    intended.catch(() => undefined);
    const answer = await asking;
    if (!("state" in answer)) return await store(env, attempt, { answer, intended, clock });
    if (answer.state === "failed" && answer.learned)
      await learnFacts(await d1OfSpace(env, job.spaceId), job, answer.learned);
    if (answer.state === "busy") await intended;
    return answer;
  } finally {
    fed.abort();
  }
}

/** Returns whether a build ahead is done already: by a visitor's request, or by a try that a crash cut off. */
async function isFresh(env: Env, job: Lease["job"]): Promise<boolean> {
  const d1 = await d1OfSpace(env, job.spaceId);
  return (await findVariant(d1, job, Date.now() + VARIANT.renewBeforeMs)) !== null;
}

const intend = async (env: Env, { spaceId, key }: Lease["job"]): Promise<void> =>
  recordPendingDelete(await d1OfSpace(env, spaceId), key, Date.now());

interface Storing {
  answer: Ready;
  intended: Promise<void>;
  clock: BuildClock;
}

async function store(env: Env, attempt: Try, { answer, intended, clock }: Storing): Promise<Outcome> {
  const { lease, signal } = attempt;
  const { job } = lease;
  try {
    await intended;
    signal.throwIfAborted();
    const stored = answer.rest
      ? await storeInParts(env, attempt, answer, answer.rest)
      : await storeWhole(env, attempt, answer, answer.facts);
    if ("state" in stored) return stored;
    clock.ended("put");
    signal.throwIfAborted();
    const { sizeBytes, peakBytes, learned } = stored;
    if (learned) await learnFacts(await d1OfSpace(env, job.spaceId), job, learned);
    const d1 = await d1OfSpace(env, job.spaceId);
    const commit = await commitVariant(d1, job, sizeBytes, Date.now());
    clock.ended("row");
    if (!commit.ok) {
      // Its failure must not make a lost build of a removed master: the bytes then wait for the day that they have anyway.
      await hastenPendingDelete(d1, job.key, Date.now()).catch(() => undefined);
      return { state: "gone", reason: "the master was removed during the build" };
    }
    const { isolate } = answer;
    return {
      state: "built",
      sizeBytes,
      peakBytes,
      ms: clock.times,
      evicted: commit.evicted,
      ...(isolate ? { isolate } : {}),
    };
  } finally {
    letGo(answer);
  }
}

type Stored = { sizeBytes: number } & Pick<BuildFacts, "peakBytes" | "learned">;

async function storeWhole(
  env: Env,
  { lease: { job, lane }, signal }: Try,
  { body, byteLength }: BuiltPart,
  facts: BuildFacts,
): Promise<Stored> {
  const { key, format } = job;
  // The bucket removes objects by their age: a renewed one is written anew.
  const whole = { key, format, body, byteLength, replaces: lane === "idle" };
  return { ...facts, sizeBytes: await putVariant(env.BUCKET, whole, signal) };
}

/** Asks for each part once the one before is stored. A build that fails leaves nothing behind. */
async function storeInParts(
  env: Env,
  { lease: { job }, signal }: Try,
  first: BuiltPart,
  rest: RestOfBuild,
): Promise<Stored | Outcome> {
  const over = aborted(signal);
  over.catch(() => undefined);
  const upload = await VariantUpload.begin(
    { bucket: env.BUCKET, d1: await d1OfSpace(env, job.spaceId) },
    job.key,
    job.format,
    Date.now(),
  );
  try {
    await upload.add(first.body, first.byteLength, signal);
    for (;;) {
      const part = await Promise.race([rest.next(), over]);
      if (!part.ok) {
        await upload.abort();
        return failedBy(part);
      }
      try {
        await upload.add(part.body, part.byteLength, signal);
      } finally {
        letGo(part);
      }
      signal.throwIfAborted();
      if (part.facts) return { ...part.facts, sizeBytes: await upload.complete() };
    }
  } catch (error) {
    await upload.abort();
    throw error;
  }
}
