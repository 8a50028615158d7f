/**
 * Lists by time of creation over any writes of records, and the mark of models in which `seq` has another order. Records come
 * with any time and any `seq`, as an import, a move and isolates with other clocks bring them, go to the trash and come
 * back, while lists are read page by page.
 */
import { sql, type SQL } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { modelOf, type Model } from "../../../src/content/model/model.ts";
import { askedFilters } from "../../../src/edge/lists/asked-filters.ts";
import { parseFilters } from "../../../src/edge/lists/filters.ts";
import { parseSort } from "../../../src/edge/records/read/selection.ts";
import { batchSql, database } from "../../../src/edge/storage/database/database.ts";
import { listRecords } from "../../../src/edge/storage/lists/record-list.ts";
import { readModel } from "../../../src/edge/storage/models/models.ts";
import type { Position } from "../../../src/edge/storage/pages/keyset.ts";
import { addIndexRows, dropIndexRows, int } from "../../../src/edge/storage/records/record-index.ts";
import { rounds } from "../../support/ring.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

const db = database(bindings.DB);
/** Below every `seq` that the service gives: numbers for records of published contents. */
const FIRST_SEQ = -(10 ** 9);
const SEQS = 24;
const TIMES = 8;
const LIMIT = 2;
const DEEP_MS = 600_000;

let client: Client;
let notes: Model;
let kinds: Model;
let kind: string;

const read = async (name: string): Promise<Model> => {
  const row = await readModel(db, client.space.id, "collections", name);
  if (!row) throw new Error("no model");
  return modelOf(row);
};

beforeAll(async () => {
  client = await Client.make();
  await client.model("kinds", [{ name: "slug", type: "string", unique: true }]);
  await client.model("notes", [
    { name: "price", type: "number" },
    { name: "kind", type: "relation", to: "kinds" },
  ]);
  kind = await client.create("kinds", { slug: "one" });
  kinds = await read("kinds");
  notes = await read("notes");
});

interface Row {
  seq: number;
  createdAt: number;
  isActive: boolean;
  price: number;
}

const rowsOf = async (modelId: number): Promise<Row[]> => {
  const rows = await db.all<
    Omit<Row, "isActive"> & { isActive: number }
  >(sql`SELECT seq, created_at AS createdAt, deleted_at IS NULL AS isActive,
    data ->> '$."1"' AS price FROM records WHERE model_id = ${int(modelId)}`);
  return rows.map((row) => ({ ...row, isActive: row.isActive === 1 }));
};

const byCreation = (a: Row, b: Row): number => a.createdAt - b.createdAt || a.seq - b.seq;

/** Returns whether no active record has a later time than another one with a higher `seq`. */
function isInOrder(rows: readonly Row[]): boolean {
  const active = rows.filter(({ isActive }) => isActive);
  return active.every((a) => active.every((b) => a.seq >= b.seq || a.createdAt <= b.createdAt));
}

interface New {
  no: number;
  at: number;
  price: number;
  isTrashed: boolean;
}
const aNew: fc.Arbitrary<New> = fc.record({
  no: fc.nat(SEQS - 1),
  at: fc.nat(TIMES),
  price: fc.integer({ min: 1, max: 2 }),
  isTrashed: fc.boolean(),
});
/** Records as a service with one clock writes them: they break no order. */
const later: fc.Arbitrary<New> = fc
  .tuple(aNew, fc.nat(SEQS - 1))
  .map(([one, no]) => ({ ...one, no, at: Math.floor((no * TIMES) / SEQS), isTrashed: false }));

type Step =
  | { do: "insert"; rows: New[] }
  | { do: "replace"; row: New }
  | { do: "trash" | "restore" | "remove"; no: number }
  | { do: "time"; no: number; at: number }
  | { do: "page"; list: number; few: number };

const no = fc.nat(SEQS - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(later, { minLength: 1, maxLength: 4 })
      .map((rows) => ({ do: "insert", rows }) as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(aNew, { minLength: 1, maxLength: 3 })
      .map((rows) => ({ do: "insert", rows }) as const),
  },
  { weight: 1, arbitrary: aNew.map((row) => ({ do: "replace", row }) as const) },
  { weight: 2, arbitrary: later.map((row) => ({ do: "replace", row }) as const) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("trash" as const, "restore" as const, "remove" as const),
      no,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("time" as const), no, at: fc.nat(TIMES) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("page" as const),
      list: fc.nat(7),
      few: fc.constantFrom(0, 1000),
    }),
  },
);

const seqOf = (at: number): number => FIRST_SEQ + at;

function insertion(modelId: number, rows: readonly New[], conflict: SQL): SQL {
  const values = rows.map(({ no: at, price, ...row }) => ({
    ...row,
    seq: seqOf(at),
    data: JSON.stringify({ "1": price, "2": price === 1 ? kind : null }),
  }));
  return sql`INSERT INTO records (seq, model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at, deleted_at)
    SELECT value ->> 'seq', ${int(modelId)}, ${client.space.id}, printf('%026d', -(value ->> 'seq')), value ->> 'data', '{}', 20, 1,
      value ->> 'at', 0, iif(value ->> 'isTrashed', 1, NULL) FROM json_each(${JSON.stringify(values)}) WHERE true ${conflict}`;
}

const inPlace = sql`ON CONFLICT (seq) DO UPDATE SET data = excluded.data, created_at = excluded.created_at, deleted_at = excluded.deleted_at`;

/** Returns the statements of a step that writes. They do nothing where there is no such record. */
function written(modelId: number, one: Exclude<Step, { do: "page" }>): { seqs: number[]; statements: SQL[] } {
  const nos =
    one.do === "insert" ? one.rows.map((row) => row.no) : one.do === "replace" ? [one.row.no] : [one.no];
  const seqs = nos.map(seqOf);
  const is = sql`model_id = ${int(modelId)} AND seq = ${int(seqs[0] ?? 0)}`;
  switch (one.do) {
    case "insert":
      return { seqs, statements: [insertion(modelId, one.rows, sql`ON CONFLICT (seq) DO NOTHING`)] };
    case "replace":
      return { seqs, statements: [insertion(modelId, [one.row], inPlace)] };
    case "trash":
      return { seqs, statements: [sql`UPDATE records SET deleted_at = 1 WHERE ${is}`] };
    case "restore":
      return { seqs, statements: [sql`UPDATE records SET deleted_at = NULL WHERE ${is}`] };
    case "remove":
      return { seqs, statements: [sql`DELETE FROM records WHERE ${is}`] };
    case "time":
      return { seqs, statements: [sql`UPDATE records SET created_at = ${int(one.at)} WHERE ${is}`] };
    default:
      return one satisfies never;
  }
}

/** Writes a step and the index rows of its records, as the service does. */
async function write(modelId: number, one: Exclude<Step, { do: "page" }>): Promise<void> {
  const { seqs, statements } = written(modelId, one);
  const list = sql`SELECT value FROM json_each(${JSON.stringify(seqs)})`;
  await batchSql(db, [
    ...statements,
    ...dropIndexRows(list),
    ...addIndexRows(notes.fields, sql`r.seq IN (${list})`),
  ]);
}

const LISTS = ["", "filter[price][eq]=1", "filter[kind.slug][eq]=one", "filter[price][in]=1,3"].flatMap(
  (filter) =>
    ["-createdAt", "createdAt"].map((sort) => ({ filter, sort, isDescending: sort.startsWith("-") })),
);

/** Reads the next page of a list, and holds it against the rows. @returns where the next one begins */
async function readPage(
  modelId: number,
  list: (typeof LISTS)[number],
  after: Position | null,
  fewMatches: number,
): Promise<Position | null> {
  const asked = askedFilters([...new URLSearchParams(list.filter)]);
  const { rows, hasMore } = await listRecords(db, {
    modelId,
    conditions: parseFilters(notes, asked, new Map([["kinds", kinds]])),
    sorts: parseSort(notes, list.sort),
    after,
    limit: LIMIT,
    fewMatches,
  });
  const sign = list.isDescending ? -1 : 1;
  const start = after && { createdAt: Number(after[0]), seq: Number(after[1]), isActive: true, price: 1 };
  const left = (await rowsOf(modelId))
    .filter(({ isActive, price }) => isActive && (list.filter === "" || price === 1))
    .filter((row) => start === null || sign * byCreation(row, start) > 0)
    .sort((a, b) => sign * byCreation(a, b));
  expect(rows.map(({ seq }) => seq)).toEqual(left.slice(0, LIMIT).map(({ seq }) => seq));
  expect(hasMore).toBe(left.length > LIMIT);
  return hasMore ? (rows.at(-1)?.position ?? null) : null;
}

const isMarked = async (modelId: number): Promise<boolean> =>
  (await db.all(sql`SELECT 1 FROM disordered_models WHERE model_id = ${int(modelId)}`)).length > 0;

/** Removes all records, with which the marks go. */
async function removeAll(): Promise<void> {
  const ofNotes = sql`SELECT seq FROM records WHERE model_id IN (${int(notes.id)}, ${int(-notes.id)})`;
  await batchSql(db, [...dropIndexRows(ofNotes), sql`DELETE FROM records WHERE seq IN (${ofNotes})`]);
  expect([await isMarked(notes.id), await isMarked(-notes.id)]).toEqual([false, false]);
}

it("go on at the time of the last page's end, although its record is gone and an older one has a higher `seq`", async () => {
  const of = (no: number, at: number): New => ({ no, at, price: 1, isTrashed: false });
  const list = LISTS.find(({ filter, isDescending }) => filter.includes("price") && isDescending);
  if (!list) throw new Error("no list");
  await write(notes.id, { do: "insert", rows: [of(0, 0), of(1, 1), of(5, 5), of(7, 7)] });
  const after = await readPage(notes.id, list, null, 0);
  expect(after).toEqual([5, seqOf(5)]);
  await write(notes.id, { do: "remove", no: 5 });
  await write(notes.id, { do: "insert", rows: [of(6, 4)] });
  expect(await isMarked(notes.id)).toBe(false);
  expect(await readPage(notes.id, list, after, 0)).toEqual([1, seqOf(1)]);
  await removeAll();
});

it(
  "have the exact order after any writes, from page to page, and a model is marked if it ever had another one",
  async () => {
    const run = async (steps: Step[], isPublished: boolean): Promise<void> => {
      const modelId = isPublished ? -notes.id : notes.id;
      const positions = new Map<number, Position | null>();
      let wasBroken = false;
      for (const one of steps) {
        if (one.do === "page") {
          const list = LISTS[one.list] as (typeof LISTS)[number];
          positions.set(one.list, await readPage(modelId, list, positions.get(one.list) ?? null, one.few));
          continue;
        }
        await write(modelId, one);
        const rows = await rowsOf(modelId);
        wasBroken = rows.length > 0 && (wasBroken || !isInOrder(rows));
        expect(await isMarked(modelId)).toBe(wasBroken);
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 40 }),
        fc.boolean(),
        async (steps, isPublished) => {
          try {
            await run(steps, isPublished);
          } finally {
            await removeAll();
          }
        },
      ),
      { numRuns: rounds(20, 400) },
    );
  },
  DEEP_MS,
);
