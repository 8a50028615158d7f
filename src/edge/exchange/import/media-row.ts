/** The row of a media item that an import writes, and the digests of its file. */
import { focalPointOf } from "../../../image/geometry/focal-point.ts";
import type { Copyright } from "../../../image/model/copyright.ts";
import { cleanFilename } from "../../media/filename.ts";
import type { Space } from "../../spaces/authorize.ts";
import { actorColumn } from "../../storage/events/actor.ts";
import type { MediaRow, MediaWithMaster } from "../../storage/media/media.ts";
import { foldedNames, wordsOfMedia } from "../../storage/media/media-facts.ts";
import type { MediaIn } from "./line-schemas.ts";

/** Returns the columns that a line has, with the words of the file's rights; others of the file come with the file. */
export function rowOf(
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

/** Returns whether a file is that of a digest, as it is stored or as it was sent. */
export const hasDigest = ({ sha256, sentSha256 }: MediaWithMaster["master"], digest: string): boolean =>
  digest === sha256 || digest === sentSha256;
