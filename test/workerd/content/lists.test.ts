/** Lists against a plain reading of the rules: every filter, sort and page of cursors, over generated records. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { askedFilters } from "../../../src/edge/content/asked-filters.ts";
import { parseFilters } from "../../../src/edge/content/filters.ts";
import { modelOf } from "../../../src/edge/content-model/model.ts";
import { parseSort } from "../../../src/edge/content/selection.ts";
import { database } from "../../../src/edge/storage/database.ts";
import { readModel } from "../../../src/edge/storage/models.ts";
import { listRecords } from "../../../src/edge/storage/record-list.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

interface Item {
  id: string;
  name: string | null;
  body: string | null;
  price: number | null;
  live: boolean | null;
  day: string | null;
  kind: string | null;
  parent: string | null;
  tags: string[];
  createdAt: string;
  updatedAt: string;
  version: number;
}

const LONG = "x".repeat(250);
const NAMES = [
  "a",
  "b",
  "B",
  "é",
  "É tude",
  "日本",
  "a%b",
  "a_b",
  "'; DROP TABLE records; --",
  `${LONG}1`,
  `${LONG}2`,
  "",
  null,
];
const PRICES = [-1.5, 0, 1, 2, 2, 10, 1e21, 9007199254740991, null];
const DAYS = ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.001Z", "1999-12-31T23:59:59.000Z", null];
const KINDS = ["red", "green", null];

let client: Client;
let items: Item[];

const pick = <T>(all: readonly T[], index: number): T => all[index % all.length] as T;

beforeAll(async () => {
  client = await Client.make();
  await client.model("things", [
    { name: "name", type: "string" },
    { name: "body", type: "text" },
    { name: "price", type: "number" },
    { name: "live", type: "boolean" },
    { name: "day", type: "datetime" },
    { name: "kind", type: "enum", values: ["red", "green"] },
    { name: "parent", type: "relation", to: "things" },
    { name: "tags", type: "relation", to: "things", multiple: true },
  ]);
  const made: string[] = [];
  for (let i = 0; i < 48; i++) {
    const id = await client.create("things", {
      name: pick(NAMES, i * 7),
      body: pick(NAMES, i * 5 + 1),
      price: pick(PRICES, i * 5),
      live: pick([true, false, null], i),
      day: pick(DAYS, i * 3),
      kind: pick(KINDS, i >> 1),
      parent: made[i % 5] ?? null,
      tags: made.slice(i % 3, i % 4),
    });
    made.push(id);
  }
  // Another model of the same space, and another space, must never turn up.
  await client.model("others", [{ name: "name", type: "string" }]);
  await client.create("others", { name: "a" });
  items = (await client.call<Item[]>("GET", "/data/collections/things?limit=100&sort=createdAt")).data;
  expect(items.map(({ id }) => id)).toEqual(made);
});

type FieldName = keyof Item;
type Value = string | number | boolean | null;

/** Code point order, as SQLite compares text; null after everything. */
function compare(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "string" && typeof b === "string") {
    const [x, y] = [a, b].map((text) => Array.from(text).map((c) => c.codePointAt(0) as number)) as [
      number[],
      number[],
    ];
    for (let i = 0; i < Math.max(x.length, y.length); i++) {
      if (x[i] !== y[i]) return (x[i] ?? -1) - (y[i] ?? -1);
    }
    return 0;
  }
  return Number(a) - Number(b);
}

const cut = (value: Value): Value =>
  typeof value === "string" ? Array.from(value).slice(0, 200).join("") : value;

interface Sort {
  field: FieldName;
  descending: boolean;
}

function sorted(list: Item[], sorts: Sort[]): Item[] {
  const place = new Map(items.map(({ id }, index) => [id, index]));
  const sign = (descending: boolean): number => (descending ? -1 : 1);
  return [...list].sort((a, b) => {
    for (const { field, descending } of sorts) {
      const order = compare(cut(a[field] as Value), cut(b[field] as Value)) * sign(descending);
      if (order !== 0) return order;
    }
    return ((place.get(a.id) ?? 0) - (place.get(b.id) ?? 0)) * sign(sorts[0]?.descending ?? false);
  });
}

interface Filter {
  field: FieldName;
  operator: string;
  value: Value;
  /** The relation that it goes through. */
  via?: "parent" | "tags";
}

/** Case and accents away, written with other means than the service's. */
const folded = (text: string): string =>
  text
    .toLocaleUpperCase("en")
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "");

function fits(item: Item, { via, ...filter }: Filter): boolean {
  if (!via) return holds(item, filter);
  const targets = [item[via]].flat().flatMap((id) => items.find((one) => one.id === id) ?? []);
  const isNone = filter.operator === "null" && filter.value === true && targets.length === 0;
  return isNone || targets.some((target) => holds(target, filter));
}

function holds(item: Item, { field, operator, value }: Filter): boolean {
  const held = item[field];
  if (Array.isArray(held)) {
    const asked = [String(value), pick(items, 0).id];
    if (operator === "null") return (held.length === 0) === value;
    if (operator === "nin") return !asked.some((id) => held.includes(id));
    if (operator === "all") return asked.every((id) => held.includes(id));
    return held.includes(String(value));
  }
  const order = compare(held, value);
  switch (operator) {
    case "eq":
      return held !== null && order === 0;
    case "ne":
      return held === null || order !== 0;
    case "gt":
      return held !== null && order > 0;
    case "gte":
      return held !== null && order >= 0;
    case "lt":
      return held !== null && order < 0;
    case "lte":
      return held !== null && order <= 0;
    case "in":
      return held !== null && [value, "zzz"].some((one) => compare(held, one) === 0);
    case "nin":
      return held === null || ![value, "zzz"].some((one) => compare(held, one) === 0);
    case "startsWith":
      return typeof held === "string" && held.startsWith(String(value));
    case "icontains":
      return typeof held === "string" && folded(held).includes(folded(String(value)));
    case "contains":
      return typeof held === "string" && held.includes(String(value));
    default:
      return (held === null) === value;
  }
}

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
/** One in four goes through a relation to the things that it leads to. */
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

/** Lists have a second value: one that no field holds, or the id of the first item for a list of ids. */
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

/** The first page as D1 reads it where filters match many records: the sort leads. */
async function sortLed(query: URLSearchParams, limit: number): Promise<string[]> {
  const db = database(bindings.DB);
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
  it("give what the rules say, in order, page by page, whatever leads the query", async () => {
    const asked = fc.record({
      filters: fc.uniqueArray(filter, { maxLength: 3, selector: nameOf }),
      groups: fc.array(fc.uniqueArray(filter, { minLength: 1, maxLength: 2, selector: nameOf }), {
        maxLength: 3,
      }),
      sorts: fc.option(sorts, { nil: null }),
      limit: fc.integer({ min: 1, max: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ filters, groups, sorts, limit }) => {
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
            filters.every((one) => fits(item, one)) &&
            (groups.length === 0 || groups.some((group) => group.every((one) => fits(item, one)))),
        );
        const expected = sorted(matching, sorts ?? [{ field: "createdAt", descending: true }]);
        const { found, total } = await readAll(query);
        expect(total).toBe(expected.length);
        expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        expect(await sortLed(query, limit)).toEqual(expected.slice(0, limit).map(({ id }) => id));
      }),
      { numRuns: 500 },
    );
  }, 600_000);
});
