/** D1 lost at every point of what is done to drafts: contents and their index rows never part, and a retry goes through. */
import { sql } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import { takeDueSteps } from "../../../src/edge/sweep/schedules.ts";
import type { Client } from "../support/api.ts";
import { callFailing, expectConsistent, type Step } from "../support/content/content-crash.ts";
import { copyRows } from "../support/content/copied-rows.ts";
import { FIELDS, makePosts, makePublished, POSTS, publish, unpublish } from "../support/content/drafts.ts";
import { atEveryFailure, failingD1 } from "../support/bindings/failing-d1.ts";
import { bindings, emptyStorage } from "../support/rows.ts";

const db = database(bindings.DB);

interface Flow {
  prepare(client: Client): Promise<Step>;
  /** Statuses of the same request sent again. */
  again: number[];
}

const changed = async (client: Client): Promise<string> => {
  const id = await makePublished(client, { title: "published", slug: "a", n: 1 });
  await client.call("PUT", `${POSTS}/${id}`, { title: "draft", slug: "b", n: 2 });
  return `${POSTS}/${id}`;
};

/** Makes a page that shows something else than its draft. */
async function changedPage(client: Client): Promise<string> {
  const fields = [{ name: "headline", type: "string", default: "Hello" }];
  await client.call("POST", "/models", { typeModel: "pages", name: "home", fields, drafts: true });
  const path = "/data/pages/home/home";
  await client.call("PUT", path, { headline: "shown" });
  await client.call("POST", `${path}/publish`);
  await client.call("PUT", path, { headline: "draft" });
  return path;
}

const FLOWS: Record<string, Flow> = {
  "first publishing": {
    prepare: async (client) => {
      const id = await client.create("posts", { title: "one", slug: "a", n: 1 });
      return { method: "POST", path: `${POSTS}/${id}/publish`, body: {} };
    },
    again: [200],
  },
  "publishing of a change": {
    prepare: async (client) => ({ method: "POST", path: `${await changed(client)}/publish`, body: {} }),
    again: [200],
  },
  unpublishing: {
    prepare: async (client) => ({ method: "POST", path: `${await changed(client)}/unpublish`, body: {} }),
    again: [200],
  },
  "change of a draft": {
    prepare: async (client) => ({ method: "PUT", path: await changed(client), body: { slug: "c", n: null } }),
    again: [200],
  },
  deletion: {
    prepare: async (client) => ({ method: "DELETE", path: await changed(client) }),
    again: [200, 404],
  },
  "restore from the trash": {
    prepare: async (client) => {
      const path = await changed(client);
      await client.call("DELETE", path);
      return { method: "POST", path: `/trash/${path.split("/").at(-1)}/restore` };
    },
    again: [200, 404],
  },
  "reset of a page": {
    prepare: async (client) => ({ method: "DELETE", path: await changedPage(client) }),
    again: [200],
  },
  "restore of a page": {
    prepare: async (client) => {
      const { data } = await client.call<{ id: string }>("DELETE", await changedPage(client));
      await client.call("PUT", "/data/pages/home/home", { headline: "other" });
      await client.call("POST", "/data/pages/home/home/publish");
      return { method: "POST", path: `/trash/${data.id}/restore` };
    },
    again: [200, 404],
  },
  purge: {
    prepare: async (client) => {
      const path = await changed(client);
      await client.call("DELETE", path);
      return { method: "DELETE", path: `/trash/${path.split("/").at(-1)}` };
    },
    again: [200, 404],
  },
  "change of the model": {
    prepare: async (client) => {
      await changed(client);
      const fields = [
        ...FIELDS.filter(({ name }) => name !== "n"),
        { name: "k", type: "number", default: 3 },
      ];
      return { method: "PUT", path: "/models/collections/posts", body: { fields, drop: ["n"] } };
    },
    again: [200],
  },
  "switching off": {
    prepare: async (client) => {
      await makePublished(client, { title: "a" });
      return { method: "PUT", path: "/models/collections/posts", body: { fields: FIELDS, drafts: false } };
    },
    again: [200],
  },
  "switching on": {
    prepare: async (client) => {
      await makePublished(client, { title: "a", slug: "a" });
      await client.call("PUT", "/models/collections/posts", { fields: FIELDS, drafts: false });
      await client.create("posts", { title: "b", slug: "b" });
      return { method: "PUT", path: "/models/collections/posts", body: { fields: FIELDS, drafts: true } };
    },
    again: [200],
  },
};

/** A record is published as its columns say, with the version that they say, and is where its draft is. */
const TORN = sql`SELECT r.seq, r.id FROM records r JOIN models m ON m.id = r.model_id AND m.drafts
  LEFT JOIN records p ON p.model_id = -r.model_id AND p.id = r.id
  WHERE r.published_version IS NOT p.version OR r.published_at IS NOT p.published_at
    OR (p.seq IS NOT NULL AND r.first_published_at IS NOT p.first_published_at)
    OR (p.seq IS NOT NULL AND (r.deleted_at IS NOT p.deleted_at OR p.seq + 4503599627370496 <> r.seq))
  UNION ALL SELECT p.seq, p.id FROM records p JOIN models m ON m.id = -p.model_id AND m.drafts
    WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.model_id = m.id AND r.id = p.id)`;

async function expectWhole(): Promise<void> {
  expect(await db.all(TORN)).toEqual([]);
  await expectConsistent();
}

/** Patience, no measure of speed: a request per moment and call, on a machine that may be busy. */
const MANY_REQUESTS_MS = 600_000;

afterEach(emptyStorage);

describe("D1 lost at any moment of", () => {
  for (const [name, flow] of Object.entries(FLOWS)) {
    it(
      name,
      async () => {
        // Beside a space of the same content, which stays as it is.
        await flow.prepare(await makePosts());
        const client = await makePosts();
        const step = await flow.prepare(client);
        const putBack = await copyRows();
        const hits = await atEveryFailure(async (failure) => {
          await putBack();
          const { status, lost } = await callFailing(client, step, failure);
          await expectWhole();
          if (!lost.failed()) return lost;
          expect(status).toBe(500);
          const retried = await client.call(step.method, step.path, step.body);
          expect(flow.again, JSON.stringify(failure)).toContain(retried.status);
          await expectWhole();
          return lost;
        });
        expect(hits).toBeGreaterThan(3);
      },
      MANY_REQUESTS_MS,
    );
  }

  it(
    "a plan carried out, which the next run does, once",
    async () => {
      const client = await makePosts();
      const [one, two] = [
        await client.create("posts", { title: "a" }),
        await makePublished(client, { title: "b" }),
      ];
      const at = new Date(Date.now() + 3_600_000).toISOString();
      await publish(client, one, { at });
      await unpublish(client, two, { at });
      const now = Date.now() + 7_200_000;
      const putBack = await copyRows();
      const hits = await atEveryFailure(async (failure) => {
        await putBack();
        const lost = failingD1(bindings.DB, failure);
        const dropped: unknown[] = [];
        const run = takeDueSteps(database(lost.db), now, (event) => dropped.push(event));
        await run.catch(() => 0);
        await expectWhole();
        await takeDueSteps(db, now, (event) => dropped.push(event));
        await expectWhole();
        for (const [id, event, most] of [
          [one, "published", 1],
          [two, "unpublished", 1],
        ] as const) {
          const { data } = await client.call<{ event: string }[]>("GET", `${POSTS}/${id}/versions`);
          expect(data.filter((entry) => entry.event === event)).toHaveLength(most);
        }
        expect(JSON.stringify(dropped)).not.toContain("schedule-dropped");
        return lost;
      });
      expect(hits).toBeGreaterThan(3);
    },
    MANY_REQUESTS_MS,
  );
});
