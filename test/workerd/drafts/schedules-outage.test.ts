/**
 * Schedules that an outage has left over (RULES 3.12): the sweep takes them by as few queries as it can, while there is
 * time.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { countedD1, database } from "../../../src/edge/storage/database/database.ts";
import { takeDueSteps } from "../../../src/edge/sweep/schedules.ts";
import { SWEEP } from "../../../src/limits.ts";
import type { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { expectConsistent } from "../support/content/content-crash.ts";
import { makePosts, POSTS } from "../support/content/drafts.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

const db = database(bindings.DB);

let client: Client;
beforeEach(async () => {
  client = await makePosts();
});

const isPublic = async (id = ""): Promise<boolean> =>
  (await client.call("GET", `${POSTS}/${id}`)).status === 200;

describe("what has come due", () => {
  it("is carried out in time by one run, however many an outage has left, the earliest first", async () => {
    const ids: string[] = [];
    for (let part = 0; part < 4; part++) {
      const operations = Array.from({ length: 80 }, () => ({ op: "create", data: { title: "one" } }));
      const made = await client.call<{ id: string }[]>("POST", `${POSTS}/bulk`, { operations });
      ids.push(...made.data.map(({ id }) => id));
    }
    // The last one made is planned first.
    await bindings.DB.prepare("UPDATE records SET publish_at = 100000 - seq WHERE model_id > 0").run();
    await bindings.DB.prepare("UPDATE records SET unpublish_at = 200000 WHERE id = ?").bind(ids[7]).run();
    const count = { queries: 0 };
    const counted = database(countedD1(bindings.DB, count));
    expect(
      await takeDueSteps(
        counted,
        300_000,
        () => undefined,
        () => 0,
      ),
    ).toBe(321);
    expect(count.queries).toBeLessThanOrEqual(3 * Math.ceil(321 / SWEEP.schedulesPerBatch) + 4);
    const { results } = await bindings.DB.prepare(
      "SELECT record FROM record_versions WHERE event = 'published' ORDER BY rowid",
    ).all<{ record: number }>();
    expect(results.map(({ record }) => record)).toEqual(
      results.map(({ record }) => record).sort((a, b) => b - a),
    );
    expect(results.length).toBe(320);
    expect(await isPublic(ids[7])).toBe(false);
    expect(await isPublic(ids[8])).toBe(true);
    expect(
      await takeDueSteps(
        counted,
        300_000,
        () => undefined,
        () => 0,
      ),
    ).toBe(0);
    await expectConsistent();
  });

  it("is left to the next run once the time of this one is over", async () => {
    const operations = Array.from({ length: SWEEP.schedulesPerBatch + 1 }, () => ({
      op: "create",
      data: { title: "one" },
    }));
    await client.call("POST", `${POSTS}/bulk`, { operations });
    await bindings.DB.prepare("UPDATE records SET publish_at = seq WHERE model_id > 0").run();
    let at = 0;
    const clock = (): number => (at += SWEEP.schedulesMs / 2);
    expect(await takeDueSteps(db, 300_000, () => undefined, clock)).toBe(SWEEP.schedulesPerBatch);
    expect(await takeDueSteps(db, 300_000, () => undefined, clock)).toBe(1);
  });

  it("asks what records hold in locales before it publishes them, and not before it unpublishes them", async () => {
    const locales = [{ code: "en" }, { code: "de" }];
    expect((await client.call("PATCH", "/settings", { locales })).status).toBe(200);
    const fields = [{ name: "title", type: "string", localized: true, requiredIn: "all" }];
    const model = { typeModel: "collections", name: "news", drafts: true, fields };
    expect((await client.call("POST", "/models", model)).status).toBe(201);
    const ids: string[] = [];
    for (let n = 0; n < 10; n++) {
      const id = await client.create("news", { title: `News ${n}` });
      await client.call("PUT", `/data/collections/news/${id}?locale=de`, { title: `Neues ${n}` });
      ids.push(id);
    }
    const planned = async (step: "publish" | "unpublish", at: number): Promise<number> => {
      const body = { at: new Date(at).toISOString() };
      for (const id of ids) {
        const { status } = await client.call("POST", `/data/collections/news/${id}/${step}`, body);
        expect(status).toBe(200);
      }
      const count = { queries: 0 };
      const counted = database(countedD1(bindings.DB, count));
      const taken = await takeDueSteps(
        counted,
        at,
        () => undefined,
        () => 0,
      );
      // The default locale has its plan in a column of its own, so a record has two steps.
      expect(taken).toBe(2 * ids.length);
      return count.queries;
    };
    const isShown = async (locale: string): Promise<boolean> =>
      (await client.call("GET", `/data/collections/news/${ids[0]}?locale=${locale}`)).status === 200;
    const at = Date.now() + 1_000_000;
    const ofPublish = await planned("publish", at);
    expect([await isShown("en"), await isShown("de")]).toEqual([true, true]);
    expect(await planned("unpublish", at + 1_000_000)).toBe(ofPublish - 2 * ids.length);
    expect([await isShown("en"), await isShown("de")]).toEqual([false, false]);
  });
});
