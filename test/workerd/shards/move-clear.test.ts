/** Changed rows that are removed from a copy until they are copied, because their unique values may be in the way. */
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { moveOn } from "../../../src/edge/shards/moves/move.ts";
import { SPACE_TABLES } from "../../../src/edge/storage/shards/tables.ts";
import { MOVE } from "../../../src/limits.ts";
import { meanwhile } from "../support/bindings/meanwhile.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { makeRich, rowsOf, run, shardDb } from "../support/moves.ts";
import { databases, deployed } from "../support/rows.ts";

cleanBetweenTests();
beforeEach(() => void vi.spyOn(console, "error").mockReturnValue(undefined));

const LIMITS = { ...MOVE };
afterEach(() => void Object.assign(MOVE, LIMITS));

/** Steps under which a change is made. */
const STEPS_MAX = 50;
const SIGNS = "/data/collections/signs";

/** Copies a space with two signs up to its media, so that the changes that follow are made under the copy. */
async function makeCopied() {
  const { client } = await makeRich(2);
  const { id } = client.space;
  await client.model("signs", [{ name: "slug", type: "string", unique: true }]);
  const signs: string[] = [];
  for (const slug of ["sign-0", "sign-1"]) signs.push(`${SIGNS}/${await client.create("signs", { slug })}`);
  await shardDb(1).run(sql`INSERT INTO space_moves (space_id, move, state, other, started_at)
    VALUES (${id}, 1, 'leaving', 2, 1)`);
  const media = SPACE_TABLES.findIndex(({ name }) => name === "media");
  const at = async (): Promise<number> =>
    (
      await shardDb(2).get<{ at: number | null } | undefined>(
        sql`SELECT progress ->> '$.walk.table' AS at FROM space_moves WHERE space_id = ${id}`,
      )
    )?.at ?? -1;
  Object.assign(MOVE, { queriesPerRun: 60 });
  for (let runs = 0; runs < 100 && (await at()) < media; runs++) await moveOn(deployed, 1, id, run());
  expect(await at()).toBeGreaterThanOrEqual(media);
  const put = async (n: number, slug: string): Promise<void> =>
    expect((await client.call("PUT", signs[n] ?? "", { slug })).status).toBe(200);
  // A slow machine makes no last slice in the time of the rules.
  Object.assign(MOVE, LIMITS, { closedMaxMs: 600_000, switchMaxMs: 500_000 });
  return { client, id, put };
}

const moveOf = (id: string): Promise<{ state: string; reason: string | null }> =>
  shardDb(1).get(sql`SELECT state, reason FROM space_moves WHERE space_id = ${id}`);

describe("a slice that is removed from the copy", () => {
  it("keeps the other translations of a record one of whose versions is gone", async () => {
    const { id, put } = await makeCopied();
    await put(0, "between");
    await put(1, "sign-0");
    const word = sql`SELECT min(record) FROM record_locale_versions WHERE record IN
      (SELECT r.seq FROM records r JOIN models m ON m.id = r.model_id WHERE m.space_id = ${id})`;
    const swept = await shardDb(1).all(sql`DELETE FROM record_versions WHERE record = (${word})
      AND no = (SELECT min(no) FROM record_versions WHERE record = (${word})) RETURNING 1`);
    expect(swept).toHaveLength(1);
    await put(0, "sign-1");
    const left = await rowsOf(1, id);
    expect(left["record_locale_versions"]?.length).toBeGreaterThan(0);
    Object.assign(MOVE, { touchesPerSlice: 3, lastSliceUnits: 0 });
    for (let runs = 0; runs < 20 && (await moveOn(deployed, 1, id, run())) === "more"; runs++);
    expect(await moveOf(id)).toEqual({ state: "left", reason: null });
    expect(await rowsOf(2, id)).toEqual(left);
  });
});

it("a value in the way that no change frees ends the step, though changes go on", async () => {
  const { id, put } = await makeCopied();
  // A row of the copy that the source never had.
  const added = await shardDb(2).all(sql`INSERT INTO record_uniques (model_id, field, value, record)
    SELECT model_id, field, 'alone', -1 FROM record_uniques WHERE value = 'sign-0' RETURNING 1`);
  expect(added).toHaveLength(1);
  await put(1, "alone");
  let writes = 0;
  const write = async (): Promise<void> => {
    writes++;
    await shardDb(1).run(sql`UPDATE records SET updated_at = updated_at + 1 WHERE seq = (SELECT max(record)
      FROM record_uniques WHERE value = 'sign-0')`);
  };
  let target = databases[2] as D1Database;
  for (let n = 1; n <= STEPS_MAX; n++) {
    let steps = 0;
    const isStep = (query: string): boolean =>
      query.includes("UPDATE space_moves SET step = step + 1, progress") && ++steps === n;
    target = meanwhile(target, isStep, write);
  }
  Object.assign(MOVE, { touchesPerSlice: 3, lastSliceUnits: 0 });
  expect(await moveOn({ ...deployed, DB_2: target }, 1, id, run())).toBe("wait");
  expect((await moveOf(id)).reason).toContain("UNIQUE");
  expect(writes).toBeLessThan(STEPS_MAX);
});
