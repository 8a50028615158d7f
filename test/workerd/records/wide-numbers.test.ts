/** Numbers whose decimal digits are not the double that they mean: one form is stored, indexed and compared. */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { batchSql, database } from "../../../src/edge/storage/database/database.ts";
import { asDouble } from "../../../src/edge/storage/records/record-index.ts";
import { Client } from "../support/api.ts";
import { expectConsistent } from "../support/content/content-crash.ts";
import { bindings } from "../support/rows.ts";

const db = database(bindings.DB);
const NS = "/data/collections/ns";

/** JSON.stringify writes fewer digits than these doubles have: 1234567890123456800 is the double …768. */
const WIDE = 1234567890123456800;
const OTHERS = [
  -WIDE,
  9007199254740994,
  2 ** 63,
  -(2 ** 63),
  1e20,
  1e21,
  1.7976931348623157e308,
  5e-324,
  0.1 + 0.2,
];

/** Yields the same 32-bit numbers at every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) yield (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
}

interface Item {
  id: string;
  n: number;
  other: string | null;
}

let client: Client;
let same: string[];
let all: string[];

const ids = async (query: string): Promise<string[]> => {
  const reply = await client.call<Item[]>("GET", `${NS}?limit=100&${query}`);
  expect([query, reply.status, reply.error]).toEqual([query, 200, undefined]);
  return reply.data.map(({ id }) => id);
};

/** Returns every record of a list, read a page at a time. */
async function paged(query: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor = ""; found.length <= all.length;) {
    const next = cursor === "" ? "" : `&cursor=${cursor}`;
    const { data, meta } = await client.call<Item[]>("GET", `${NS}?${query}&limit=1${next}`);
    found.push(...data.map(({ id }) => id));
    if (meta.nextCursor === null) return found;
    cursor = meta.nextCursor;
  }
  return found;
}

beforeAll(async () => {
  client = await Client.make();
  await client.model("ns", [
    { name: "n", type: "number" },
    { name: "other", type: "relation", to: "ns" },
  ]);
  same = [];
  while (same.length < 3) same.push(await client.create("ns", { n: WIDE }));
  all = [...same];
  for (const n of OTHERS) all.push(await client.create("ns", { n, other: same[0] }));
});

describe("a wide number", () => {
  it("is found by each operator", async () => {
    const sorted = [...same].sort();
    for (const query of [
      `filter[n][eq]=${WIDE}`,
      "filter[n][eq]=1234567890123456768",
      `filter[n][in]=${WIDE},1`,
      `filter[n][gte]=${WIDE}&filter[n][lte]=${WIDE}`,
      `filter[or][0][n][eq]=${WIDE}&filter[or][1][n][eq]=7`,
      `filter[or][0][n][gte]=${WIDE}&filter[or][0][n][lte]=${WIDE}&filter[or][1][n][eq]=7`,
    ]) {
      expect([query, (await ids(query)).sort()]).toEqual([query, sorted]);
      expect([query, (await paged(`${query}&sort=-updatedAt,n`)).sort()]).toEqual([query, sorted]);
    }
    for (const query of [`filter[n][ne]=${WIDE}`, `filter[n][nin]=${WIDE}`, `filter[n][gt]=${WIDE}`]) {
      expect((await ids(query)).filter((id) => same.includes(id))).toEqual([]);
    }
    expect(await ids(`filter[other.n][eq]=${WIDE}`)).toHaveLength(OTHERS.length);
    expect(await ids(`filter[other.n][ne]=${WIDE}`)).toEqual([]);
    expect((await client.call("GET", `${NS}?filter[n][eq]=${WIDE}&count=true`)).meta.total).toBe(3);
  });

  it("of every magnitude is found by itself", async () => {
    for (const [index, n] of OTHERS.entries()) {
      expect([n, await ids(`filter[n][eq]=${encodeURIComponent(n)}`)]).toEqual([n, [all[index + 3]]]);
      expect([n, await ids(`filter[n][in]=${encodeURIComponent(n)}`)]).toEqual([n, [all[index + 3]]]);
    }
  });

  it.each(["n", "-n", "n,createdAt", "-n,createdAt"])("is on one page of a list by %s", async (sort) => {
    expect((await paged(`sort=${sort}`)).sort()).toEqual([...all].sort());
    expect(await ids(`sort=${sort}`)).toEqual(await paged(`sort=${sort}`));
  });
});

describe("a unique wide number", () => {
  it("is taken by every spelling of it", async () => {
    await client.model("codes", [{ name: "code", type: "number", unique: true }]);
    const id = await client.create("codes", { code: WIDE });
    for (const text of ['{"code":1234567890123456768}', '{"code":1.2345678901234568e18}']) {
      const reply = await client.call("POST", "/data/collections/codes", undefined, { text });
      expect([reply.status, reply.error.details]).toMatchObject([409, [{ path: "code" }]]);
    }
    expect((await client.call("PUT", `/data/collections/codes/${id}`, { code: WIDE })).data["version"]).toBe(
      1,
    );
    await client.call("DELETE", `/data/collections/codes/${id}`);
    await client.create("codes", { code: WIDE });
    expect((await client.call("POST", `/trash/${id}/restore`)).status).toBe(409);
  });

  it("stands against a field that is to become unique", async () => {
    await client.model("plain", [{ name: "code", type: "number" }]);
    await client.create("plain", { code: WIDE });
    await client.create("plain", { code: WIDE });
    const fields = [{ name: "code", type: "number", unique: true }];
    expect((await client.call("PUT", "/models/collections/plain", { fields })).status).toBe(409);
  });
});

it("a default is found in records that are older than the field, and in what is published", async () => {
  const drafts = { typeModel: "collections", name: "drafted", drafts: true, fields: [] };
  await client.call("POST", "/models", drafts);
  const old = await client.create("drafted", {});
  await client.call("POST", `/data/collections/drafted/${old}/publish`);
  const fields = [{ name: "n", type: "number", default: WIDE, max: WIDE, min: WIDE }];
  expect((await client.call("PUT", "/models/collections/drafted", { fields })).status).toBe(200);
  const fresh = await client.create("drafted", {});
  await client.call("POST", `/data/collections/drafted/${fresh}/publish`);
  for (const status of ["draft", "published"]) {
    const query = `filter[n][eq]=${WIDE}&status=${status}&sort=createdAt`;
    const found = await client.call<Item[]>("GET", `/data/collections/drafted?${query}`);
    expect(found.data.map(({ id, n }) => [id, n])).toEqual([
      [old, WIDE],
      [fresh, WIDE],
    ]);
  }
  const tighter = [{ name: "n", type: "number", max: WIDE - 1024 }];
  const conflict = await client.call("PUT", "/models/collections/drafted", { fields: tighter });
  expect(conflict.status).toBe(409);
});

it("every double that JSON writes is read by D1 as the double that it binds", async () => {
  const bits = new DataView(new ArrayBuffer(8));
  const random = numbers(7);
  const doubles: number[] = [];
  while (doubles.length < 2000) {
    bits.setUint32(0, random.next().value);
    bits.setUint32(4, random.next().value);
    const wide = Math.round(bits.getUint32(0) * bits.getUint32(4) * 0.7);
    for (const n of [bits.getFloat64(0), wide, -wide, wide / 1e9]) if (Number.isFinite(n)) doubles.push(n);
  }
  const differing = doubles.map((n) => {
    const read = asDouble(sql`json_extract(${JSON.stringify([n])}, '$[0]')`);
    return sql`SELECT ${JSON.stringify(n)} AS n WHERE ${read} <> ${n}`;
  });
  expect((await batchSql(db, differing)).flat()).toEqual([]);
});

it("every index row is a double, or a whole number that is one", async () => {
  const rows = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM record_values
    WHERE typeof(value) = 'integer' AND abs(value) > 9007199254740992`);
  expect(rows).toEqual([{ n: 0 }]);
  await expectConsistent();
});

describe("a number of a filter that a double cannot hold", () => {
  it.each([
    "9007199254740993",
    "-9007199254740993",
    "1e400",
    "0.1000000000000000055",
    "1e-400",
    "1234567890123456789",
  ])("%s is 400, as in a body", async (text) => {
    for (const query of [
      `filter[n][eq]=${text}`,
      `filter[n][in]=1,${text}`,
      `filter[n][gt]=${text}`,
      `filter[or][0][n][eq]=${text}`,
      `filter[other.n][lt]=${text}`,
      `filter[version][eq]=${text}`,
    ]) {
      const reply = await client.call("GET", `${NS}?${query}`);
      expect([query, reply.status, reply.error.code]).toEqual([query, 400, "INVALID_PARAMETER"]);
    }
    const media = await client.call("GET", `/media?filter[width][eq]=${text}`);
    expect([text, media.status]).toEqual([text, 400]);
    const body = await client.call("POST", NS, undefined, { text: `{"n":${text}}` });
    expect([text, body.status]).toEqual([text, 400]);
  });

  it.each(["9007199254740992", "9007199254740994", "1234567890123456768", ".5", "-.5", "0.1", "1e308"])(
    "%s is none",
    async (text) => {
      expect((await client.call("GET", `${NS}?filter[n][eq]=${text}`)).status).toBe(200);
    },
  );
});
