/**
 * Answers a request for a picture or a file, whether it comes through the edge's cache or not. This is the hot path: it
 * uses no router and no schema library, and no D1 if the isolate remembers the picture.
 */
import { ApiError, notFound } from "../../errors.ts";
import { masterKey, parseVariantFile, variantKey } from "../../image/model/variant.ts";
import { isNegotiated } from "../../image/parameters/table.ts";
import { CACHE } from "../../limits.ts";
import { spaceQueue } from "../config.ts";
import { deliver, type DeliveryTools } from "../delivery/deliver.ts";
import { pictureAddress } from "../delivery/expired.ts";
import { forgetMissingVariant } from "../delivery/missing-bytes.ts";
import { isFinal, outcomeHeaders, type Outcome } from "../delivery/outcome.ts";
import { serveFile } from "../delivery/serve-file.ts";
import { serveOutcome } from "../delivery/serve-outcome.ts";
import { deliverRemote } from "../remote/deliver-remote.ts";
import { redirectBaseOf } from "../http/addresses.ts";
import { isInSample } from "../http/answers/log-sample.ts";
import { databaseCount, shardD1 } from "../shards/bindings.ts";
import { d1OfSpace, lookInSpace } from "../shards/where.ts";
import { countedD1, database, type Database } from "../storage/database/database.ts";
import { findFile, type FileLookup } from "../storage/pictures/files.ts";
import {
  pictureSource,
  type FoundPicture,
  type PictureQuery,
  type PictureSource,
  withBuilt,
} from "../storage/pictures/pictures.ts";
import { readDatabase } from "../storage/database/read-database.ts";
import { findRemoteSpace, knowsRemoteSpace, remotePictureQuery } from "../storage/remote/remote-pictures.ts";
import { noteAsking } from "../storage/remote/remotes.ts";
import type { Call } from "./call.ts";
import type { Answered } from "./answered.ts";
import { copyOfFile, copyOfOutcome, NOT_KEPT } from "./edge-copy.ts";
import { remoteAnswer } from "./remote-answer.ts";
import type { Asked, AskedFile, AskedPicture, AskedRemote } from "./target.ts";

/**
 * @param request only its method, conditions and range matter
 * @throws ApiError NOT_FOUND, ORIGIN_NOT_ALLOWED, INVALID_PARAMETER for an animation that would lose its frames, UNAVAILABLE when D1 does
 * not answer and this isolate does not hold what is asked for
 */
export function answer(request: Request, asked: Asked, call: Call): Promise<Answered> {
  if ("file" in asked) return answerWithFile(request, asked, call);
  return asked.kind === "remote" ? answerWithRemote(asked, call) : answerWithPicture(request, asked, call);
}

async function answerWithPicture(request: Request, asked: AskedPicture, call: Call): Promise<Answered> {
  const outcome = await decide(asked, call);
  const now = Date.now();
  if (asked.kind === "redirect") {
    const Location = `${redirectBaseOf(call.env)}/${outcome.key}`;
    const headers = { Location, ...outcomeHeaders(outcome, now) };
    return answered(new Response(null, { status: 302, headers }), outcome, now);
  }
  const tools = { db: () => databaseOf(call, outcome.picture.spaceId), bucket: call.env.BUCKET, now };
  const named = { version: asked.version, hasFocalPoint: asked.parameters.focalPoint !== null };
  const served = await serveOutcome(request, outcome, named, tools);
  return answered(served.response, served.outcome, now);
}

const answered = (response: Response, outcome: Outcome, now: number): Answered => ({
  response,
  state: outcome.state,
  isFinal: isFinal(outcome),
  copy: copyOfOutcome(outcome, now),
});

async function answerWithRemote(asked: AskedRemote, call: Call): Promise<Answered> {
  const { env, client, arrivedAt, ofPrimary, ownHosts, queryCount } = call;
  const outcome = await deliverRemote(
    { ...asked, client, arrivedAt, ofPrimary },
    {
      ...toolsOf(call, remotePictureQuery),
      findSpace: (name, ofPrimary) =>
        lookInSpace(
          env,
          { name },
          queryCount,
          (shard) =>
            findRemoteSpace(readDatabase(shardD1(env, shard), queryCount), name, Date.now(), ofPrimary),
          { isFound: (found) => found !== null, absent: null, againAfterMs: CACHE.missingMs },
        ),
      // With several databases, the look for the space learns which one it is.
      mayLookAhead: (name) => databaseCount(env) === 1 && !knowsRemoteSpace(name, Date.now()),
      noteAsking: async (spaceId, id) => noteAsking(await databaseOf(call, spaceId), id, Date.now()),
      ownHosts,
      rules: { isTesting: env.REMOTE_TEST_ORIGINS === "1" },
    },
  );
  const negotiated = isNegotiated(asked.parameters);
  return remoteAnswer(outcome, { base: redirectBaseOf(env), negotiated, now: Date.now() });
}

function decide(asked: AskedPicture, call: Call): Promise<Outcome> {
  const { client, arrivedAt, ofPrimary } = call;
  return deliver({ ...asked, client, arrivedAt, ofPrimary }, toolsOf(call));
}

function toolsOf(call: Call, query?: PictureQuery): DeliveryTools {
  const { env, requestId } = call;
  return {
    pictures: picturesOf(call, query),
    queueOf: (spaceId) => spaceQueue(env, spaceId),
    now: Date.now,
    waitUntil: (work) => call.waitUntil(work),
    log: (event) => console.error(JSON.stringify({ ...event, requestId })),
    note(event) {
      if (isInSample(env)) console.log(JSON.stringify({ ...event, requestId }));
    },
  };
}

/** Returns the pictures of all spaces, each looked for in its space's database. */
function picturesOf({ env, queryCount }: Call, query?: PictureQuery): PictureSource {
  const sourceOf = (shard: number): PictureSource =>
    pictureSource(readDatabase(shardD1(env, shard), queryCount), Date.now, query);
  // The place of a remote picture's space is known by then, and most that are not found were not fetched yet.
  const isFound = (found: FoundPicture | null): boolean => found !== null || query !== undefined;
  const looking = { isFound, absent: null, againAfterMs: CACHE.missingMs };
  return {
    get: (address) =>
      lookInSpace(
        env,
        { name: address.spaceName },
        queryCount,
        // The look before has this isolate remember that the picture is missing.
        (shard, isAgain) => (isAgain ? sourceOf(shard).refresh(address) : sourceOf(shard).get(address)),
        looking,
      ),
    refresh: (address) =>
      lookInSpace(
        env,
        { name: address.spaceName },
        queryCount,
        (shard) => sourceOf(shard).refresh(address),
        looking,
      ),
    withBuilt,
  };
}

const databaseOf = async ({ env, queryCount }: Call, spaceId: string): Promise<Database> =>
  database(countedD1(await d1OfSpace(env, spaceId), queryCount));

async function answerWithFile(request: Request, asked: AskedFile, call: Call): Promise<Answered> {
  const { kind, address, file } = asked;
  const found = await find(asked, call);
  if (found.kind === "unknown") throw notFound("The file");
  const key = (kind === "master" ? masterKey : variantKey)(address, file);
  const serve = (sizeBytes: number | null, seconds: string): Promise<Response | null> => {
    const caching = { "Cache-Control": `public, max-age=${seconds}` };
    return serveFile(request, call.env.BUCKET, { key, file, sizeBytes }, caching);
  };
  if (found.kind === "file") {
    const response = await serve(found.file.sizeBytes, `${CACHE.variantSeconds}, immutable`);
    if (response) return { response, state: null, isFinal: true, copy: copyOfFile(address, found.from) };
    if (kind === "master") throw notFound("The file");
    await forgetMissingVariant(() => databaseOf(call, address.spaceId), address, file, Date.now());
  } else if (found.mayHaveBytes) {
    // The variant was evicted a moment ago. Earlier redirects still lead here, so a redirect would make a loop.
    const response = await serve(null, String(CACHE.redirectSeconds));
    if (response) return { response, state: null, isFinal: false, copy: NOT_KEPT };
  }
  const parsed = parseVariantFile(file);
  if (!parsed) throw notFound("The file");
  const space = found.kind === "file" ? found.file : found;
  const Location = pictureAddress(space, address.mediaId, parsed);
  const response = new Response(null, { status: 302, headers: { Location, "Cache-Control": "no-store" } });
  return { response, state: null, isFinal: false, copy: NOT_KEPT };
}

async function find({ kind, address, file }: AskedFile, call: Call): Promise<FileLookup> {
  const { env, queryCount, ofPrimary } = call;
  try {
    return await lookInSpace<FileLookup>(
      env,
      { id: address.spaceId },
      queryCount,
      (shard) => {
        const db = readDatabase(shardD1(env, shard), queryCount);
        return findFile(db, address, file, kind, Date.now(), ofPrimary);
      },
      {
        isFound: ({ kind }) => kind !== "unknown",
        absent: { kind: "unknown" },
        againAfterMs: CACHE.missingMs,
      },
    );
  } catch (cause) {
    const message = "The file cannot be looked up at the moment. Try again.";
    throw new ApiError("UNAVAILABLE", message, { cause, headers: { "Retry-After": "1" } });
  }
}
