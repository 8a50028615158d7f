/** Changes of models with too many records for one request (RULES 3.2): in slices, beside reads and writes. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { takeSlice } from "../../../src/edge/models/change/4-work-in-background.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { modelChangesToDo } from "../../../src/edge/storage/models/background-changes.ts";
import { takeModelChanges } from "../../../src/edge/sweep/model-changes.ts";
import { CONTENT } from "../../../src/limits.ts";
import { eventsOf } from "../audit/support.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { expectConsistent } from "../support/content/content-crash.ts";
import { failingD1 } from "../support/bindings/failing-d1.ts";
import { bindings } from "../support/rows.ts";
import { ofRing, rounds } from "../../support/ring.ts";

cleanBetweenTests();

const db = database(bindings.DB);
const LIMITS = CONTENT as { checkedRecordsMax: number; checkedRecordsBatch: number };
const real = { ...LIMITS };

const PATH = "/models/collections/posts";
const POSTS = "/data/collections/posts";
const title = { name: "title", type: "string" };
const slug = { name: "slug", type: "string" };
const kind = { name: "kind", type: "string" };
const FIELDS = [title, slug, kind];

interface Change {
  state: string;
  checked: number;
  records: number;
  conflicts: { path: string; message: string }[];
}

let client: Client;
let ids: string[];
beforeEach(async () => {
  // As if a request had time for four records, and a slice for three.
  Object.assign(LIMITS, { checkedRecordsMax: 4, checkedRecordsBatch: 3 });
  client = await Client.make();
});
afterEach(() => {
  Object.assign(LIMITS, real);
});

/** Makes records in the order in which slices come to them: that of their ids. */
async function make(records: object[], options: object = {}): Promise<void> {
  await client.call("POST", "/models", {
    typeModel: "collections",
    name: "posts",
    fields: FIELDS,
    ...options,
  });
  const bulk = (operations: object[]) =>
    client.call<{ id: string }[]>("POST", `${POSTS}/bulk`, { operations });
  const made = await bulk(records.map(() => ({ op: "create", data: {} })));
  ids = made.data.map(({ id }) => id).sort();
  await bulk(records.map((data, n) => ({ op: "update", id: ids[n], data })));
}

const records = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => ({ title: `t${n}`, slug: `s${n}`, kind: n % 2 ? "odd" : "even" }));

const TIGHT = [
  { ...title, required: true },
  { ...slug, unique: true },
  { name: "kind", type: "enum", values: ["odd", "even"] },
];

const ask = (fields: object[] = TIGHT, more: object = {}) =>
  client.call<Change>("PUT", PATH, { fields, ...more });
const change = async (): Promise<Change> => (await client.call<Change>("GET", `${PATH}/change`)).data;
const work = () => takeModelChanges(db, Date.now(), (event) => expect(event).toEqual(null));
const slice = async (): Promise<void> => {
  const [due] = await modelChangesToDo(db, 1);
  if (due) await takeSlice(db, due, Date.now());
};
const fields = async (): Promise<object[]> =>
  (await client.call<{ fields: object[] }>("GET", PATH)).data.fields;

describe("a change that looks at many records", () => {
  it("is answered at once, tells how far it is, and takes effect at the end", async () => {
    await make(records(8));
    const asked = await ask();
    expect([asked.status, asked.data.state, asked.data.records]).toEqual([202, "working", 8]);
    expect(asked.headers.get("Location")).toMatch(/\/models\/collections\/posts\/change$/);
    expect(await fields()).toEqual(FIELDS.map((field) => expect.objectContaining(field) as object));
    await slice();
    expect(await change()).toMatchObject({ state: "working", checked: 3 });
    expect((await ask()).status).toBe(409);
    await work();
    expect(await change()).toMatchObject({ state: "done", checked: 8, conflicts: [] });
    expect(await fields()).toMatchObject(TIGHT);
    const taken = await client.call("POST", POSTS, { title: "x", slug: "s1" });
    expect([taken.status, taken.error.details?.[0]?.path]).toEqual([409, "slug"]);
    expect((await client.call("POST", POSTS, { slug: "new" })).status).toBe(400);
    const odd = await client.call<unknown[]>("GET", `${POSTS}?filter[kind][eq]=odd&sort=kind`);
    expect(odd.data).toHaveLength(4);
    await expectConsistent();
  });

  it("is refused by the first records that do not fit, by name, and leaves nothing", async () => {
    await make([...records(5), { slug: "s9" }, { title: "t6", slug: "s1" }]);
    await ask();
    await work();
    const refused = await change();
    expect(refused.state).toBe("refused");
    expect(refused.conflicts.map(({ path }) => path)).toEqual(["title"]);
    expect(refused.conflicts[0]?.message).toContain(`record ${ids[5]} is missing`);
    expect(await fields()).not.toMatchObject(TIGHT);
    await client.call("PUT", `${POSTS}/${ids[5]}`, { title: "there" });
    expect((await ask()).status).toBe(202);
    await work();
    const again = await change();
    expect([again.state, again.conflicts[0]?.path]).toEqual(["refused", "slug"]);
    expect(again.conflicts[0]?.message).toContain(`record ${ids[6]} has the value of record ${ids[1]}`);
    await expectConsistent();
    await client.call("PUT", `${POSTS}/${ids[6]}`, { slug: "free" });
    expect((await ask()).status).toBe(202);
    await work();
    expect((await change()).state).toBe("done");
    await expectConsistent();
  });

  it("lets reads and writes go on, and looks at what was written", async () => {
    await make(records(7));
    await ask();
    await slice();
    // Before and after where it is, in ways that fit.
    await client.call("PUT", `${POSTS}/${ids[0]}`, { slug: "s-new", kind: "odd" });
    await client.call("PUT", `${POSTS}/${ids[5]}`, { slug: "s0" });
    const made = await client.create("posts", { title: "new", slug: "s5" });
    await client.call("DELETE", `${POSTS}/${ids[2]}`);
    expect((await client.call<unknown[]>("GET", POSTS)).data).toHaveLength(7);
    await work();
    expect((await change()).state).toBe("done");
    expect((await client.call("POST", POSTS, { title: "x", slug: "s0" })).status).toBe(409);
    expect((await client.call("PUT", `${POSTS}/${made}`, { slug: "s-new" })).status).toBe(409);
    expect((await client.call("PUT", `${POSTS}/${made}`, { slug: "s2" })).status).toBe(200);
    await expectConsistent();
  });

  it.each([
    ["a value that does not fit", { kind: "neither" }, "kind"],
    ["what is required gone", { title: null }, "title"],
    ["a value twice", { slug: "s6" }, "slug"],
  ])("is refused for %s, written where it has looked already", async (_, data, path) => {
    await make(records(7));
    await ask();
    await slice();
    expect((await client.call("PUT", `${POSTS}/${ids[0]}`, data)).status).toBe(200);
    await work();
    const refused = await change();
    expect([refused.state, refused.conflicts.map((one) => one.path)]).toEqual(["refused", [path]]);
    await expectConsistent();
  });

  it("looks at drafts and at what is published, in the trash too", async () => {
    await make(records(6), { drafts: true });
    for (const id of ids) await client.call("POST", `${POSTS}/${id}/publish`);
    await client.call("PUT", `${POSTS}/${ids[3]}`, { title: null });
    await ask();
    await work();
    expect(await change()).toMatchObject({ state: "done", records: 12 });
    await expectConsistent();
    const other = [TIGHT[0] as object, TIGHT[1] as object, { ...TIGHT[2], values: ["odd"] }];
    await client.call("DELETE", `${POSTS}/${ids[0]}`);
    expect((await ask(other)).status).toBe(202);
    await work();
    const refused = await change();
    expect(refused.state).toBe("refused");
    expect(refused.conflicts[0]?.message).toContain(ids[0]);
  });

  it("is withdrawn, and another one can be asked for", async () => {
    await make(records(6));
    expect((await client.call("GET", `${PATH}/change`)).status).toBe(404);
    await ask();
    await slice();
    const withdrawn = await client.call<Change>("DELETE", `${PATH}/change`);
    expect([withdrawn.status, withdrawn.data.state]).toEqual([200, "withdrawn"]);
    const [line] = (await eventsOf(client, "model.withdrawn")).slice(-1);
    expect(line).toMatchObject({ actor: "root", target: "posts" });
    expect((await client.call("DELETE", `${PATH}/change`)).status).toBe(409);
    expect((await ask()).status).toBe(409);
    await work();
    await expectConsistent();
    expect((await ask()).status).toBe(202);
    await work();
    expect((await change()).state).toBe("done");
  });

  it("is told by a dry run, which begins nothing", async () => {
    await make(records(6));
    const dry = await client.call<{ inBackground: boolean }>("PUT", `${PATH}?dryRun=true`, { fields: TIGHT });
    expect([dry.status, dry.data.inBackground]).toEqual([200, true]);
    expect((await client.call("GET", `${PATH}/change`)).status).toBe(404);
    const looser = await client.call("PUT", PATH, { fields: [...FIELDS, { name: "more", type: "number" }] });
    expect(looser.status).toBe(200);
    const list = [title, slug, kind, { name: "more", type: "json" }];
    expect((await ask(list)).status).toBe(409);
  });

  it("is nobody's business but an admin's", async () => {
    await make(records(6));
    await ask();
    const other = await (await Client.make()).key("admin");
    for (const [key, status] of [
      [await client.key("write"), 403],
      [await client.key("read"), 403],
      [other, 404],
      [null, 401],
    ] as const) {
      for (const method of ["GET", "DELETE"])
        expect((await client.call(method, `${PATH}/change`, undefined, { key })).status).toBe(status);
    }
    expect((await change()).state).toBe("working");
  });
});

describe("a crash", () => {
  it("at any statement of any slice loses nothing and does nothing twice", async () => {
    let crashes = 0;
    const calls = [1, 2, 3, 5, 8];
    const failures = calls.flatMap((call) =>
      (["before", "after", 0, 1, 3] as const).map((at) => ({ call, at })),
    );
    for (const { call, at } of ofRing(failures, 4)) {
      const lost = failingD1(bindings.DB, { call, at });
      client = await Client.make();
      await make(records(5));
      await ask([title, { ...slug, unique: true }, kind]);
      await slice();
      await client.call("PUT", `${POSTS}/${ids[1]}`, { slug: "moved" });
      await takeModelChanges(database(lost.db), Date.now(), () => undefined).catch(() => undefined);
      if (lost.failed()) crashes += 1;
      await work();
      expect((await change()).state, `${call} ${at}`).toBe("done");
      const twice = await client.call("POST", POSTS, { title: "x", slug: "moved" });
      expect(twice.status, `${call} ${at}`).toBe(409);
      await expectConsistent();
    }
    expect(crashes).toBeGreaterThan(rounds(2, 10));
  });

  it("of one run beside another changes nothing", async () => {
    await make(records(9));
    await ask();
    const logged = vi.fn();
    await Promise.all([1, 2, 3].map(() => takeModelChanges(db, Date.now(), logged)));
    expect((await change()).state).toBe("done");
    await expectConsistent();
  });
});
