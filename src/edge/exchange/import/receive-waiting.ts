/** Receives the file of a media item that waits for it: the item is made, or replaced, with the file (RULES 18.5). */
import { ApiError, notFound } from "../../../errors.ts";
import { focalPointOf } from "../../../image/geometry/focal-point.ts";
import { masterKey } from "../../../image/model/variant.ts";
import type { MasterFacts } from "../../../image/model/facts.ts";
import { DAY_MS } from "../../../limits.ts";
import type { Incoming } from "../../media/incoming.ts";
import { receiveMaster } from "../../media/receive.ts";
import { masterRow, storeOf, type UploadTools } from "../../media/upload.ts";
import type { Space } from "../../spaces/authorize.ts";
import { hex } from "../../spaces/secrets.ts";
import type { Origin } from "../../storage/events/actor.ts";
import { mediaOf, updateImported } from "../../storage/exchange/media.ts";
import {
  claimWaiting,
  insertImported,
  readWaiting,
  type WaitingRow,
} from "../../storage/exchange/waiting.ts";
import { replaceMaster, reserveVersion } from "../../storage/media/master-versions.ts";
import type { MediaRow } from "../../storage/media/media.ts";
import { listedFacts, wordsOfRights } from "../../storage/media/media-facts.ts";
import { readRemoved, unusedVersion } from "../../storage/media/removed-versions.ts";
import { forgetPicture } from "../../storage/pictures/pictures.ts";
import type { MediaIn } from "./line-schemas.ts";
import { rowOf } from "./media-row.ts";

/** Yields the bytes, and fails behind the last one if they are not those of the digest. */
async function* checked(body: AsyncIterable<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const digest = new crypto.DigestStream("SHA-256");
  digest.digest.catch(() => undefined);
  const writer = digest.getWriter();
  for await (const chunk of body) {
    await writer.write(chunk);
    yield chunk;
  }
  await writer.close();
  const found = hex(await digest.digest);
  if (found !== sha256)
    throw new ApiError("INVALID_UPLOAD", `The file has the SHA-256 ${found}, and its line names ${sha256}.`);
}

/** Returns the SHA-256 of a `Content-Digest`, in hexadecimal digits; null if it names none. */
export function digestIn(header: string | null): string | null {
  const found = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/i.exec(header ?? "")?.[1];
  if (found === undefined) return null;
  return hex(Uint8Array.from(atob(found), (byte) => byte.charCodeAt(0)).buffer);
}

/**
 * Takes the file of a media item that waits for it. False if none of this id waits, or if it is another file, of an item
 * that is there.
 * @throws ApiError INVALID_UPLOAD when the digest is missing or another one, and as `receiveMaster`
 */
export async function receiveWaiting(
  space: Space,
  id: string,
  upload: Incoming & { contentDigest: string | null },
  tools: UploadTools & { origin: Origin },
): Promise<boolean> {
  const { db, now } = tools;
  const waiting = await readWaiting(db, space.id, id);
  if (!waiting) return false;
  const isReplaced = (await mediaOf(db, space.id, [id])).has(id);
  if (digestIn(upload.contentDigest) !== waiting.sha256) {
    // An editor replaces the file of an item that is there, whatever an import has begun.
    if (isReplaced) return false;
    throw new ApiError(
      "INVALID_UPLOAD",
      `This media item of an import waits for its file: send it with the Content-Digest of the SHA-256 ${waiting.sha256}.`,
    );
  }
  // The line was checked before it was stored, and times are stored in milliseconds.
  const line = JSON.parse(waiting.line) as MediaIn;
  const removed = isReplaced ? null : await readRemoved(db, space.id, id);
  const version = isReplaced ? await reserveVersion(db, space.id, id) : unusedVersion(removed, line);
  if (version === null) throw notFound("The media item");
  const address = { spaceId: space.id, mediaId: id, version };
  const body = checked(upload.body, waiting.sha256);
  const got = await receiveMaster({ ...upload, body }, address, storeOf(tools));
  const master = masterRow(space, id, version, got, isReplaced ? now() : line.updatedAt);
  const key = masterKey(address, got.file);
  if (isReplaced) await replace(space, { line, waiting }, master, key, got.facts, tools);
  else {
    const row = rowOf(space, line, got.facts.copyright);
    const lastVersion = Math.max(row.lastVersion, version, removed?.lastVersion ?? 0);
    const media: MediaRow = { ...row, ...listedFacts(got.facts), masterVersion: version, lastVersion };
    const by = { origin: tools.origin, now: now() };
    const inserted = await insertImported(db, media, master, { key, awaited: waiting, by });
    if (!inserted && !(await mediaOf(db, space.id, [id])).has(id)) throw notFound("The media item");
  }
  forgetPicture(id);
  return true;
}

async function replace(
  space: Space,
  { line, waiting }: { line: MediaIn; waiting: WaitingRow },
  master: ReturnType<typeof masterRow>,
  key: string,
  facts: MasterFacts,
  { db, now, origin }: UploadTools & { origin: Origin },
): Promise<void> {
  const row = rowOf(space, line);
  const replaced = await replaceMaster(db, master, {
    filename: row.filename,
    alt: row.alt,
    focalPoint: line.focalPoint && focalPointOf(line.focalPoint),
    listed: listedFacts(facts),
    wordsOfRights: wordsOfRights(facts.copyright),
    now: now(),
    retireAt: now() + space.trashRetentionDays * DAY_MS,
    key,
    claim: claimWaiting(waiting),
    origin: { ...origin, isImport: true },
  });
  const item = (await mediaOf(db, space.id, [line.id])).get(line.id);
  if (!replaced && item?.master.sha256 !== master.sha256)
    throw new ApiError("CONFLICT", "The media item was deleted while its file was on the way.");
  if (!item || item.media.masterVersion !== master.version) return;
  // A replacement leaves alt texts of other locales, and sets times to the present. A second run is to find the line. It
  // has its event already.
  const { masterVersion } = item.media;
  const after = { ...item.media, ...rowOf(space, line, facts.copyright), masterVersion };
  await updateImported(db, after, item.media, now(), null);
}
