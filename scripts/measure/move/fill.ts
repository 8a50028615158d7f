/** Fills a space before its move: records with drafts, published contents and a history, and media. */
import { sql, type SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import type { SQLInputValue } from "node:sqlite";
import sharp from "sharp";
import { json, newSpace, upload, type Space } from "../../harness/api.ts";
import { forEach } from "../../harness/at-once.ts";
import type { Service } from "../../harness/service.ts";
import type { StoredField } from "../../../src/content/field-types/fields.ts";
import { publishedSeqOf } from "../../../src/edge/storage/records/published.ts";
import { addIndexRows } from "../../../src/edge/storage/records/record-index.ts";
import { databasesIn } from "./left.ts";
import { presentOf, sha256Of, textOf, type Entry, type File } from "./ledger.ts";

const PER_BATCH = 1000;
const dialect = new SQLiteSyncDialect();
export const POSTS = "/data/collections/posts";

const MODEL = {
  typeModel: "collections",
  name: "posts",
  drafts: true,
  public: true,
  fields: [
    { name: "mark", type: "string", unique: true },
    { name: "text", type: "string", searchable: true },
    { name: "body", type: "text" },
    { name: "n", type: "number" },
    { name: "cover", type: "media" },
  ],
};

/** Returns a small photograph whose pixels no other one has. */
export async function photoOf(n: number): Promise<Uint8Array<ArrayBuffer>> {
  const colour = { r: n % 256, g: (n >> 8) % 256, b: 128 };
  const bytes = await sharp({ create: { width: 320, height: 240, channels: 3, background: colour } })
    .composite([
      {
        input: Buffer.from(
          `<svg width="320" height="240"><text x="9" y="99" font-size="60">${n}</text></svg>`,
        ),
      },
    ])
    .jpeg()
    .toBuffer();
  return new Uint8Array(bytes);
}

const markOf = (n: number): string => `m${String(n).padStart(7, "0")}`;

/** Returns the id of record number `n`, as long as a ULID. */
const idOf = (n: number): string => `R${String(n).padStart(25, "0")}`;

export const dataOf = (entry: Pick<Entry, "mark">, no: number, cover: string | null): object => ({
  mark: entry.mark,
  text: textOf(entry.mark, no),
  body: `${"The body of a letter. ".repeat(12)}${no}`,
  n: no,
  cover,
});

export interface Sizes {
  records: number;
  media: number;
  /** Changes of each record before the move. Every other record is published. */
  changes: number;
}

/** Makes a space on the directory's database, its model and its media, over HTTP. */
export async function makeSpace(
  service: Service,
  { media }: Sizes,
): Promise<{ space: Space; files: File[] }> {
  const space = await newSpace(service, { shard: 0 });
  await json(
    await fetch(`${space.api}/models`, {
      method: "POST",
      headers: { Authorization: `Bearer ${space.key}`, "Content-Type": "application/json" },
      body: JSON.stringify(MODEL),
    }),
  );
  const files: File[] = [];
  await forEach(media, async (n) => {
    const bytes = await photoOf(n);
    const filename = `photo-${n}.jpg`;
    const { id } = await upload(space, bytes, filename);
    files[n] = { id, filename, sha256: sha256Of(bytes), alt: "" };
  });
  return { space, files };
}

const TEXT_OF = "'of the letters about moving'";

/**
 * Writes the records with their versions, and the published contents of every other one, straight into the database of a
 * stopped service: by the API it would take an hour. The index rows are written by the service's own statements.
 */
export function fillRecords(
  dataDir: string,
  spaceId: string,
  files: readonly File[],
  { records, changes }: Sizes,
): Entry[] {
  const present = changes + 1;
  for (const database of databasesIn(dataDir)) {
    const model = database
      .prepare("SELECT id, fields FROM models WHERE space_id = ? AND name = 'posts'")
      .get(spaceId) as { id: number; fields: string } | undefined;
    if (!model) continue;
    const fields = JSON.parse(model.fields) as StoredField[];
    const noOf = (name: string): number => fields.find((field) => field.name === name)?.no ?? 0;
    database.exec("PRAGMA synchronous = OFF; CREATE TEMP TABLE covers (n INTEGER PRIMARY KEY, id TEXT)");
    const cover = database.prepare("INSERT INTO covers VALUES (?, ?)");
    files.forEach(({ id }, n) => cover.run(n, id));
    const runs = (statement: SQL): void => {
      const { sql: text, params } = dialect.sqlToQuery(statement);
      database.prepare(text).run(...(params as SQLInputValue[]));
    };
    const textAt = (version: string): string => `mark || 'v' || ${version} || 'z ' || ${TEXT_OF}`;
    for (let start = 0; start < records; start += PER_BATCH) {
      const end = Math.min(records, start + PER_BATCH);
      database.exec("BEGIN");
      const numbers = Array.from({ length: end - start }, (_, index) => ({
        n: start + index,
        mark: markOf(start + index),
        id: idOf(start + index),
      }));
      runs(sql`INSERT INTO records
          (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
        SELECT ${model.id}, ${spaceId}, id, json_object(${sql.raw(`'${noOf("mark")}', mark, '${noOf("text")}', ${textAt(String(present))},
            '${noOf("body")}', printf('%.*c', 300, 'x'), '${noOf("n")}', n, '${noOf("cover")}', cover`)}),
          json_object('words', lower(${sql.raw(textAt(String(present)))})), 700, ${present}, 1700000000000 + n, 1700000000000 + n
        FROM (SELECT value ->> 'n' AS n, value ->> 'mark' AS mark, value ->> 'id' AS id,
          (SELECT c.id FROM covers c WHERE c.n = (value ->> 'n') % ${2 * Math.max(1, files.length)}) AS cover
          FROM json_each(${JSON.stringify(numbers)}))`);
      const isIn = (modelId: number): SQL =>
        sql`r.model_id = ${sql.raw(String(modelId))} AND r.id >= ${idOf(start)} AND r.id < ${idOf(end)}`;
      const earlier = sql.raw(
        `json_set(r.data, '$."${noOf("text")}"', (r.data ->> '$."${noOf("mark")}"') || 'v' || v.n || 'z ' || ${TEXT_OF})`,
      );
      runs(sql`WITH RECURSIVE v(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM v WHERE n < ${present})
        INSERT INTO record_versions (record, no, version, event, is_content, created_at, changed, data)
        SELECT r.seq, v.n, v.n, CASE v.n WHEN 1 THEN 'created' ELSE 'updated' END, 1, r.created_at,
          json_array(${noOf("text")}), CASE WHEN v.n < ${present} THEN ${earlier} END FROM records r CROSS JOIN v
        WHERE ${isIn(model.id)}`);
      for (const statement of addIndexRows(fields, isIn(model.id))) runs(statement);
      const isEven = sql.raw(`(r.data ->> '$."${noOf("n")}"') % 2 = 0`);
      runs(sql`INSERT INTO records (seq, model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at,
          published_version, published_at)
        SELECT ${publishedSeqOf(sql`r.seq`)}, -r.model_id, r.space_id, r.id, r.data, r.folded, r.size_bytes, r.version,
          r.created_at, r.updated_at, r.version, r.updated_at FROM records r WHERE ${isIn(model.id)} AND ${isEven}`);
      runs(sql`UPDATE records AS r SET published_version = version, published_at = updated_at
        WHERE ${isIn(model.id)} AND ${isEven}`);
      const plain = fields.map((field) => ({ ...field, unique: false }) as StoredField);
      for (const statement of addIndexRows(plain, isIn(-model.id))) runs(statement);
      database.exec("COMMIT");
    }
    database.close();
  }
  return Array.from({ length: records }, (_, n): Entry => {
    const texts = Array.from({ length: present }, (_v, index) => textOf(markOf(n), index + 1));
    const publishedText = n % 2 === 0 ? presentOf({ texts }) : null;
    return {
      ...{ id: idOf(n), mark: markOf(n), texts, pending: null, version: present },
      ...{ state: "there", trashings: 0, publishedText },
    };
  });
}
