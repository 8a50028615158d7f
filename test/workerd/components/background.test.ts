/** Changes of components with too many records for one request (RULES 3.26): in slices, beside reads and writes. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeSlice } from "../../../src/edge/models/change/4-work-in-background.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { modelChangesToDo } from "../../../src/edge/storage/models/background-changes.ts";
import { takeModelChanges } from "../../../src/edge/sweep/model-changes.ts";
import { CONTENT } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings } from "../support/rows.ts";
import { component } from "./support.ts";

cleanBetweenTests();

const db = database(bindings.DB);
const LIMITS = CONTENT as { checkedRecordsMax: number; checkedRecordsBatch: number };
const real = { ...LIMITS };
const CTA = "/models/components/cta";
const TIGHT = [{ name: "label", type: "string", maxLength: 5 }];

interface Change {
  state: string;
  checked: number;
  records: number;
  conflicts: { path: string; message: string }[];
}

let client: Client;
beforeEach(async () => {
  Object.assign(LIMITS, { checkedRecordsMax: 4, checkedRecordsBatch: 2 });
  client = await Client.make();
  await component(client, "cta", [{ name: "label", type: "string" }]);
  await component(client, "hero", [{ name: "cta", type: "component", component: "cta" }]);
  await client.model("posts", [{ name: "cta", type: "component", component: "cta" }]);
  await client.call("POST", "/models", {
    typeModel: "collections",
    name: "articles",
    drafts: true,
    fields: [{ name: "sections", type: "blocks", components: ["hero"] }],
  });
});
afterEach(() => {
  Object.assign(LIMITS, real);
});

const hero = (label: string) => ({ sections: [{ _type: "hero", cta: { label } }] });
const ask = () => client.call<Change>("PUT", CTA, { fields: TIGHT });
const change = async (): Promise<Change> => (await client.call<Change>("GET", `${CTA}/change`)).data;
const work = () => takeModelChanges(db, Date.now(), (event) => expect(event).toEqual(null));
const slice = async (): Promise<void> => {
  const [due] = await modelChangesToDo(db, 1);
  if (due) await takeSlice(db, due, Date.now());
};

describe("a change of a component with many records", () => {
  it("is answered at once, looks at the records of all holders, and takes effect in all at the end", async () => {
    for (let n = 0; n < 3; n++) await client.create("posts", { cta: { label: `p${n}` } });
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push(await client.create("articles", hero(`a${n}`)));
    await client.call("POST", `/data/collections/articles/${ids[0]}/publish`, {});
    const asked = await ask();
    expect([asked.status, asked.data.state, asked.data.records]).toEqual([202, "working", 7]);
    await slice();
    expect(await change()).toMatchObject({ state: "working", checked: 2 });
    expect((await client.call("POST", "/data/collections/posts", { cta: { label: "so long" } })).status).toBe(
      201,
    );
    await work();
    const refused = await change();
    expect([refused.state, refused.conflicts.map(({ path }) => path)]).toEqual(["refused", ["label"]]);
    expect(refused.conflicts[0]?.message).toContain("at cta.label must have at most 5 characters");
    const list = await client.call<{ id: string; cta: { label: string } }[]>(
      "GET",
      "/data/collections/posts",
    );
    const long = list.data.find(({ cta }) => cta.label === "so long");
    await client.call("PUT", `/data/collections/posts/${long?.id}`, { cta: { label: "short" } });
    expect((await ask()).status).toBe(202);
    await work();
    expect(await change()).toMatchObject({ state: "done", conflicts: [] });
    const fits = (label: string) => client.call("POST", "/data/collections/articles", hero(label));
    expect([(await fits("short")).status, (await fits("longer")).status]).toEqual([201, 400]);
  });

  it("finds a published content that does not fit, though the draft does", async () => {
    for (let n = 0; n < 4; n++) await client.create("posts", {});
    const id = await client.create("articles", hero("published"));
    await client.call("POST", `/data/collections/articles/${id}/publish`, {});
    await client.call("PUT", `/data/collections/articles/${id}`, hero("draft"));
    expect((await ask()).status).toBe(202);
    await work();
    const refused = await change();
    expect(refused.conflicts[0]?.message).toContain(`record ${id} at sections.0.cta.label`);
  });

  it("is refused if another model holds the component meanwhile, and leaves all as it was", async () => {
    for (let n = 0; n < 5; n++) await client.create("posts", { cta: { label: "a" } });
    expect((await ask()).status).toBe(202);
    await client.model("later", [{ name: "cta", type: "component", component: "cta" }]);
    await client.create("later", { cta: { label: "a long one" } });
    await work();
    const refused = await change();
    expect([refused.state, refused.conflicts[0]?.message]).toEqual([
      "refused",
      "is held by later since this change began: ask for it again",
    ]);
    expect((await client.call("DELETE", "/models/components/hero")).status).toBe(409);
    expect((await ask()).status).toBe(202);
    await work();
    expect((await change()).conflicts[0]?.message).toContain("at cta.label must have");
  });

  it("is withdrawn on demand", async () => {
    for (let n = 0; n < 5; n++) await client.create("posts", { cta: { label: "a long one" } });
    await ask();
    expect((await client.call("DELETE", `${CTA}/change`)).status).toBe(200);
    await work();
    expect(await change()).toMatchObject({ state: "withdrawn" });
    await client.create("posts", { cta: { label: "a long one" } });
  });
});
