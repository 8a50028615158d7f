/** What an outage has left planned (RULES 3.12): taken by as few queries as it takes, while there is time. */
import { beforeEach, describe, expect, it } from "vitest";
import { countedD1, database } from "../../../src/edge/storage/database/database.ts";
import { takeDueSteps } from "../../../src/edge/sweep/schedules.ts";
import { SWEEP } from "../../../src/limits.ts";
import type { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { expectConsistent } from "../support/content-crash.ts";
import { makePosts, POSTS } from "../support/drafts.ts";
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
});
