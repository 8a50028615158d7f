/** D1 lost at every point of every write: index rows, unique values and records never part, and a retry goes through. */
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import { Client } from "../support/api.ts";
import { callFailing, expectConsistent, type Step } from "../support/content/content-crash.ts";
import { copyRows } from "../support/content/copied-rows.ts";
import { atEveryFailure } from "../support/bindings/failing-d1.ts";
import { runSweep } from "../support/sweep.ts";
import { bindings, emptyStorage } from "../support/rows.ts";

const db = database(bindings.DB);

interface Flow {
  /** Makes what the step needs; gives the step. */
  prepare(client: Client): Promise<Step>;
  /** Statuses of the same request sent again after a failure; the later ones where the first took effect unheard. */
  again: number[];
}

const FIELDS = [
  { name: "title", type: "string", unique: true },
  { name: "n", type: "number", default: 1 },
  { name: "list", type: "relation", to: "items", multiple: true },
];

const make = async (client: Client, title: string): Promise<string> => client.create("items", { title });

const FLOWS: Record<string, Flow> = {
  create: {
    prepare: () =>
      Promise.resolve({ method: "POST", path: "/data/collections/items", body: { title: "new", n: 2 } }),
    again: [201, 409],
  },
  update: {
    prepare: async (client) => ({
      method: "PUT",
      path: `/data/collections/items/${await make(client, "old")}`,
      body: { title: "changed", n: null, list: [] },
    }),
    again: [200],
  },
  delete: {
    prepare: async (client) => ({
      method: "DELETE",
      path: `/data/collections/items/${await make(client, "doomed")}`,
    }),
    again: [200, 404],
  },
  "delete without a trash": {
    prepare: async (client) => {
      const path = `/data/collections/items/${await make(client, "doomed")}`;
      await bindings.DB.prepare("UPDATE spaces SET trash_retention_days = 0 WHERE id = ?")
        .bind(client.space.id)
        .run();
      return { method: "DELETE", path };
    },
    again: [200, 404],
  },
  restore: {
    prepare: async (client) => {
      const id = await make(client, "back");
      await client.call("DELETE", `/data/collections/items/${id}`);
      return { method: "POST", path: `/trash/${id}/restore` };
    },
    again: [200, 404],
  },
  purge: {
    prepare: async (client) => {
      const id = await make(client, "away");
      await client.call("DELETE", `/data/collections/items/${id}`);
      return { method: "DELETE", path: `/trash/${id}` };
    },
    again: [200, 404],
  },
  "reset of a page": {
    prepare: async (client) => {
      await client.call("PUT", "/data/pages/front/front", { headline: "Edited" });
      return { method: "DELETE", path: "/data/pages/front/front" };
    },
    again: [200],
  },
  "restore of a page": {
    prepare: async (client) => {
      await client.call("PUT", "/data/pages/front/front", { headline: "Edited" });
      const { data } = await client.call("DELETE", "/data/pages/front/front");
      await client.call("PUT", "/data/pages/front/front", { headline: "Newer" });
      return { method: "POST", path: `/trash/${String(data["id"])}/restore` };
    },
    again: [200, 404],
  },
  "restore of a version": {
    prepare: async (client) => {
      const path = `/data/collections/items/${await make(client, "was")}`;
      await client.call("PUT", path, { title: "is", n: 7 });
      return { method: "POST", path: `${path}/versions/1/restore` };
    },
    again: [200],
  },
  "change of a model": {
    prepare: async (client) => {
      await make(client, "one");
      await make(client, "two");
      const fields = [
        { name: "title", type: "text" },
        { name: "added", type: "number", default: 5 },
        { name: "list", type: "relation", to: "items", multiple: true },
      ];
      return { method: "PUT", path: "/models/collections/items", body: { fields, drop: ["n"] } };
    },
    again: [200],
  },
  "making of a page model": {
    prepare: () =>
      Promise.resolve({
        method: "POST",
        path: "/models",
        body: { typeModel: "pages", name: "about", fields: [{ name: "a", type: "string", default: "x" }] },
      }),
    again: [201, 409],
  },
};

async function makeItems(): Promise<Client> {
  const client = await Client.make();
  await client.model("items", FIELDS);
  const headline = { name: "headline", type: "string", unique: true, default: "Hello" };
  await client.model("front", [headline], "pages");
  return client;
}

const doomedFields = (): Promise<unknown[]> => db.all(sql`SELECT * FROM doomed_fields`);

/** Checks that the sweep removes index rows of fields that no longer exist. */
async function expectNoDroppedFields(): Promise<void> {
  const now = Date.now() + 3 * 86_400_000;
  while ((await doomedFields()).length > 0) expect((await runSweep(now)).droppedFields).toBeGreaterThan(0);
  const unknown = sql`SELECT v.* FROM record_values v JOIN models m ON m.id = v.model_id
    WHERE v.field NOT IN (SELECT f.value ->> 'no' FROM json_each(m.fields) f)`;
  expect(await db.all(unknown)).toEqual([]);
}

/** Patience, no measure of speed: a request per moment and call, on a machine that may be busy. */
const MANY_REQUESTS_MS = 600_000;

afterEach(emptyStorage);

describe("D1 lost at any moment of a", () => {
  for (const [name, flow] of Object.entries(FLOWS)) {
    it(
      name,
      async () => {
        // Beside a space of the same content, which stays as it is.
        await flow.prepare(await makeItems());
        const client = await makeItems();
        const step = await flow.prepare(client);
        const putBack = await copyRows();
        const hits = await atEveryFailure(async (failure) => {
          await putBack();
          const { status, lost } = await callFailing(client, step, failure);
          await expectConsistent();
          if (!lost.failed()) return lost;
          expect(status).toBe(500);
          const retried = await client.call(step.method, step.path, step.body);
          expect(flow.again, JSON.stringify(failure)).toContain(retried.status);
          await expectConsistent();
          await expectNoDroppedFields();
          return lost;
        });
        expect(hits).toBeGreaterThan(3);
      },
      MANY_REQUESTS_MS,
    );
  }
});

describe("a removed space", () => {
  it("loses its records, models and index rows to the sweep, and other spaces keep theirs", async () => {
    const [gone, stays] = [await Client.make(), await Client.make()];
    for (const client of [gone, stays]) {
      await client.model("items", FIELDS);
      const id = await make(client, "same");
      await client.call("DELETE", `/data/collections/items/${id}`);
      await make(client, "same");
    }
    const count = async (client: Client) =>
      await bindings.DB.prepare("SELECT count(*) AS n FROM records WHERE space_id = ?")
        .bind(client.space.id)
        .first("n");
    expect((await gone.call("DELETE", "", { confirm: gone.space.name })).status).toBe(200);
    for (let run = 0; run < 20 && (await count(gone)) !== 0; run++) await runSweep(Date.now());
    await runSweep(Date.now());
    expect(await count(gone)).toBe(0);
    expect(await count(stays)).toBe(2);
    const models = await bindings.DB.prepare("SELECT 1 FROM models WHERE space_id = ?")
      .bind(gone.space.id)
      .all();
    expect(models.results).toEqual([]);
    await expectConsistent();
  });

  it("leaves the trash when its retention is over, not before", async () => {
    const client = await Client.make();
    await client.model("items", FIELDS);
    const id = await make(client, "due");
    await client.call("DELETE", `/data/collections/items/${id}`);
    const at = (days: number) => runSweep(Date.now() + days * 86_400_000);
    await at(29);
    expect((await client.call<object[]>("GET", "/trash")).data).toHaveLength(1);
    expect((await at(31)).purgedRecords).toBeGreaterThan(0);
    expect((await client.call<object[]>("GET", "/trash")).data).toEqual([]);
    expect((await client.call("POST", `/trash/${id}/restore`)).status).toBe(404);
  });
});
