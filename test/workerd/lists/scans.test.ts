/** Filters of texts that no index has (RULES 3.18) have a price per request and a budget per payer. */
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { modelOf } from "../../../src/content/model/model.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { readModel } from "../../../src/edge/storage/models/models.ts";
import { addIndexRows, int } from "../../../src/edge/storage/records/record-index.ts";
import { SCAN } from "../../../src/limits.ts";
import { Client, type Reply } from "../support/api.ts";
import { requestWith } from "../support/http.ts";
import { bindings } from "../support/rows.ts";

const LARGE = { records: 6000, bytes: 6000 };
const SMALL = { records: 100, bytes: 600 };
const DRAFTS = { records: 1000, bytes: 600 };
/** No measure of speed: thousands of rows are made first. */
const MANY_ROWS_MS = 120_000;

const db = database(bindings.DB);
let client: Client;
let key: string;
let nextAddress = 1;
let address: string;

async function fill(
  filled: Client,
  name: string,
  { records, bytes }: typeof LARGE,
  drafts = false,
): Promise<void> {
  const fields = [
    { name: "body", type: "text" },
    { name: "kind", type: "number" },
    { name: "next", type: "relation", to: name },
  ];
  const { space } = filled;
  await filled.call("POST", "/models", { typeModel: "collections", name, fields, public: true, drafts });
  const row = await readModel(db, space.id, "collections", name);
  if (!row) throw new Error("no model");
  const model = modelOf(row);
  await db.run(sql`/* fixture */ WITH RECURSIVE i(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM i WHERE n + 1 < ${int(records)})
    INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
    SELECT ${model.id}, ${space.id}, printf(${`${name}%020d`}, n),
      json_object('1', 'Word ' || n || hex(zeroblob(${int(bytes / 2)})), '2', n % 1000, '3', printf(${`${name}%020d`}, 0)),
      '{}', ${int(bytes)}, 1, 1000 + n, 1000 + n FROM i`);
  for (const statement of addIndexRows(model.fields, sql`r.model_id = ${model.id}`))
    await db.run(sql`/* fixture */ ${statement}`);
}

beforeAll(async () => {
  client = await Client.make();
  await fill(client, "large", LARGE);
  await fill(client, "small", SMALL);
  key = await client.key("read");
}, MANY_ROWS_MS);

beforeEach(() => {
  address = `192.0.2.${nextAddress++}`;
});

const ask = (model: string, query: string, by: string | null = null): Promise<Reply<object[]>> =>
  client.call("GET", `/data/collections/${model}?${query}`, undefined, {
    key: by,
    headers: { "CF-Connecting-IP": address },
  });

/** Returns ten groups with values that no earlier request had. */
const attack = (operator = "icontains"): string =>
  `count=true&${Array.from({ length: 10 }, (_, n) => `filter[or][${n}][body][${operator}]=${crypto.randomUUID()}`).join("&")}`;

describe("without a key", () => {
  it.each(["contains", "icontains"])("refuses %s on many long texts, and names it", async (operator) => {
    const { status, error } = await ask("large", attack(operator));
    expect([status, error.code]).toEqual([400, "INVALID_PARAMETER"]);
    expect(error.message).toContain(`filter[or][0][body][${operator}]`);
    expect(error.message).toContain("send a key");
    expect(error.message).toContain("leave out count");
  });

  it.each([
    ["alone", "filter[body][contains]=zzz"],
    ["through a relation", "filter[next.body][icontains]=zzz"],
    ["of a text that is longer than the index keeps", `filter[body][eq]=${"x".repeat(300)}`],
    ["of a prefix that is longer than the index keeps", `filter[body][startsWith]=${"x".repeat(300)}`],
    ["beside a filter that leaves many", "filter[kind][gte]=0&filter[body][icontains]=zzz"],
  ])("refuses a scan %s", async (_, query) => {
    expect((await ask("large", query)).status).toBe(400);
    expect((await ask("small", query)).status).toBe(200);
  });

  it("serves what an index answers, and a scan of the few records that another filter leaves", async () => {
    for (const query of ["filter[kind][eq]=7", "filter[body][startsWith]=Word 7", "count=true&sort=-kind"]) {
      expect((await ask("large", query)).status, query).toBe(200);
    }
    const narrowed = await ask("large", "count=true&filter[kind][eq]=7&filter[body][icontains]=WORD 1007");
    expect([narrowed.status, narrowed.meta.total]).toEqual([200, 1]);
  });

  it("searches in a small collection as before", async () => {
    const found = await ask("small", "count=true&filter[body][icontains]=word 1");
    expect([found.status, found.meta.total]).toEqual([200, 11]);
    expect((await ask("small", attack())).data).toEqual([]);
  });

  it("loads no text of a list that it refuses", async () => {
    const statements: string[] = [];
    const DB = new Proxy(bindings.DB, {
      get(d1, name) {
        if (name === "batch") return d1.batch.bind(d1);
        return (text: string) => {
          statements.push(text);
          return d1.prepare(text);
        };
      },
    });
    const path = `/api/v1/${client.space.name}/data/collections/large?${attack()}`;
    const headers = { "CF-Connecting-IP": address };
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => requestWith({ DB }, path, { headers })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(400));
    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((text) => /instr|json_extract/.test(text))).toEqual([]);
  });
});

describe("the budget of a minute", () => {
  const perRequest = 10 * 2 * SMALL.records * SCAN.bytesPerRecord;

  /** Does something with a smaller budget. A slow machine does not use up that of the rules within its minute. */
  async function withBudget<T>(
    budget: { minuteBytes: number },
    bytes: number,
    work: () => Promise<T>,
  ): Promise<T> {
    const { minuteBytes } = budget;
    budget.minuteBytes = bytes;
    try {
      return await work();
    } finally {
      budget.minuteBytes = minuteBytes;
    }
  }

  it("is an address's own without a key, then 429", () =>
    withBudget(SCAN.withoutKey, 3 * SCAN.withoutKey.requestBytes, async () => {
      const most = SCAN.withoutKey.minuteBytes / perRequest;
      let refused: Reply<object[]> | null = null;
      for (let n = 0; n <= most && !refused; n++) {
        const reply = await ask("small", attack());
        if (reply.status === 429) refused = reply;
      }
      expect(refused?.error.code).toBe("RATE_LIMITED");
      expect(Number(refused?.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect((await ask("small", "filter[kind][eq]=7")).status).toBe(200);
      address = `192.0.2.${nextAddress++}`;
      expect((await ask("small", attack())).status).toBe(200);
    }));

  /**
   * Returns how often a list is answered before its caller has spent a budget of `rows` rows; 20 if that is never
   * refused.
   */
  const answeredWithin = (
    budget: { minuteBytes: number },
    rows: number,
    list: () => Promise<Reply<unknown>>,
  ): Promise<number> =>
    withBudget(budget, rows * SCAN.bytesPerRow, async () => {
      for (let answered = 0; answered < 20; answered++) {
        const { status } = await list();
        if (status === 429) return answered;
        expect(status).toBe(200);
      }
      return 20;
    });

  it("is also spent by the rows that indexes give, by each caller for itself", async () => {
    const indexed =
      "count=true&filter[kind][ne]=5000&filter[or][0][kind][nin]=1&filter[or][1][kind][gte]=0&sort=kind";
    const answered = await answeredWithin(SCAN.withoutKey, 2 * LARGE.records, () => ask("large", indexed));
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(20);
    expect((await ask("large", indexed, key)).status).toBe(200);
  });

  it.each(["filter[status][eq]=changed", "sort=publishedAt"])(
    "is spent by drafts with %s, which are checked record by record",
    async (query) => {
      const drafting = await Client.make();
      await fill(drafting, "drafts", DRAFTS, true);
      const answered = await answeredWithin(SCAN.withKey, 2 * DRAFTS.records, () =>
        drafting.call("GET", `/data/collections/drafts?status=draft&${query}`),
      );
      expect(answered).toBeGreaterThan(0);
      expect(answered).toBeLessThan(20);
    },
  );
});

describe("with a key", () => {
  it("reads more, up to a bound", async () => {
    const found = await ask("large", "count=true&filter[body][icontains]=word 599", key);
    expect([found.status, found.meta.total]).toEqual([200, 11]);
    const { status, error } = await ask("large", attack(), key);
    expect([status, error.code]).toEqual([400, "INVALID_PARAMETER"]);
    expect(error.message).not.toContain("send a key");
  });
});
