/** Lists of media: filters, groups, sorts and counts, against a plain reading of the rules. */
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { MasterFacts } from "../../../src/image/model/facts.ts";
import { Client } from "../support/api.ts";
import { bindings, JPEG_FACTS, makeMedia } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { rounds } from "../../support/ring.ts";

interface Item {
  id: string;
  filename: string;
  alt: string;
  mime: string;
  width: number;
  height: number;
  animated: boolean;
  createdAt: string;
}

const NAMES = ["a.jpg", "Été.JPG", "ete.jpg", "b%_.png", "日本.png", "a.jpg"];
const ALTS = ["", "École", "ecole", "a\\'; --", "x".repeat(250)];
const FORMATS = [
  ["jpeg", "image/jpeg"],
  ["png", "image/png"],
  ["gif", "image/gif"],
] as const;
const WIDTHS = [10, 20, 20, 4000];

let client: Client;
let items: Item[];
const pick = <T>(all: readonly T[], index: number): T => all[index % all.length] as T;

beforeAll(async () => {
  const other = await Client.make();
  await makeMedia(other.space);
  client = await Client.make();
  for (let i = 0; i < 30; i++) {
    const facts = {
      ...JPEG_FACTS,
      format: pick(FORMATS, i)[0],
      width: pick(WIDTHS, i),
      height: pick(WIDTHS, i * 3 + 1),
      animated: i % 3 === 2,
    } as MasterFacts;
    const { id } = await makeMedia(client.space, facts);
    const names = { filename: pick(NAMES, i), alt: pick(ALTS, i >> 1) };
    expect((await client.call("PATCH", `/media/${id}`, names)).status).toBe(200);
    await bindings.DB.prepare("UPDATE media SET created_at = ? WHERE id = ?")
      .bind(1000 + (i >> 2), id)
      .run();
  }
  // The rows are as they were before lists could filter.
  expect((await runSweep(Date.now())).filledRows).toBeGreaterThanOrEqual(31);
  items = (await client.call<Item[]>("GET", "/media?limit=100")).data;
  expect(items).toHaveLength(30);
});

type Field = Exclude<keyof Item, "id">;
type Value = string | number | boolean;
interface Filter {
  field: Field;
  operator: string;
  value: Value;
}

const points = (text: string): number[] => Array.from(text, (one) => one.codePointAt(0) as number);
function compare(a: Value, b: Value): number {
  if (typeof a !== "string" || typeof b !== "string") return Number(a) - Number(b);
  const [x, y] = [points(a), points(b)];
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    if (x[i] !== y[i]) return (x[i] ?? -1) - (y[i] ?? -1);
  }
  return 0;
}

const folded = (text: string): string =>
  text
    .toUpperCase()
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "");

function holds(item: Item, { field, operator, value }: Filter): boolean {
  const held = item[field];
  const order = compare(held, value);
  switch (operator) {
    case "eq":
      return order === 0;
    case "ne":
      return order !== 0;
    case "gt":
      return order > 0;
    case "lte":
      return order <= 0;
    case "in":
      return order === 0 || compare(held, NAMES[0] ?? "") === 0;
    case "contains":
      return String(held).includes(String(value));
    case "icontains":
      return folded(String(held)).includes(folded(String(value)));
    default:
      return String(held).startsWith(String(value));
  }
}

const filterOf = (field: Field, operators: string[], values: fc.Arbitrary<Value>): fc.Arbitrary<Filter> =>
  fc.record({ field: fc.constant(field), operator: fc.constantFrom(...operators), value: values });
const TEXT = ["eq", "ne", "gt", "lte", "in", "contains", "icontains", "startsWith"];
const filter = fc.oneof(
  filterOf("filename", TEXT, fc.constantFrom(...NAMES, "E", "é", "%")),
  filterOf("alt", TEXT, fc.constantFrom(...ALTS, "C")),
  filterOf("mime", TEXT, fc.constantFrom("image/png", "image/", "PNG")),
  filterOf("width", ["eq", "ne", "gt", "lte"], fc.constantFrom(10, 20, 4000, 25.5)),
  filterOf("height", ["eq", "gt"], fc.constantFrom(10, 20)),
  filterOf("animated", ["eq", "ne"], fc.boolean()),
  filterOf("createdAt", ["eq", "gt", "lte"], fc.constantFrom("1970-01-01T00:00:01.003Z")),
);
const SORTS: Field[] = ["filename", "alt", "mime", "width", "height", "animated", "createdAt"];
const sorts = fc.uniqueArray(fc.record({ field: fc.constantFrom(...SORTS), descending: fc.boolean() }), {
  minLength: 1,
  maxLength: 3,
  selector: ({ field }) => field,
});

const nameOf = ({ field, operator }: Filter): string => `[${field}][${operator}]`;
const textOf = ({ operator, value }: Filter): string =>
  operator === "in" ? `${String(value)},${NAMES[0] ?? ""}` : String(value);

describe("lists of media", () => {
  it("have the items that the rules say, page by page", async () => {
    const filters = fc.uniqueArray(filter, { maxLength: 2, selector: nameOf });
    const groups = fc.array(fc.uniqueArray(filter, { minLength: 1, maxLength: 2, selector: nameOf }), {
      maxLength: 2,
    });
    const asked = fc.record({ filters, groups, sorts, limit: fc.integer({ min: 1, max: 40 }) });
    await fc.assert(
      fc.asyncProperty(asked, async ({ filters, groups, sorts, limit }) => {
        const sort = sorts.map(({ field, descending }) => (descending ? "-" : "") + field).join(",");
        const query = new URLSearchParams({ limit: String(limit), sort, count: "true" });
        for (const one of filters) query.set(`filter${nameOf(one)}`, textOf(one));
        for (const [number, group] of groups.entries()) {
          for (const one of group) query.set(`filter[or][${number}]${nameOf(one)}`, textOf(one));
        }
        const fits = (item: Item): boolean =>
          filters.every((one) => holds(item, one)) &&
          (groups.length === 0 || groups.some((group) => group.every((one) => holds(item, one))));
        const down = sorts[0]?.descending ?? true;
        const expected = items.filter(fits).sort((a, b) => {
          for (const { field, descending } of sorts) {
            const order = compare(a[field], b[field]);
            if (order !== 0) return descending ? -order : order;
          }
          return down ? compare(b.id, a.id) : compare(a.id, b.id);
        });
        const found: string[] = [];
        for (let cursor: string | null = ""; cursor !== null;) {
          if (cursor) query.set("cursor", cursor);
          const reply = await client.call<Item[]>("GET", `/media?${query.toString()}`);
          expect(reply.error).toBeUndefined();
          expect(reply.meta.total).toBe(expected.length);
          found.push(...reply.data.map(({ id }) => id));
          cursor = reply.meta.nextCursor;
        }
        expect(found).toEqual(expected.map(({ id }) => id));
      }),
      { numRuns: rounds(30, 150) },
    );
  }, 300_000);

  it("refuse unknown properties, and cursors of another list", async () => {
    for (const query of [
      "filter[size][eq]=1",
      "filter[constructor][eq]=1",
      "filter[width][eq]=wide",
      "filter[width][contains]=1",
      "filter[alt][null]=true",
      "filter[alt.x][eq]=1",
      "sort=size",
      "sort=__proto__",
      "sort=width,-width",
      "sort=width,height,alt,mime",
      "count=maybe",
      "search2=x",
    ]) {
      const reply = await client.call("GET", `/media?${query}`);
      expect([query, reply.status, reply.error.code]).toEqual([query, 400, "INVALID_PARAMETER"]);
    }
    const { meta } = await client.call("GET", "/media?limit=1&filter[width][gt]=5");
    const other = await client.call(
      "GET",
      `/media?limit=1&filter[width][gt]=6&cursor=${meta.nextCursor ?? ""}`,
    );
    expect(other.error.code).toBe("INVALID_CURSOR");
  });
});
