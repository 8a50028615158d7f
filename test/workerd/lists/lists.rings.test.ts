/** Lists compared with a plain implementation of the rules: every filter, sort and page, over generated queries. */
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { askedFilters } from "../../../src/edge/lists/asked-filters.ts";
import { parseFilters } from "../../../src/edge/lists/filters.ts";
import { modelOf } from "../../../src/content/model/model.ts";
import { parseSort } from "../../../src/edge/records/read/selection.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { readModel } from "../../../src/edge/storage/models/models.ts";
import { listRecords } from "../../../src/edge/storage/lists/record-list.ts";
import type { Client } from "../support/api.ts";
import { type FieldName, type Filter, fits, sorted, type Value } from "../support/content/plain-lists.ts";
import { bindings } from "../support/rows.ts";
import { DAYS, type Item, makeThings, NAMES, pick, PRICES } from "../support/content/things.ts";
import { rounds } from "../../support/ring.ts";

let client: Client;
let items: Item[];

beforeAll(async () => {
  ({ client, items } = await makeThings());
});

const ORDERED = ["eq", "ne", "gt", "gte", "lt", "lte"];
const text = fc.constantFrom(...NAMES.filter((name) => name !== null), "x", "E", "%", "_", "z".repeat(300));

const filterOf = (field: FieldName, operators: string[], value: fc.Arbitrary<Value>): fc.Arbitrary<Filter> =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ field: fc.constant(field), operator: fc.constantFrom(...operators), value }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ field: fc.constant(field), operator: fc.constant("null"), value: fc.boolean() }),
    },
  );

const anId = fc.nat().map((n) => pick(items, n).id);
const ownFilter: fc.Arbitrary<Filter> = fc.oneof(
  filterOf("name", [...ORDERED, "contains", "icontains", "startsWith", "nin"], text),
  filterOf("body", [...ORDERED, "contains", "icontains", "startsWith"], text),
  filterOf("price", ORDERED, fc.constantFrom(...PRICES.filter((price) => price !== null), 5)),
  filterOf("live", ["eq", "ne", "in"], fc.boolean()).filter(({ operator }) => operator !== "in"),
  filterOf("day", ORDERED, fc.constantFrom(...DAYS.filter((day) => day !== null))),
  filterOf(
    "kind",
    [...ORDERED, "in", "nin", "contains", "icontains", "startsWith"],
    fc.constantFrom("red", "green", "e"),
  ),
  filterOf("parent", ["eq", "ne", "in", "nin"], anId),
  filterOf("tags", ["contains", "nin", "all"], anId),
  filterOf(
    "createdAt",
    ORDERED,
    anId.map((id) => items.find((item) => item.id === id)?.createdAt ?? ""),
  ).filter(({ operator }) => operator !== "null"),
);
/** One in four filters goes through a relation. */
const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 3, arbitrary: ownFilter },
  {
    weight: 1,
    arbitrary: fc
      .tuple(ownFilter, fc.constantFrom("parent" as const, "tags" as const))
      .map(([one, via]) => ({ ...one, via })),
  },
);
const SORTABLE: FieldName[] = [
  "name",
  "body",
  "price",
  "live",
  "day",
  "kind",
  "parent",
  "id",
  "createdAt",
  "version",
];
const sorts = fc.uniqueArray(fc.record({ field: fc.constantFrom(...SORTABLE), descending: fc.boolean() }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ field }) => field,
});

/**
 * Returns the text of a filter's value. `in`, `nin` and `all` get a second value: an unknown one, or the first item's
 * id.
 */
const inText = (field: FieldName, operator: string, value: Value): string =>
  ["in", "nin", "all"].includes(operator)
    ? `${String(value)},${field === "tags" ? pick(items, 0).id : "zzz"}`
    : String(value);

async function readAll(query: URLSearchParams): Promise<{ found: Item[]; total: number | undefined }> {
  const found: Item[] = [];
  let total: number | undefined;
  for (let cursor: string | null = ""; cursor !== null;) {
    if (cursor) query.set("cursor", cursor);
    const reply = await client.call<Item[]>("GET", `/data/collections/things?${query.toString()}`);
    expect(reply.error).toBeUndefined();
    found.push(...reply.data);
    cursor = reply.meta.nextCursor;
    total = reply.meta.total;
  }
  return { found, total };
}

const nameOf = ({ via, field, operator }: Filter): string => `[${via ? `${via}.` : ""}${field}][${operator}]`;

const db = database(bindings.DB);

/** Marks the model as one whose `seq` has not the order of creation, or takes that back. */
async function mark(isDisordered: boolean): Promise<void> {
  const id = sql`SELECT id FROM models WHERE space_id = ${client.space.id} AND name = 'things'`;
  await db.run(sql`DELETE FROM disordered_models WHERE model_id IN (${id})`);
  if (isDisordered) await db.run(sql`INSERT INTO disordered_models (model_id) ${id}`);
}

/** Returns the ids of the first page, read by the index of the sort, as D1 does when filters match many records. */
async function sortLed(query: URLSearchParams, limit: number): Promise<string[]> {
  const row = await readModel(db, client.space.id, "collections", "things");
  if (!row) throw new Error("no model");
  const model = modelOf(row);
  const filters = askedFilters([...query].filter(([name]) => name.startsWith("filter")));
  const page = await listRecords(db, {
    modelId: model.id,
    conditions: parseFilters(model, filters, new Map([["things", model]])),
    sorts: parseSort(model, query.get("sort") ?? undefined),
    after: null,
    limit,
    fewMatches: 0,
  });
  return page.rows.map(({ id }) => id);
}

describe("lists", () => {
  it("have the records that the rules say, in order, page by page, whichever index the query uses", async () => {
    const asked = fc.record({
      filters: fc.uniqueArray(filter, { maxLength: 3, selector: nameOf }),
      groups: fc.array(fc.uniqueArray(filter, { minLength: 1, maxLength: 2, selector: nameOf }), {
        maxLength: 3,
      }),
      sorts: fc.option(sorts, { nil: null }),
      limit: fc.integer({ min: 1, max: 30 }),
      isDisordered: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ filters, groups, sorts, limit, isDisordered }) => {
        const query = new URLSearchParams({ limit: String(limit), count: "true" });
        if (sorts)
          query.set("sort", sorts.map(({ field, descending }) => (descending ? "-" : "") + field).join(","));
        const setAll = (some: Filter[], group = ""): void => {
          for (const one of some)
            query.set(`filter${group}${nameOf(one)}`, inText(one.field, one.operator, one.value));
        };
        setAll(filters);
        for (const [number, group] of groups.entries()) setAll(group, `[or][${number * 3}]`);
        const matching = items.filter(
          (item) =>
            filters.every((one) => fits(items, item, one)) &&
            (groups.length === 0 || groups.some((group) => group.every((one) => fits(items, item, one)))),
        );
        const expected = sorted(items, matching, sorts ?? [{ field: "createdAt", descending: true }]);
        await mark(isDisordered);
        const { found, total } = await readAll(query);
        expect(total).toBe(expected.length);
        expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        await mark(true);
        expect(await sortLed(query, limit)).toEqual(expected.slice(0, limit).map(({ id }) => id));
      }),
      { numRuns: rounds(60, 500) },
    );
  }, 600_000);
});
