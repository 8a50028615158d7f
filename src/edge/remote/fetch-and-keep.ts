/** The story of a fetch (RULES 13.4 to 13.6): the rules of the space, the origin, the bytes, the row, the first variant. */
import { ulid } from "ulid";
import { ApiError } from "../../errors.ts";
import type { MasterAddress } from "../../image/model/variant.ts";
import { masterKey } from "../../image/model/variant.ts";
import { REMOTE, UPLOAD } from "../../limits.ts";
import { admissionOf } from "../delivery/deliver.ts";
import { decide } from "../delivery/decide.ts";
import { receiveMaster, type ReceivedMaster } from "../media/receive.ts";
import { UploadMemory, type UploadReservation } from "../media/upload-memory.ts";
import type { FetchOutcome, FetchRequest, Wish } from "../messages.ts";
import type { Database } from "../storage/database/database.ts";
import type { WriterStore } from "../storage/media/master-writer.ts";
import { forgetPicture, type StoredPicture } from "../storage/pictures/pictures.ts";
import {
  askRemoteAgain,
  confirmRemote,
  insertRemote,
  readKnown,
  remoteMasterKey,
  replaceRemote,
  reserveRemoteVersion,
  type KnownRemote,
  type RemoteRow,
} from "../storage/remote/remotes.ts";
import { removeRemote, trimRemotes } from "../storage/remote/removal.ts";
import { forgetPendingDelete, recordPendingDelete } from "../storage/sweep/pending-deletes.ts";
import { FetchFailure, fetchOrigin, type FetchedFile, type FetchTools } from "./fetch-origin.ts";
import { originOf, type OriginRules } from "./origins.ts";
import { isOwnButNoPicture } from "./own-addresses.ts";

export interface KeepTools {
  db: Database;
  bucket: R2Bucket;
  now: () => number;
  fetch: FetchTools["fetch"];
  rules: OriginRules;
}

/** Files of over `headMaxBytes` share this memory, which uploads do not use: a slow origin holds up no upload. */
export const fetchMemory = new UploadMemory(
  { totalBytes: REMOTE.memoryMaxBytes, perSpaceBytes: REMOTE.memoryMaxBytes },
  Date.now,
);

interface Fetching {
  request: FetchRequest;
  known: KnownRemote;
  origin: string;
}

/** Makes one try. @throws what D1 and R2 throw: the queue counts it as a loss */
export async function fetchAndKeep(request: FetchRequest, tools: KeepTools): Promise<FetchOutcome> {
  const known = await readKnown(tools.db, request.spaceId, request.hash);
  if (!known) return { state: "unwanted", reason: "the space was removed" };
  const address = new URL(request.url);
  const origin = originOf(address, known.origins, tools.rules);
  if (origin === null)
    return { state: "unwanted", reason: "the address is not among the origins of the space" };
  const fetching = { request, known, origin };
  try {
    return await keep(fetching, address, tools);
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    await noteFailure(fetching, error, tools);
    return { state: "failed", origin, kind: error.kind, reason: error.message };
  }
}

/**
 * Notes a failed fetch. A file that is gone at its origin goes here too. Any other failure leaves the file that is here
 * in use.
 */
async function noteFailure(
  { request, known }: Fetching,
  { kind }: FetchFailure,
  tools: KeepTools,
): Promise<void> {
  const { db, now } = tools;
  const { spaceId, hash } = request;
  if (!known.remote) return;
  if (kind === "gone") {
    await removeRemote(db, spaceId, hash, { now: now() });
    forgetPicture(known.remote.id);
  } else await askRemoteAgain(db, known.remote.id, now() + REMOTE.staleAgainMs);
}

async function keep(fetching: Fetching, address: URL, tools: KeepTools): Promise<FetchOutcome> {
  const { request, known, origin } = fetching;
  const { db, now, rules } = tools;
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(new Error("time is over")), REMOTE.fetchMaxMs);
  try {
    const asked = await fetchOrigin(address, known.remote, {
      fetch: tools.fetch,
      signal: ended.signal,
      isAllowed: (at) =>
        originOf(at, known.origins, rules) !== null && !isOwnButNoPicture(at, request.ownHosts),
    });
    if (asked.kind === "file") return await keepFile(fetching, asked, tools);
    if (known.remote) {
      const { id, etag, lastModified } = known.remote;
      const at = now();
      await confirmRemote(db, id, { etag, lastModified, fetchedAt: at, freshUntil: at + asked.freshMs });
    }
    return { state: "unchanged", origin };
  } finally {
    clearTimeout(timer);
    ended.abort(new Error("the fetch is over"));
  }
}

async function keepFile(fetching: Fetching, file: FetchedFile, tools: KeepTools): Promise<FetchOutcome> {
  const { request, known, origin } = fetching;
  const { db, now } = tools;
  const { remote } = known;
  const version = remote ? await reserveRemoteVersion(db, remote.id) : 1;
  if (version === null) {
    await file.body.return(undefined);
    return { state: "unwanted", reason: "the picture was removed meanwhile" };
  }
  const at: MasterAddress = { spaceId: request.spaceId, mediaId: remote?.id ?? ulid(now()), version };
  const received = await receive(file, at, tools);
  if (received === "busy") return { state: "busy", reason: "too many files are fetched at once" };
  const row = rowOf(fetching, file, { at, received, now: now() });
  if (received.sizeBytes > known.maxBytes) {
    await forget(row, tools);
    throw new FetchFailure("refused", "the file is larger than what the plan of the space keeps");
  }
  if (remote && remote.sha256 === received.sha256) {
    await forget(row, tools);
    await confirmRemote(db, remote.id, row);
    return { state: "unchanged", origin };
  }
  const isKept = remote ? await replaceRemote(db, row, now()) : await insertRemote(db, row);
  // The sweep removes the bytes.
  if (!isKept) return { state: "unwanted", reason: "the picture was removed, or fetched, meanwhile" };
  await trim(request.spaceId, tools);
  const first = request.wish && firstOf(row, known, request.wish, request.client);
  return { state: "stored", origin, sizeBytes: received.sizeBytes, first };
}

/** Removes the bytes of a file that gets no row. */
async function forget(row: RemoteRow, { db, bucket }: KeepTools): Promise<void> {
  const key = remoteMasterKey(row);
  await bucket.delete(key);
  await forgetPendingDelete(db.$client, key);
}

/** Stores the bytes as those of an upload are stored. @throws FetchFailure */
async function receive(
  file: FetchedFile,
  at: MasterAddress,
  { db, bucket, now }: KeepTools,
): Promise<ReceivedMaster | "busy"> {
  const store: WriterStore = {
    bucket,
    recordKey: (key, uploadId) => recordPendingDelete(db.$client, key, now(), uploadId),
    forgetKey: (key) => forgetPendingDelete(db.$client, key),
  };
  const failed: { by?: FetchFailure } = {};
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      yield* file.body;
    } catch (error) {
      if (error instanceof FetchFailure) failed.by = error;
      throw error;
    }
  }
  try {
    const whole = await readHead(body());
    const reserve = (): UploadReservation | Promise<UploadReservation> =>
      whole.isShort ? fetchMemory.begin(at.spaceId, 0) : fetchMemory.reserve(at.spaceId, UPLOAD.memoryBytes);
    return await receiveMaster({ body: whole.body }, at, store, reserve);
  } catch (error) {
    if (failed.by) throw failed.by;
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "UNAVAILABLE" || error.code === "RATE_LIMITED") return "busy";
    throw new FetchFailure("refused", error.message, error);
  } finally {
    await file.body.return(undefined);
  }
}

/** Reads the beginning of a body, which is most files' whole. */
async function readHead(
  body: AsyncGenerator<Uint8Array>,
): Promise<{ isShort: boolean; body: AsyncGenerator<Uint8Array> }> {
  const head: Uint8Array[] = [];
  let bytes = 0;
  let isShort = false;
  while (bytes <= REMOTE.headMaxBytes && !isShort) {
    const step = await body.next();
    if (step.done === true) isShort = true;
    else {
      head.push(step.value);
      bytes += step.value.byteLength;
    }
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield* head.splice(0);
    yield* body;
  }
  return { isShort, body: whole() };
}

interface Received {
  at: MasterAddress;
  received: ReceivedMaster;
  now: number;
}

const rowOf = (
  { request, known, origin }: Fetching,
  { etag, lastModified, freshMs }: FetchedFile,
  { at, received, now }: Received,
): RemoteRow => ({
  spaceId: request.spaceId,
  hash: request.hash,
  id: at.mediaId,
  url: request.url,
  origin,
  version: at.version,
  lastVersion: at.version,
  file: received.file,
  sizeBytes: received.sizeBytes,
  sha256: received.sha256,
  facts: JSON.stringify(received.facts),
  etag,
  lastModified,
  fetchedAt: now,
  freshUntil: now + freshMs,
  askedAt: known.remote?.askedAt ?? now,
});

/** Keeps the space within its plan. What a run leaves is left to the sweep. */
async function trim(spaceId: string, { db, now }: KeepTools): Promise<void> {
  for (let batch = 0; batch < REMOTE.trimBatchesMax; batch++)
    if ((await trimRemotes(db, spaceId, now(), REMOTE.removedPerBatch)) < REMOTE.removedPerBatch) return;
}

/** Returns the build that the request of the fetch asked for; null if there is none to be made. */
function firstOf(row: RemoteRow, known: KnownRemote, wish: Wish, client: string) {
  const { aspectRatios, backgrounds, metadata, gamut } = known;
  const { spaceId, id, version, file, sizeBytes, url, freshUntil, askedAt } = row;
  const at = { spaceId, mediaId: id, version };
  const picture: StoredPicture = {
    ...at,
    facts: JSON.parse(row.facts) as StoredPicture["facts"],
    focalPoint: null,
    aspectRatios,
    backgrounds,
    metadata,
    gamut,
    sizeBytes,
    isMissing: false,
    masterKey: masterKey(at, file),
    variants: new Map(),
    remote: { url, freshUntil, askedAt, notedAfterMs: REMOTE.askingNotedMs },
  };
  try {
    const decision = decide(picture, wish);
    return decision.kind === "cold" ? admissionOf(picture, decision, { ...wish, client }) : null;
  } catch (error) {
    // An animation that would lose its frames: the next request is told so.
    if (error instanceof ApiError) return null;
    throw error;
  }
}
