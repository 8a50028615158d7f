/** Reads with one D1 query what image delivery needs about a picture, and remembers it for some seconds. */
import { sql, type SQL } from "drizzle-orm";
import type { MetadataSetting } from "../../../image/model/copyright.ts";
import type { ExtrasSettings } from "../../../image/model/extras.ts";
import type { Gamut } from "../../../image/model/gamut.ts";
import { masterKey, type MasterAddress } from "../../../image/model/variant.ts";
import type { WantedVariants } from "../../../image/model/wanted-variants.ts";
import type { MasterFacts } from "../../../image/model/facts.ts";
import { type FocalPoint, storedFocalPoint } from "../../../image/geometry/focal-point.ts";
import { CACHE, CROP } from "../../../limits.ts";
import { oncePerObject } from "../../../remembered.ts";
import { ExpiringMap } from "../database/expiring-map.ts";
import { inTime } from "../../../in-time.ts";
import { readRow, readRowOfPrimary, type ReadDatabase, type ReadFrom } from "../database/read-database.ts";
import { aspectRatiosIn, backgroundsIn } from "../spaces/spaces.ts";
import { variantsOf } from "./wanted-variants.ts";

export interface OfferedVariant {
  /** The length of the file; null when the variant was built a moment ago. */
  sizeBytes: number | null;
  /** In milliseconds; null when the variant was built a moment ago. */
  expiresAt: number | null;
}

export interface StoredPicture extends MasterAddress, ExtrasSettings {
  facts: MasterFacts;
  /** Its own focal point, or the suggested one if the space's settings say so. Null: crops are centred. */
  focalPoint: FocalPoint | null;
  /** The ratios that its space allows, each `W:H`. */
  aspectRatios: readonly string[];
  /** The backgrounds that its space allows. */
  backgrounds: readonly string[];
  sizeBytes: number;
  /** Whether R2 has lost the master's bytes (RULES 10.12). Variants may still be there. */
  isMissing: boolean;
  masterKey: string;
  /** The requested variants that exist and have not expired, by file name. */
  variants: ReadonlyMap<string, OfferedVariant>;
  /** Set for a picture of another server. */
  remote?: RemoteFacts;
}

/** The facts about the address of a picture of another server. Times are in milliseconds. */
export interface RemoteFacts {
  url: string;
  /** Until then its origin need not be asked again. */
  freshUntil: number;
  /** When a visitor last asked for it, as far as that is noted. */
  askedAt: number;
  /** How old that note gets before it is renewed, in milliseconds. */
  notedAfterMs: number;
}

export interface PictureAddress {
  /** Any present or earlier name of the space, or its tenant id. */
  spaceName: string;
  /** The id of a media item, or the hash of an address. */
  mediaId: string;
  /** The variants that the request can use, given the ratios that the space lists. */
  wanted: (listed: readonly string[]) => WantedVariants;
}

export interface FoundPicture {
  picture: StoredPicture;
  from: ReadFrom;
}

export interface PictureRow {
  spaceId: string;
  /** The id under which variants are kept, of a picture that was looked for by a hash. */
  id?: string;
  version: number;
  file: string;
  sizeBytes: number;
  facts: string;
  variants: string;
  aspectRatios: string | null;
  backgrounds: string | null;
  metadata: MetadataSetting;
  gamut: Gamut;
  focalX: number | null;
  focalY: number | null;
  /** RemoteFacts as JSON. */
  remote?: string;
  isMissing: number;
}

/** Writes the query for one picture. */
export type PictureQuery = (
  address: Pick<PictureAddress, "spaceName" | "mediaId">,
  wanted: WantedVariants,
  now: number,
) => SQL;

/** Returns a coordinate of the item's own focal point, or of the suggested one if the space's settings say so. */
const focal = (own: SQL, suggested: SQL): SQL =>
  sql`coalesce(${own}, CASE WHEN s.suggest_focal_point THEN ${suggested} END)`;

/** Returns a query for one row, or none if the picture does not exist. */
export const pictureQuery: PictureQuery = ({ spaceName, mediaId }, wanted, now) => {
  const focalX = focal(sql`m.focal_x`, sql`ma.suggested_focal_x`);
  const focalY = focal(sql`m.focal_y`, sql`ma.suggested_focal_y`);
  const columns = {
    spaceId: sql`ma.space_id`,
    mediaId: sql`ma.media_id`,
    version: sql`ma.version`,
    facts: sql`ma.facts`,
    focalX,
    focalY,
  };
  return sql`
  SELECT m.space_id AS spaceId, ma.version, ma.file, ma.size_bytes AS sizeBytes, ma.facts,
    s.aspect_ratios AS aspectRatios, s.backgrounds, s.metadata, s.gamut, ${focalX} AS focalX, ${focalY} AS focalY,
    ma.missing_at IS NOT NULL AS isMissing, ${variantsOf(wanted, columns, now)} AS variants
  FROM space_names n
  JOIN spaces s ON s.id = n.space_id AND s.removed_at IS NULL
  JOIN media m ON m.space_id = n.space_id AND m.id = ${mediaId} AND m.deleted_at IS NULL
  JOIN masters ma ON ma.space_id = m.space_id AND ma.media_id = m.id AND ma.version = m.master_version
  WHERE n.name = ${spaceName}`;
};

function pictureOf(row: PictureRow, mediaId: string): StoredPicture {
  const address = { spaceId: row.spaceId, mediaId: row.id ?? mediaId, version: row.version };
  const variants = Object.entries(
    JSON.parse(row.variants) as Record<string, [bytes: number, expiry: number]>,
  );
  return {
    ...address,
    facts: JSON.parse(row.facts) as MasterFacts,
    focalPoint: storedFocalPoint(row.focalX, row.focalY),
    aspectRatios: aspectRatiosIn(row.aspectRatios),
    backgrounds: backgroundsIn(row.backgrounds),
    metadata: row.metadata,
    gamut: row.gamut,
    sizeBytes: row.sizeBytes,
    isMissing: row.isMissing === 1,
    masterKey: masterKey(address, row.file),
    variants: new Map(variants.map(([file, [sizeBytes, expiresAt]]) => [file, { sizeBytes, expiresAt }])),
    ...(row.remote !== undefined && { remote: JSON.parse(row.remote) as RemoteFacts }),
  };
}

/** Pictures with the variants that were requested. */
const known = new ExpiringMap<StoredPicture>(CACHE.factsMs, CACHE.factsMaxEntries, CACHE.heldMs);
/** Pictures with the variants that were requested last, for times when D1 does not answer. */
const lastSeen = new ExpiringMap<StoredPicture>(CACHE.heldMs, CACHE.factsMaxEntries);
/** Pictures that the primary did not find (RULES 4.4). */
const missing = new ExpiringMap<true>(CACHE.missingMs, CACHE.factsMaxEntries);

type Reading = (statement: SQL) => Promise<{ row: PictureRow | null; isFromPrimary: boolean }>;

export interface PictureSource {
  /**
   * Finds a picture in the isolate's memory if that is fresh, else in the nearest replica. Null only if the primary
   * does not have it either.
   * @throws what D1 throws, if the isolate holds nothing of the picture
   */
  get(address: PictureAddress): Promise<FoundPicture | null>;
  /** Finds a picture in the primary. @throws as `get` */
  refresh(address: PictureAddress): Promise<FoundPicture | null>;
  /** Returns the picture with a variant that was built a moment ago, and makes this isolate remember it so. */
  withBuilt(picture: StoredPicture, file: string): StoredPicture;
}

/** The ratios that each space listed when it was last read. They may determine which variants a request can use. */
const listed = new ExpiringMap<readonly string[]>(CACHE.heldMs, CACHE.factsMaxEntries);

const keyOf = ({ spaceName, mediaId }: PictureAddress): string => `${spaceName}/${mediaId}`;

/** Returns the same text for the same variants. */
const textOf = oncePerObject((wanted: WantedVariants) => JSON.stringify(wanted));

/**
 * Returns the variants that the request can use as far as this isolate knows, and the key under which the picture is
 * remembered.
 */
function guessOf(address: PictureAddress, now: number): { wanted: WantedVariants; key: string } {
  const wanted = address.wanted(listed.get(address.spaceName, now) ?? CROP.aspectRatiosDefault);
  return { wanted, key: `${keyOf(address)}/${textOf(wanted)}` };
}

export function pictureSource(
  db: ReadDatabase,
  now: () => number,
  query: PictureQuery = pictureQuery,
): PictureSource {
  const ask = async (
    address: PictureAddress,
    read: Reading,
    isRepeated = false,
  ): Promise<FoundPicture | null> => {
    const { mediaId, spaceName } = address;
    const ofPicture = keyOf(address);
    const asked = now();
    const { wanted, key } = guessOf(address, asked);
    const held = known.held(key, asked) ?? lastSeen.get(ofPicture, asked);
    let found;
    try {
      const reading = read(query(address, wanted, asked));
      found = await (held ? inTime(reading, CACHE.databasePatienceMs) : reading);
    } catch (error) {
      if (held) return { picture: held, from: "held" };
      throw error;
    }
    if (!found.row) {
      known.delete(key);
      lastSeen.delete(ofPicture);
      missing.set(ofPicture, true, asked);
      return null;
    }
    const picture = pictureOf(found.row, mediaId);
    listed.set(spaceName, picture.aspectRatios, asked);
    // The space lists other ratios than assumed. Ask again for the right variants.
    if (!isRepeated && guessOf(address, asked).key !== key) return ask(address, read, true);
    known.set(key, picture, asked);
    lastSeen.set(ofPicture, picture, asked);
    return { picture, from: found.isFromPrimary ? "primary" : "replica" };
  };
  return {
    async get(address) {
      const fresh = known.get(guessOf(address, now()).key, now());
      if (fresh) return { picture: fresh, from: "memory" };
      if (missing.get(keyOf(address), now())) return null;
      return ask(address, (statement) => readRow<PictureRow>(db, statement));
    },
    refresh: (address) =>
      ask(address, async (statement) => ({
        row: await readRowOfPrimary<PictureRow>(db, statement),
        isFromPrimary: true,
      })),
    withBuilt,
  };
}

/** Makes this isolate forget a media item, under all names of its space. */
export function forgetPicture(mediaId: string): void {
  for (const map of [known, lastSeen]) map.deleteWhere((picture) => picture.mediaId === mediaId);
  missing.deleteWhere((_, key) => key.endsWith(`/${mediaId}`));
}

/** Makes this isolate remember no longer that a picture was missing. */
export const noLongerMissing = ({ spaceName, mediaId }: Omit<PictureAddress, "wanted">): void =>
  missing.delete(`${spaceName}/${mediaId}`);

/** Makes this isolate forget one variant of a media item, and keep the rest for times when D1 does not answer. */
export function forgetVariant(mediaId: string, file: string): void {
  remember((picture) => {
    if (picture.mediaId !== mediaId || !picture.variants.has(file)) return picture;
    return { ...picture, variants: new Map([...picture.variants].filter(([known]) => known !== file)) };
  });
}

/** Returns the picture with a variant that was built a moment ago, and makes this isolate remember it so. */
export function withBuilt(picture: StoredPicture, file: string): StoredPicture {
  if (picture.variants.has(file)) return picture;
  const built = { sizeBytes: null, expiresAt: null };
  const changed = { ...picture, variants: new Map(picture.variants).set(file, built) };
  remember((held) => (held === picture ? changed : held));
  return changed;
}

/** Replaces the pictures that this isolate remembers. They keep their age. */
function remember(change: (picture: StoredPicture) => StoredPicture): void {
  for (const map of [known, lastSeen]) map.replace(change);
}
