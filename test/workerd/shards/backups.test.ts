/** Backups of a space that moves between databases (RULES 18.7, 12.6). */
import { expect, it } from "vitest";
import { startBackup, workOn } from "../../../src/edge/exchange/backups/work.ts";
import { backupsToDo } from "../../../src/edge/storage/backups/backups.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { linesOf, listOf } from "../support/backups.ts";
import { exported, timeless, upload } from "../support/exchange.ts";
import { makeClient, move, shardDb } from "../support/moves.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

it("goes on after the move where it was, holds every line once, and the first database does nothing more for it", async () => {
  const client = await makeClient(1);
  await client.model("posts", [{ name: "title", type: "string" }]);
  for (let n = 0; n < 9; n++) await client.create("posts", { title: `Post ${n}` });
  await upload(client, 200, "a.gif");
  const now = Date.now();
  await startBackup(shardDb(1), client.space.id, { origin: OF_SYSTEM, now });
  let asked = 0;
  const tools = { bucket: bindings.BUCKET, now, keep: 2, goesOn: () => ++asked % 5 !== 0 };
  const pageOn = async (shard: number): Promise<string | null> => {
    const [row] = await backupsToDo(shardDb(shard), "working", 1);
    return row ? workOn({ ...tools, db: shardDb(shard) }, row) : null;
  };
  expect(await pageOn(1)).toBe("more");
  const [late] = await backupsToDo(shardDb(1), "working", 1);
  await move(client, 2);
  expect(await pageOn(1)).toBe(null);
  expect(await pageOn(2)).toBe("more");
  // A run that still has the database which the space has left notes nothing there, and spoils nothing here.
  if (late) await workOn({ ...tools, db: shardDb(1) }, late).catch(() => "refused");
  await client.create("posts", { title: "Meanwhile" });
  await move(client, 0, 2);
  for (let page = 0; page < 50 && (await pageOn(0)) === "more"; page++);
  const [made] = await listOf(client);
  expect(made).toMatchObject({ state: "done", masters: 1 });
  expect(made?.parts).toBeGreaterThan(2);
  const lines = await linesOf(`/backups/${made?.id}`);
  expect(new Set(lines).size).toBe(lines.length);
  expect(timeless(lines)).toEqual(timeless((await exported(client)).lines));
});

it("is removed where its space stands: the database that it has left removes nothing", async () => {
  const client = await makeClient(1);
  await upload(client, 200, "a.gif");
  const now = Date.now();
  await startBackup(shardDb(1), client.space.id, { origin: OF_SYSTEM, now });
  const tools = { bucket: bindings.BUCKET, now, keep: 2, goesOn: () => true };
  for (const row of await backupsToDo(shardDb(1), "working", 1))
    await workOn({ ...tools, db: shardDb(1) }, row);
  const [made] = await listOf(client);
  await move(client, 2);
  await client.call("DELETE", `/backups/${made?.id}`);
  const directory = shardDb(0);
  const later = now + 40 * 86_400_000;
  await runSweep(later, { db: shardDb(1), directory, shard: 1 });
  expect((await bindings.BUCKET.list({ prefix: "backups/" })).objects).toHaveLength(1);
  await runSweep(later, { db: shardDb(2), directory, shard: 2 });
  expect((await bindings.BUCKET.list({ prefix: "backups/" })).objects).toEqual([]);
  expect((await bindings.BUCKET.list({ prefix: "m/" })).objects).toHaveLength(1);
});
