/** Reads with one D1 query what image delivery needs about a picture, and remembers it for some seconds. */
import { sql, type SQL } from "drizzle-orm";
import { masterKey, type MasterAddress } from "../../../image/model/variant.ts";
import type { WantedVariants } from "../../../image/model/wanted-variants.ts";
import type { MasterFacts } from "../../../image/model/facts.ts";
import { type FocalPoint, storedFocalPoint } from "../../../image/geometry/focal-point.ts";
import { CACHE, CROP } from "../../../limits.ts";
import { ExpiringMap } from "../database/expiring-map.ts";
import { inTime } from "../../../in-time.ts";
import { readRow, readRowOfPrimary, type ReadDatabase, type ReadFrom } from "../database/read-database.ts";
import { aspectRatiosIn } from "../spaces/spaces.ts";
import { variantsOf } from "./wanted-variants.ts";

export interface OfferedVariant {
  /** The length of the file; null when the variant was built a moment ago. */
  sizeBytes: number | null;
  /** In milliseconds; null when the variant was built a moment ago. */
  expiresAt: number | null;
}

export interface StoredPicture extends MasterAddress {
  facts: MasterFacts;
  /** Its own focal point, or the suggested one if the space's settings say so. Null: crops are centred. */
  focalPoint: FocalPoint | null;
  /** The ratios that its space allows, each `W:H`. */
  aspectRatios: readonly string[];
  sizeBytes: number;
  masterKey: string;
  /** The requested variants that exist and have not expired, by file name. */
  variants: ReadonlyMap<string, OfferedVariant>;
}

export interface PictureAddress {
  /** Any present or earlier name of the space, or its tenant id. */
  spaceName: string;
  mediaId: string;
  /** The variants that the request can use, given the ratios that the space lists. */
  wanted: (listed: readonly string[]) => WantedVariants;
}

export interface FoundPicture {
  picture: StoredPicture;
  from: ReadFrom;
}

interface PictureRow {
  spaceId: string;
  version: number;
  file: string;
  sizeBytes: number;
  facts: string;
  variants: string;
  aspectRatios: string | null;
  focalX: number | null;
  focalY: number | null;
}

/** A coordinate of the item's own focal point, or of the suggested one if the space's settings say so. */
const focal = (own: SQL, suggested: SQL): SQL =>
  sql`coalesce(${own}, CASE WHEN s.suggest_focal_point THEN ${suggested} END)`;

/** A query for one row, or none if the picture does not exist. */
export function pictureQuery(
  { spaceName, mediaId }: Pick<PictureAddress, "spaceName" | "mediaId">,
  wanted: WantedVariants,
  now: number,
): SQL {
  const focalX = focal(sql`m.focal_x`, sql`ma.suggested_focal_x`);
  const focalY = focal(sql`m.focal_y`, sql`ma.suggested_focal_y`);
  const columns = {
    mediaId: sql`ma.media_id`,
    version: sql`ma.version`,
    facts: sql`ma.facts`,
    focalX,
    focalY,
  };
  return sql`
  SELECT m.space_id AS spaceId, ma.version, ma.file, ma.size_bytes AS sizeBytes, ma.facts,
    s.aspect_ratios AS aspectRatios, ${focalX} AS focalX, ${focalY} AS focalY,
    ${variantsOf(wanted, columns, now)} AS variants
  FROM space_names n
  JOIN spaces s ON s.id = n.space_id
  JOIN media m ON m.id = ${mediaId} AND m.space_id = n.space_id AND m.deleted_at IS NULL
  JOIN masters ma ON ma.media_id = m.id AND ma.version = m.master_version
  WHERE n.name = ${spaceName}`;
}

function pictureOf(row: PictureRow, mediaId: string): StoredPicture {
  const address = { spaceId: row.spaceId, mediaId, version: row.version };
  const variants = Object.entries(
    JSON.parse(row.variants) as Record<string, [bytes: number, expiry: number]>,
  );
  return {
    ...address,
    facts: JSON.parse(row.facts) as MasterFacts,
    focalPoint: storedFocalPoint(row.focalX, row.focalY),
    aspectRatios: aspectRatiosIn(row.aspectRatios),
    sizeBytes: row.sizeBytes,
    masterKey: masterKey(address, row.file),
    variants: new Map(variants.map(([file, [sizeBytes, expiresAt]]) => [file, { sizeBytes, expiresAt }])),
  };
}

/** Pictures with the variants that were requested. */
const known = new ExpiringMap<StoredPicture>(CACHE.factsMs, CACHE.factsMaxEntries, CACHE.heldMs);
/** Pictures with the variants that were requested last, for times when D1 does not answer. */
const lastSeen = new ExpiringMap<StoredPicture>(CACHE.heldMs, CACHE.factsMaxEntries);
/** Pictures that the primary did not find (RULES 4.4). */
const missing = new ExpiringMap<true>(CACHE.missingMs, CACHE.factsMaxEntries);

type Reading = (query: SQL) => Promise<{ row: PictureRow | null; isFromPrimary: boolean }>;

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

/**
 * The variants that the request can use as far as this isolate knows, and the key under which the picture is
 * remembered.
 */
function guessOf(address: PictureAddress, now: number): { wanted: WantedVariants; key: string } {
  const wanted = address.wanted(listed.get(address.spaceName, now) ?? CROP.aspectRatiosDefault);
  return { wanted, key: `${keyOf(address)}/${JSON.stringify(wanted)}` };
}

export function pictureSource(db: ReadDatabase, now: () => number): PictureSource {
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
      const reading = read(pictureQuery(address, wanted, asked));
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
      return ask(address, (query) => readRow<PictureRow>(db, query));
    },
    refresh: (address) =>
      ask(address, async (query) => ({
        row: await readRowOfPrimary<PictureRow>(db, query),
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
