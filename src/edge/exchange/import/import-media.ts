/** Puts media into a space (RULES 18.5): a line waits for its file, and becomes an item once that has come. */
import { ApiError, notFound } from "../../../errors.ts";
import { without } from "../../../content/locales/without.ts";
import { focalPointOf } from "../../../image/geometry/focal-point.ts";
import { FORMATS } from "../../../image/formats/registry.ts";
import { masterFile, masterKey } from "../../../image/model/variant.ts";
import { DAY_MS, EXCHANGE } from "../../../limits.ts";
import type { MediaFacts } from "../../../exchange/lines.ts";
import { cleanFilename } from "../../media/filename.ts";
import { deleteMedia, restoreFromTrash } from "../../media/trash.ts";
import type { Incoming } from "../../media/incoming.ts";
import { receiveMaster } from "../../media/receive.ts";
import { masterRow, storeOf, type UploadTools } from "../../media/upload.ts";
import type { Space } from "../../spaces/authorize.ts";
import { hex } from "../../spaces/secrets.ts";
import { actorColumn, type Origin } from "../../storage/events/actor.ts";
import { mediaOf, updateImported } from "../../storage/exchange/media.ts";
import {
  claimWaiting,
  insertImported,
  noteWaiting,
  readWaiting,
  waitingOf,
  type WaitingRow,
} from "../../storage/exchange/waiting.ts";
import type { Copyright } from "../../../image/model/copyright.ts";
import type { MasterFacts } from "../../../image/model/facts.ts";
import type { MediaRow, MediaWithMaster } from "../../storage/media/media.ts";
import { foldedNames, listedFacts, wordsOfMedia, wordsOfRights } from "../../storage/media/media-facts.ts";
import { WHOLE_SPACE } from "../../storage/spaces/scopes.ts";
import { replaceMaster, reserveVersion } from "../../storage/media/master-versions.ts";
import { readRemoved, unusedVersion } from "../../storage/media/removed-versions.ts";
import { forgetPicture } from "../../storage/pictures/pictures.ts";
import { mediaFacts } from "../media-lines.ts";
import type { ImportContext, Numbered } from "./context.ts";
import type { MediaIn } from "./line-schemas.ts";

/** Returns the columns that a line has, with the words of the file's rights; others of the file come with the file. */
function rowOf(
  space: Space,
  line: MediaIn,
  copyright?: Copyright,
): Omit<MediaRow, "mime" | "width" | "height" | "animated"> {
  const filename = cleanFilename(line.filename) ?? line.id;
  const point = line.focalPoint && focalPointOf(line.focalPoint);
  const isTrashed = line.kind === "trash";
  const alts = Object.keys(line.alts ?? {}).length > 0 ? JSON.stringify(line.alts) : null;
  return {
    id: line.id,
    spaceId: space.id,
    filename,
    alt: line.alt,
    alts,
    focalX: point?.x ?? null,
    focalY: point?.y ?? null,
    folded: foldedNames(filename, line.alt, line.alts),
    words: wordsOfMedia(filename, line, copyright),
    seq: null,
    masterVersion: line.masterVersion,
    lastVersion: Math.max(line.lastVersion, line.masterVersion),
    createdAt: line.createdAt,
    updatedAt: line.updatedAt,
    deletedAt: isTrashed ? line.deletedAt : null,
    purgeAt: isTrashed ? line.expiresAt : null,
    createdBy: line.createdBy ? actorColumn(line.createdBy) : null,
    updatedBy: line.updatedBy ? actorColumn(line.updatedBy) : null,
  };
}

const copyrightOf = ({ master }: MediaWithMaster): Copyright | undefined =>
  (JSON.parse(master.facts) as MasterFacts).copyright;

/** Returns what a line says of an item beside its file. */
function factsOf(facts: MediaFacts, { deletedAt, purgeAt }: Pick<MediaRow, "deletedAt" | "purgeAt">): string {
  return JSON.stringify({ ...without(facts, "sha256", "sizeBytes", "mime"), deletedAt, purgeAt });
}

/** Returns the same without versions and times, which are the space's own after it was overwritten. */
const lastingFactsOf = ({ filename, alt, alts, focalPoint }: MediaFacts): string =>
  JSON.stringify([filename, alt, alts, focalPoint]);

const SVG = FORMATS.svg.mime;

/** Returns whether a file is that of a digest, as it is stored or as it was sent. */
export const hasDigest = ({ sha256, sentSha256 }: MediaWithMaster["master"], digest: string): boolean =>
  digest === sha256 || digest === sentSha256;

/**
 * Returns whether a drawing may be the file of a line. It is stored as the sanitizer wrote it, and of one from before the
 * digests of sent files were stored, no one knows what was sent.
 */
function mayBeFile({ media, master }: MediaWithMaster, line: MediaIn): boolean {
  const { mime = SVG } = line;
  const isOldDrawing = master.file === masterFile("svg") && master.sentSha256 === null;
  return isOldDrawing && media.masterVersion === line.masterVersion && mime === SVG;
}

/** Returns the difference between an item and a line: its file, its facts alone, or null for none. */
function differenceOf(
  { space, isOverwriting }: Pick<ImportContext, "space" | "isOverwriting">,
  held: MediaWithMaster,
  line: MediaIn,
): "file" | "facts" | null {
  const theirs = mediaFacts(held);
  const named = { ...held.media, ...rowOf(space, line) };
  // The same file may stand under another number: one that no other file had (see `unusedVersion`).
  const { masterVersion, lastVersion } = held.media;
  const row = { ...named, masterVersion, lastVersion: Math.max(lastVersion, line.lastVersion) };
  const ours = mediaFacts({ media: row, master: held.master });
  // An import that overwrites sends a file that may be another one: then its digest is known the next time.
  if (!hasDigest(held.master, line.sha256) && (isOverwriting || !mayBeFile(held, line))) return "file";
  if (isOverwriting && held.media.deletedAt === null && line.kind === "media")
    return lastingFactsOf(ours) === lastingFactsOf(theirs) ? null : "facts";
  return factsOf(ours, row) === factsOf(theirs, held.media) ? null : "facts";
}

/** Takes an item out of the trash. */
async function restored(
  { db, space, origin, now }: ImportContext,
  item: MediaWithMaster,
): Promise<MediaWithMaster> {
  await restoreFromTrash(db, space, item.media.id, { origin, now: now() });
  return { ...item, media: { ...item.media, deletedAt: null, purgeAt: null } };
}

/** Returns whether an item and its line are both in the trash and have the same file: since when is no difference. */
const isSameTrash = ({ media, master }: MediaWithMaster, line: MediaIn): boolean =>
  media.deletedAt !== null && line.kind === "trash" && hasDigest(master, line.sha256);

export async function importMedia(
  context: ImportContext,
  lines: readonly Numbered<MediaIn>[],
): Promise<void> {
  for (let at = 0; at < lines.length; at += EXCHANGE.mediaPerWrite) {
    const slice = lines.slice(at, at + EXCHANGE.mediaPerWrite);
    if (context.isSpent) context.leave(slice);
    else await importSlice(context, slice);
  }
}

async function importSlice(context: ImportContext, slice: readonly Numbered<MediaIn>[]): Promise<void> {
  const { db, report, space } = context;
  const ids = slice.map(({ line }) => line.id);
  const [held, waiting] = [await mediaOf(db, space.id, ids), await waitingOf(db, space.id, ids)];
  const fresh: WaitingRow[] = [];
  const seen = new Set<string>();
  for (const { n, line } of slice) {
    if (seen.has(line.id)) {
      report.refuse(n, "id", `${line.id} stands on an earlier line too`);
      continue;
    }
    seen.add(line.id);
    if (context.isSpent) {
      context.leave([{ n }]);
      continue;
    }
    try {
      if (!(await importItem(context, { n, line }, held.get(line.id)))) continue;
    } catch (error) {
      // Another request may have removed the item since it was read.
      report.refuseError(n, error, "id");
      continue;
    }
    const text = JSON.stringify(line);
    report.waits(line.id, line.sha256);
    if (waiting.get(line.id)?.line === text) report.unchanged();
    else {
      const { id: spaceId } = space;
      const expiresAt = context.now() + EXCHANGE.waitingMs;
      fresh.push({ spaceId, mediaId: line.id, sha256: line.sha256, line: text, expiresAt });
    }
  }
  if (fresh.length === 0) return;
  const noted = fresh.map(({ mediaId }) => mediaId);
  if (!(await noteWaiting(db, fresh, (condition) => context.event(noted, condition))))
    throw notFound("The space");
  for (const { mediaId } of fresh) report.imported(mediaId);
}

/** Does what a line asks for without its file. @returns whether the line waits for that */
async function importItem(
  context: ImportContext,
  { n, line }: Numbered<MediaIn>,
  there: MediaWithMaster | undefined,
): Promise<boolean> {
  const { db, report, space } = context;
  const isRestored = context.isOverwriting && there?.media.deletedAt != null && line.kind === "media";
  const item = there && isRestored ? await restored(context, there) : there;
  if (!item) return true;
  const difference = differenceOf(context, item, line);
  if (isRestored && difference === null) report.imported(line.id);
  else if (difference === null) report.unchanged();
  else if (context.isOverwriting && item.media.deletedAt === null && line.kind === "trash") {
    const by = { origin: context.origin, now: context.now() };
    await deleteMedia(db, space, line.id, { ...by, ifUnreferenced: false, scopes: WHOLE_SPACE });
    report.imported(line.id);
  } else if (context.isOverwriting && isSameTrash(item, line)) report.unchanged();
  else if (!context.isOverwriting || item.media.deletedAt !== null)
    report.differs(n, "id", `the space has another media item ${line.id}`);
  else if (difference === "facts") {
    const { masterVersion } = item.media;
    const row = { ...item.media, ...rowOf(space, line, copyrightOf(item)), masterVersion };
    const isUpdated = await updateImported(db, row, item.media, context.now(), (condition) =>
      context.event([line.id], condition),
    );
    forgetPicture(line.id);
    if (isUpdated) report.imported(line.id);
    else report.refuse(n, "id", "was changed by another request meanwhile. Send the line again");
  } else return true;
  return false;
}

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
