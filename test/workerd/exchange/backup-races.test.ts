/** Runs that work on one backup at the same time, and pages that cannot be noted (RULES 18.7, 18.8). */
import { expect, it } from "vitest";
import { startBackup, workOn, type BackupTools } from "../../../src/edge/exchange/backups/work.ts";
import { backupsToDo, type BackupRow } from "../../../src/edge/storage/backups/backups.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";
import { Client } from "../support/api.ts";
import { backedUp, linesOf, listOf } from "../support/backups.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { upload } from "../support/exchange.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

const db = database(bindings.DB);
const now = Date.now();
const keys = async (): Promise<string[]> =>
  (await bindings.BUCKET.list({ prefix: "backups/" })).objects.map(({ key }) => key);

/** Returns the bucket with some methods of the test's own. */
const bucketWith = (own: Partial<R2Bucket>): R2Bucket =>
  new Proxy(bindings.BUCKET, {
    get: (target, name) =>
      (Reflect.get(own, name) as unknown) ??
      (Reflect.get(target, name) as (...all: unknown[]) => unknown).bind(target),
  });

const toolsWith = (own: Partial<R2Bucket> = {}): BackupTools => ({
  ...{ db, bucket: bucketWith(own), now, keep: 2, goesOn: () => true },
});

async function rowToDo(): Promise<BackupRow> {
  const [row] = await backupsToDo(db, "working", 1);
  if (!row) throw new Error("no backup");
  return row;
}

async function dropItem(id: string): Promise<void> {
  await bindings.DB.prepare("DELETE FROM masters WHERE media_id = ?").bind(id).run();
  await bindings.DB.prepare("DELETE FROM media WHERE id = ?").bind(id).run();
}

/** Starts a backup of which a crash has left a page, whose master was removed since. */
async function stale(): Promise<{ client: Client; row: BackupRow }> {
  const client = await Client.make();
  const id = await upload(client, 200, "a.gif");
  await startBackup(db, client.space.id, { origin: OF_SYSTEM, now });
  const row = await rowToDo();
  const put = (async (...given: Parameters<R2Bucket["put"]>) => {
    await bindings.BUCKET.put(...given);
    throw new Error("crash");
  }) as R2Bucket["put"];
  await expect(workOn(toolsWith({ put }), row)).rejects.toThrow("crash");
  await dropItem(id);
  return { client, row };
}

it("a run that finds a stale page late does not remove the page that another one has made anew", async () => {
  const { client, row } = await stale();
  const outcomes: string[] = [];
  const late = toolsWith({
    delete: async (key) => {
      // Another run that has the same row finds the page too, and a third one makes it anew.
      outcomes.push(await workOn(toolsWith(), row));
      outcomes.push(await workOn(toolsWith(), await rowToDo()));
      await bindings.BUCKET.delete(key);
    },
  });
  await workOn(late, row);
  expect(outcomes).toEqual(["more", "done"]);
  expect(await listOf(client)).toMatchObject([{ state: "done", parts: 1, masters: 0 }]);
  expect(await linesOf(`/backups/${row.id}`)).toHaveLength(1);
  expect(await keys()).toEqual([`backups/${client.space.id}/${row.id}/1-1.ndjson`]);
});

it("a run that stores a page which was given up meanwhile notes nothing, and leaves nothing of it", async () => {
  const { client, row } = await stale();
  expect(await workOn(toolsWith(), row)).toBe("more");
  expect(await keys()).toEqual([]);
  // It has the row from before. What it reads is not stale any more, but its attempt is.
  expect(await workOn(toolsWith(), row)).toBe("more");
  expect(await keys()).toEqual([]);
  expect(await workOn(toolsWith(), await rowToDo())).toBe("done");
  // And once the page is noted.
  expect(await workOn(toolsWith(), row)).toBe("gone");
  expect(await keys()).toEqual([`backups/${client.space.id}/${row.id}/1-1.ndjson`]);
  expect(await linesOf(`/backups/${row.id}`)).toHaveLength(1);
});

it("a page that is not stored is not noted", async () => {
  const client = await Client.make();
  await startBackup(db, client.space.id, { origin: OF_SYSTEM, now });
  // Another run has stored a page of the key, and removes it before this one reads it.
  const put = (() => Promise.resolve(null)) as unknown as R2Bucket["put"];
  await expect(workOn(toolsWith({ put }), await rowToDo())).rejects.toThrow("The next run makes it anew.");
  expect(await listOf(client)).toMatchObject([{ state: "working", parts: 0 }]);
});

it("a backup does not take a master that an older one has under another file, and says so until that one is gone", async () => {
  const client = await Client.make();
  const id = await upload(client, 200, "a.gif");
  const first = await backedUp(client, now);
  await bindings.DB.prepare("UPDATE backup_masters SET file = 'other.gif' WHERE media_id = ?").bind(id).run();
  const second = await startBackup(db, client.space.id, { origin: OF_SYSTEM, now: now + 1000 });
  const reason = expect.stringContaining(`media item ${id}, version 1`) as string;
  await runSweep(now + 1000);
  expect(await listOf(client)).toMatchObject([
    { id: second, state: "working", parts: 0, reason },
    { id: first },
  ]);
  const { results } = await bindings.DB.prepare("SELECT file, last_backup FROM backup_masters").all();
  expect(results).toEqual([{ file: "other.gif", last_backup: first }]);
  await client.call("DELETE", `/backups/${first}`);
  await runSweep(now + 2000);
  await runSweep(now + 3000);
  expect(await listOf(client)).toMatchObject([{ id: second, state: "done", masters: 1, reason: null }]);
});
