/** Reads of image delivery about pictures of other servers: the picture of an address, and what a space allows. */
import { sql, type SQL } from "drizzle-orm";
import { CACHE, REMOTE } from "../../../limits.ts";
import { inTime } from "../../../in-time.ts";
import { ExpiringMap } from "../database/expiring-map.ts";
import { readRow, readRowOfPrimary, type ReadDatabase, type ReadFrom } from "../database/read-database.ts";
import type { PictureQuery } from "../pictures/pictures.ts";
import { variantsOf } from "../pictures/wanted-variants.ts";
import { aspectRatiosIn, backgroundsIn } from "../spaces/spaces.ts";
import { picturesOf } from "./removal.ts";
import { originsIn } from "./remotes.ts";

const number = (value: number): SQL => sql.raw(String(value));

/** How old the noted time of asking gets, in milliseconds: shorter where pictures go soon, because the plan is used up. */
const NOTED_AFTER_MS = sql`
  CASE WHEN t.remote_bytes * 100 >= s.remote_bytes * ${number(REMOTE.nearlyFullPercent)}
    OR t.remote_pictures * 100 >= ${picturesOf(sql`s.remote_bytes`)} * ${number(REMOTE.nearlyFullPercent)}
  THEN min(${number(REMOTE.askingNotedMs)},
    max(${number(REMOTE.askingNotedSoonMs)}, t.remote_pictures * ${number(REMOTE.askingNotedPerPictureMs)}))
  ELSE ${number(REMOTE.askingNotedMs)} END`;

/**
 * Returns the query for the picture of an address, which is looked for by its hash. It has no focal point of its own.
 */
export const remotePictureQuery: PictureQuery = ({ spaceName, mediaId: hash }, wanted, now) => {
  const columns = {
    spaceId: sql`r.space_id`,
    mediaId: sql`r.id`,
    version: sql`r.version`,
    facts: sql`r.facts`,
    focalX: sql`NULL`,
    focalY: sql`NULL`,
  };
  return sql`
  SELECT r.space_id AS spaceId, r.id, r.version, r.file, r.size_bytes AS sizeBytes, r.facts,
    s.aspect_ratios AS aspectRatios, s.backgrounds, s.metadata, s.gamut, NULL AS focalX, NULL AS focalY, 0 AS isMissing,
    ${variantsOf(wanted, columns, now)} AS variants,
    json_object('url', r.url, 'freshUntil', r.fresh_until, 'askedAt', r.asked_at, 'notedAfterMs', ${NOTED_AFTER_MS})
      AS remote
  FROM space_names n
  JOIN spaces s ON s.id = n.space_id AND s.removed_at IS NULL
  JOIN remotes r ON r.space_id = s.id AND r.hash = ${hash}
  JOIN space_totals t ON t.space_id = s.id
  WHERE n.name = ${spaceName}`;
};

/** The settings of a space about pictures of other servers. */
export interface RemoteSpace {
  spaceId: string;
  origins: readonly string[];
  aspectRatios: readonly string[];
  backgrounds: readonly string[];
}

export interface FoundSpace {
  space: RemoteSpace;
  from: ReadFrom;
}

interface SpaceRow {
  spaceId: string;
  origins: string | null;
  aspectRatios: string | null;
  backgrounds: string | null;
}

const known = new ExpiringMap<RemoteSpace>(CACHE.factsMs, CACHE.factsMaxEntries, CACHE.heldMs);

/** Makes this isolate forget what a space allows, under all its names. */
export const forgetRemoteSpace = (spaceId: string): void =>
  known.deleteWhere((space) => space.spaceId === spaceId);

/** Returns whether this isolate knows what a space allows. */
export const knowsRemoteSpace = (name: string, now: number): boolean => known.get(name, now) !== undefined;

/**
 * Finds what a space allows, in the isolate's memory if that is fresh. Null if no space has the name.
 * @param ofPrimary asks the primary in any case
 * @throws what D1 throws, if the isolate holds nothing of the space
 */
export async function findRemoteSpace(
  db: ReadDatabase,
  name: string,
  now: number,
  ofPrimary: boolean,
): Promise<FoundSpace | null> {
  const fresh = ofPrimary ? undefined : known.get(name, now);
  if (fresh) return { space: fresh, from: "memory" };
  const held = known.held(name, now);
  const query = sql`
    SELECT s.id AS spaceId, s.origins, s.aspect_ratios AS aspectRatios, s.backgrounds
    FROM space_names n JOIN spaces s ON s.id = n.space_id AND s.removed_at IS NULL WHERE n.name = ${name}`;
  const read = async (): Promise<{ row: SpaceRow | null; isFromPrimary: boolean }> =>
    ofPrimary
      ? { row: await readRowOfPrimary<SpaceRow>(db, query), isFromPrimary: true }
      : readRow<SpaceRow>(db, query);
  try {
    const { row, isFromPrimary } = await (held ? inTime(read(), CACHE.databasePatienceMs) : read());
    if (!row) {
      known.delete(name);
      return null;
    }
    const space = {
      spaceId: row.spaceId,
      origins: originsIn(row.origins),
      aspectRatios: aspectRatiosIn(row.aspectRatios),
      backgrounds: backgroundsIn(row.backgrounds),
    };
    known.set(name, space, now);
    return { space, from: isFromPrimary ? "primary" : "replica" };
  } catch (error) {
    if (held) return { space: held, from: "held" };
    throw error;
  }
}
