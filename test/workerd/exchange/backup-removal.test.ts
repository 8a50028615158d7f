/** Backups that are removed, that fail, and that leave lines without a row (RULES 18.7, 18.8). */
import { describe, expect, it } from "vitest";
import { BACKUP, DAY_MS } from "../../../src/limits.ts";
import { startBackup, workOn } from "../../../src/edge/exchange/backups/work.ts";
import { backupsToDo } from "../../../src/edge/storage/backups/backups.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";
import { call, Client } from "../support/api.ts";
import { backedUp, linesOf, listOf, read, type Listed } from "../support/backups.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { masterOf, upload } from "../support/exchange.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

const db = database(bindings.DB);
const keysUnder = async (prefix: string): Promise<string[]> =>
  (await bindings.BUCKET.list({ prefix })).objects.map(({ key }) => key);

const HOUR_MS = 3_600_000;

/** Removes a media item with its rows, as if it had been removed long ago. */
async function dropItem(id: string): Promise<void> {
  await bindings.DB.prepare("DELETE FROM masters WHERE media_id = ?").bind(id).run();
  await bindings.DB.prepare("DELETE FROM media WHERE id = ?").bind(id).run();
}

describe("a backup that is removed (RULES 18.8)", () => {
  it("is gone for every route, with one line in the audit, and its lines and files go by the sweep", async () => {
    const client = await Client.make();
    const id = await upload(client, 200, "a.gif");
    const now = Date.now();
    const backup = await backedUp(client, now);
    await dropItem(id);
    const admin = await client.key("admin");
    const path = `/backups/${backup}`;
    const asAdmin = { key: admin };
    const writer = { key: await client.key("write") };
    expect((await call("DELETE", `/api/v1${path}`, undefined, asAdmin)).status).toBe(403);
    const own = `/api/v1/${client.space.name}${path}`;
    expect((await call("DELETE", own, undefined, writer)).status).toBe(403);
    const other = await Client.make();
    expect((await call("DELETE", `/api/v1/${other.space.name}${path}`)).status).toBe(404);
    const removed = await call("DELETE", own, undefined, asAdmin);
    expect([removed.status, removed.data]).toEqual([200, { id: backup, state: "removed" }]);
    expect((await call("DELETE", own)).status).toBe(404);
    expect((await read(`${path}/lines`)).status).toBe(404);
    expect(await listOf(client)).toEqual([]);
    expect(await keysUnder("backups/")).toHaveLength(1);
    await runSweep(now);
    expect(await keysUnder("backups/")).toEqual([]);
    expect(await keysUnder("m/")).toHaveLength(1);
    await runSweep(now + 2 * HOUR_MS);
    expect(await keysUnder("m/")).toEqual([]);
    expect(await bindings.DB.prepare("SELECT count(*) AS n FROM backups").first("n")).toBe(0);
    const audit = await client.call<{ actor: { kind: string } }[]>(
      "GET",
      "/audit?filter[action]=backup.removed",
    );
    expect(audit.data).toMatchObject([{ actor: { kind: "key" } }]);
  });

  it("of a removed space is removed by root", async () => {
    const client = await Client.make();
    const backup = await backedUp(client);
    await call("DELETE", `/api/v1/${client.space.name}`, { confirm: client.space.name });
    expect((await call("DELETE", `/api/v1/backups/${backup}`)).status).toBe(200);
    expect((await call<Listed[]>("GET", "/api/v1/backups")).data).toEqual([]);
  });

  it("leaves an older one its files, and these go with the older one", async () => {
    const client = await Client.make();
    const id = await upload(client, 200, "a.gif");
    const bytes = await masterOf(client, id, 1);
    const now = Date.now();
    const first = await backedUp(client, now);
    const second = await backedUp(client, now + 1000);
    await dropItem(id);
    await client.call("DELETE", `/backups/${second}`);
    await runSweep(now + 2000);
    await runSweep(now + 2 * HOUR_MS);
    expect((await listOf(client)).map((one) => one.id)).toEqual([first]);
    const master = await read(`/backups/${first}/masters/${id}/1`);
    expect(new Uint8Array(await master.arrayBuffer())).toEqual(bytes);
    await client.call("DELETE", `/backups/${first}`);
    await runSweep(now + 2 * HOUR_MS);
    await runSweep(now + 4 * HOUR_MS);
    expect(await keysUnder("")).toEqual([]);
  });

  it("while it is being made leaves nothing, whatever page is on its way", async () => {
    const client = await Client.make();
    const now = Date.now();
    const backup = await startBackup(db, client.space.id, { origin: OF_SYSTEM, now });
    const [row] = await backupsToDo(db, "working", 1);
    if (!row) throw new Error("no backup");
    const put: R2Bucket["put"] = async (...given: Parameters<R2Bucket["put"]>) => {
      await client.call("DELETE", `/backups/${backup}`);
      await runSweep(now);
      return bindings.BUCKET.put(...given);
    };
    const bucket = new Proxy(bindings.BUCKET, {
      get: (target, name) =>
        name === "put" ? put : (Reflect.get(target, name) as (...all: unknown[]) => unknown).bind(target),
    });
    expect(await workOn({ db, bucket, now, keep: 2, goesOn: () => true }, row)).toBe("gone");
    expect(await keysUnder("backups/")).toEqual([]);
    // Another one can be made at once.
    await backedUp(client, now);
    expect(await listOf(client)).toMatchObject([{ state: "done" }]);
  });
});

describe("a backup that fails (RULES 18.7)", () => {
  const refusing = (): R2Bucket =>
    new Proxy(bindings.BUCKET, {
      get: (target, name) =>
        name === "put"
          ? () => Promise.reject(new Error("the bucket is full"))
          : (Reflect.get(target, name) as (...all: unknown[]) => unknown).bind(target),
    });

  it("is tried again for a day, is listed as failed then, and is followed by another one at once", async () => {
    const client = await Client.make();
    const now = Date.now();
    const tools = { backups: "weekly:2", bucket: refusing() };
    await runSweep(now, tools);
    const reason = expect.stringContaining("the bucket is full") as string;
    expect(await listOf(client)).toMatchObject([{ state: "working", reason }]);
    await runSweep(now + DAY_MS - 1000, tools);
    expect(await listOf(client)).toMatchObject([{ state: "working", reason }]);
    await runSweep(now + DAY_MS, tools);
    const [failed] = await listOf(client);
    expect(failed).toMatchObject({ state: "failed", reason, endedAt: expect.any(String) as string });
    expect((await read(`/backups/${failed?.id}/lines`)).status).toBe(409);
    await runSweep(now + DAY_MS + 60_000, { backups: "weekly:2" });
    expect(await listOf(client)).toMatchObject([{ state: "done", reason: null }, { id: failed?.id }]);
    expect(await linesOf(`/backups/${(await listOf(client))[0]?.id}`)).toHaveLength(1);
  });

  it("stays in the list with as many others as are kept", async () => {
    const client = await Client.make();
    const now = Date.now();
    const tools = { backups: "daily:2", bucket: refusing() };
    for (let day = 0; day < 5; day++) await runSweep(now + day * DAY_MS, tools);
    for (let day = 5; day < 10; day++) await runSweep(now + day * DAY_MS, tools);
    const states = (await listOf(client)).map(({ state }) => state);
    expect(states.filter((state) => state === "failed")).toHaveLength(2);
  });
});

it("lines of backups without a row are removed by the sweep after 30 days (RULES 18.8)", async () => {
  const client = await Client.make();
  const now = Date.now();
  const [lost, kept] = [await backedUp(client, now), await backedUp(client, now + 1000)];
  // The database was set back to a time before the first one.
  await bindings.DB.prepare("DELETE FROM backups WHERE id = ?").bind(lost).run();
  await runSweep(now + BACKUP.straysKeptMs - HOUR_MS);
  expect(await keysUnder("backups/")).toHaveLength(2);
  await runSweep(now + BACKUP.straysKeptMs + HOUR_MS);
  expect(await keysUnder("backups/")).toEqual([`backups/${client.space.id}/${kept}/1.ndjson`]);
  expect(await linesOf(`/backups/${kept}`)).toHaveLength(1);
});
