/** Puts the media lines of an import into a space (RULES 18.5): a new item, or a new file of one, waits for its file. */
import { notFound } from "../../../errors.ts";
import { without } from "../../../content/locales/without.ts";
import type { MediaFacts } from "../../../exchange/lines.ts";
import { FORMATS } from "../../../image/formats/registry.ts";
import type { Copyright } from "../../../image/model/copyright.ts";
import type { MasterFacts } from "../../../image/model/facts.ts";
import { masterFile } from "../../../image/model/variant.ts";
import { EXCHANGE } from "../../../limits.ts";
import { deleteMedia, restoreFromTrash } from "../../media/trash.ts";
import { mediaOf, updateImported } from "../../storage/exchange/media.ts";
import { noteWaiting, waitingOf, type WaitingRow } from "../../storage/exchange/waiting.ts";
import type { MediaRow, MediaWithMaster } from "../../storage/media/media.ts";
import { forgetPicture } from "../../storage/pictures/pictures.ts";
import { WHOLE_SPACE } from "../../storage/spaces/scopes.ts";
import { mediaFacts } from "../media-lines.ts";
import type { ImportContext, Numbered } from "./context.ts";
import type { MediaIn } from "./line-schemas.ts";
import { hasDigest, rowOf } from "./media-row.ts";

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
