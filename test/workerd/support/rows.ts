/** Rows and bytes that tests start from. */
import { env } from "cloudflare:workers";
import type { Env } from "../../../src/edge/config.ts";
import { shardD1, shardsOf } from "../../../src/edge/shards/bindings.ts";
import type { MasterFacts } from "../../../src/image/model/facts.ts";
import { FIXTURE } from "./bindings/deployed-d1.ts";
import { masterKey } from "../../../src/image/model/variant.ts";

const given = env as unknown as Env & { TEST_SHARD?: string };

/** The database on which the tests' spaces stand. */
export const SHARD = Number(given.TEST_SHARD ?? 0);

/** All databases of the deployment: the directory first. */
export const databases: D1Database[] = shardsOf(given).map((shard) => shardD1(given, shard));
const [directory] = databases as [D1Database];

/** The bindings as the Worker has them. */
export const deployed: Env = given;

/**
 * The bindings for tests, of which `DB` is the one database on which the tests' spaces stand. Code that is called with
 * them knows no directory.
 */
export const bindings: Env =
  SHARD === 0
    ? given
    : ({
        ...Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith("DB_"))),
        DB: shardD1(given, SHARD),
      } as unknown as Env);

let made = 0;
/** Returns an id that is unique in a test run, and as long as a ULID. */
export const newId = (): string => `T${String(++made).padStart(25, "0")}`;

export const JPEG_FACTS: MasterFacts = {
  format: "jpeg",
  width: 4000,
  height: 3000,
  codedWidth: 4000,
  codedHeight: 3000,
  orientation: 1,
  frames: 1,
  animated: false,
  hasAlpha: false,
  bitDepth: 8,
  colour: "rgb",
  profile: "none",
  process: "baseline",
  unsupported: null,
  components: 3,
  sampling: [2, 2],
  scans: 1,
};

export interface Space {
  id: string;
  name: string;
}

export async function makeSpace(name = `space-${made + 1}`): Promise<Space> {
  const id = newId();
  await bindings.DB.batch([
    bindings.DB.prepare(
      "INSERT INTO spaces (id, name, trash_retention_days, created_at) VALUES (?, ?, 30, ?)",
    ).bind(id, name, Date.now()),
    bindings.DB.prepare("INSERT INTO space_names (name, space_id) VALUES (?, ?)").bind(name, id),
  ]);
  if (SHARD > 0) {
    await directory.batch([
      directory.prepare("INSERT INTO space_places (space_id, shard) VALUES (?, ?)").bind(id, SHARD),
      directory.prepare("INSERT INTO space_names (name, space_id) VALUES (?, ?)").bind(name, id),
    ]);
  }
  return { id, name };
}

export interface Media {
  id: string;
  spaceId: string;
  version: number;
  masterKey: string;
  sizeBytes: number;
}

/** Makes a media item with its master: rows in D1, bytes in R2. */
export async function makeMedia(
  space: Space,
  facts: MasterFacts = JPEG_FACTS,
  text = "master",
): Promise<Media> {
  const bytes = new TextEncoder().encode(text);
  const id = newId();
  const version = 1;
  const file = "master.jpg";
  const key = masterKey({ spaceId: space.id, mediaId: id, version }, file);
  const now = Date.now();
  await bindings.BUCKET.put(key, bytes);
  await bindings.DB.batch([
    bindings.DB.prepare(
      `INSERT INTO media (id, space_id, filename, master_version, last_version, created_at, updated_at)
       VALUES (?1, ?2, 'photo.jpg', ?3, ?3, ?4, ?4)`,
    ).bind(id, space.id, version, now),
    bindings.DB.prepare(
      `INSERT INTO masters (media_id, version, space_id, file, size_bytes, sha256, facts, created_at)
       VALUES (?, ?, ?, ?, ?, 'none', ?, ?)`,
    ).bind(id, version, space.id, file, bytes.byteLength, JSON.stringify(facts), now),
  ]);
  return { id, spaceId: space.id, version, masterKey: key, sizeBytes: bytes.byteLength };
}

/** Returns the files of the variants that D1 offers of a media item. */
export async function variantFiles(media: Media): Promise<string[]> {
  const { results } = await bindings.DB.prepare("SELECT file FROM variants WHERE media_id = ? ORDER BY file")
    .bind(media.id)
    .all<{ file: string }>();
  return results.map(({ file }) => file);
}

/** Returns the tables that hold rows. Search tables are filled and emptied by triggers of these. */
export async function tableNames(): Promise<string[]> {
  const { results } = await bindings.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'd1_*'
       AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '*_search' AND name NOT GLOB '*_search_*'`,
  ).all<{ name: string }>();
  return results.map(({ name }) => name);
}

/** Empties D1's tables and the bucket, so that a test leaves nothing to the next one. */
export async function emptyStorage(): Promise<void> {
  // First what has triggers refuse writes.
  const names = (await tableNames()).sort(
    (a, b) => Number(b === "space_moves") - Number(a === "space_moves"),
  );
  const emptied = names.map((name) => {
    if (name.startsWith("copy_of_")) return `DROP TABLE "${name}"`;
    // The number of sweeps goes on, as the object that remembers it does: fewer would be a restore.
    if (name === "storage_checks")
      return `UPDATE storage_checks SET restored_at = NULL, is_held = 0, masters_after = '', listed_after = '' /* DELETE */`;
    return `${FIXTURE} DELETE FROM "${name}"`;
  });
  await bindings.DB.batch(emptied.map((statement) => bindings.DB.prepare(statement)));
  const inEach = emptied.filter((statement) => statement.includes("DELETE"));
  for (const other of databases.filter((_, shard) => shard !== SHARD))
    await other.batch(inEach.map((statement) => other.prepare(statement)));
  for (;;) {
    const page = await bindings.BUCKET.list();
    if (page.objects.length === 0) return;
    await bindings.BUCKET.delete(page.objects.map((object) => object.key));
  }
}
