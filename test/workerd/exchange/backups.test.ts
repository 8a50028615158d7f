/** Backups: made by the sweep, kept, removed, and restored (RULES 18.7, 18.8 and 18.9). */
import { describe, expect, it } from "vitest";
import { DAY_MS, BACKUP } from "../../../src/limits.ts";
import { backupPlan } from "../../../src/edge/exchange/backups/plan.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";
import { startBackup, workOn } from "../../../src/edge/exchange/backups/work.ts";
import { backupsToDo } from "../../../src/edge/storage/backups/backups.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { call, Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { exported, imported, masterOf, putFile, timeless, upload } from "../support/exchange.ts";
import { backedUp, linesOf, listOf, read, type Listed } from "../support/backups.ts";
import { makeVaried } from "../support/exchange-space.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

const db = database(bindings.DB);

describe("a backup (RULES 18.7)", () => {
  it("is due by BACKUPS, is made by the sweep, and holds what an export holds", async () => {
    const client = await Client.make();
    await client.model("posts", [{ name: "title", type: "string" }]);
    await client.create("posts", { title: "One" });
    await upload(client, 200, "a.gif");
    const now = Date.now();
    expect((await runSweep(now)).backupPages).toBe(0);
    expect(await listOf(client)).toEqual([]);
    expect((await runSweep(now, { backups: "daily:14" })).backupPages).toBeGreaterThan(0);
    for (let run = 0; run < 20 && (await listOf(client))[0]?.state !== "done"; run++)
      await runSweep(now, { backups: "daily:14" });
    const whole = await exported(client);
    const [made] = await listOf(client);
    expect(made).toMatchObject({
      ...{ state: "done", lines: whole.lines.length, spaceName: client.space.name },
      endedAt: expect.any(String) as string,
    });
    expect(timeless(await linesOf(`/backups/${made?.id}`))).toEqual(timeless(whole.lines));
    // Not again before a day has passed.
    await runSweep(now + DAY_MS - 60_000, { backups: "daily:14" });
    expect(await listOf(client)).toHaveLength(1);
    await runSweep(now + DAY_MS, { backups: "daily:14" });
    expect(await listOf(client)).toHaveLength(2);
    expect((await runSweep(now, { backups: "hourly" })).failed).toContain("backupPages");
  });

  it("is made in slices that end where the queries do, and a page that a crash left is taken as it is", async () => {
    const client = await makeVaried();
    const whole = await exported(client);
    const now = Date.now();
    await startBackup(db, client.space.id, { origin: OF_SYSTEM, now });
    let [asked, askedOther] = [0, 0];
    const tools = { db, bucket: bindings.BUCKET, now, keep: 2, goesOn: () => ++asked % 40 !== 0 };
    const others = { ...tools, goesOn: () => ++askedOther % 17 !== 0 };
    for (let slice = 0; ; slice++) {
      const [row] = await backupsToDo(db, "working", 1);
      if (!row) break;
      // Two runs at the same time, and one that was cut off between R2 and D1.
      if (slice % 2 === 0) await Promise.all([workOn(tools, row), workOn(others, row)]);
      else {
        await workOn(tools, row);
        await bindings.DB.prepare(
          "UPDATE backups SET parts = ?, cursor = ?, state = 'working', lines = ? WHERE id = ?",
        )
          .bind(row.parts, row.cursor, row.lines, row.id)
          .run();
        await workOn(others, row);
      }
    }
    const [made] = await listOf(client);
    expect(made).toMatchObject({ state: "done", lines: whole.lines.length });
    expect(made?.parts).toBeGreaterThan(1);
    expect(timeless(await linesOf(`/backups/${made?.id}`))).toEqual(timeless(whole.lines));
  });

  it("is made at once for an admin, is listed for root, and nobody else reads it", async () => {
    const [client, other] = [await Client.make(), await Client.make()];
    const admin = await client.key("admin");
    const made = await call<Listed>("POST", `/api/v1/${client.space.name}/backups`, undefined, {
      key: admin,
    });
    expect([made.status, made.data.state]).toEqual([202, "working"]);
    for (let run = 0; run < 5 && (await listOf(client))[0]?.state !== "done"; run++)
      await runSweep(Date.now());
    expect(await listOf(client)).toMatchObject([{ id: made.data.id, state: "done" }]);
    expect(await linesOf(`/${client.space.name}/backups/${made.data.id}`, admin)).toHaveLength(1);
    expect((await read(`/${other.space.name}/backups/${made.data.id}/lines`)).status).toBe(404);
    expect((await read(`/backups/${made.data.id}/lines`, admin)).status).toBe(403);
    expect((await read("/backups", admin)).status).toBe(403);
    expect((await read(`/${client.space.name}/backups`, await client.key("write"))).status).toBe(403);
    const all = await call<Listed[]>("GET", "/api/v1/backups");
    expect(all.data.map(({ id }) => id)).toEqual([made.data.id]);
    const audit = await client.call<{ action: string }[]>("GET", "/audit?filter[action]=backup.created");
    expect(audit.data).toHaveLength(1);
    const restored = await client.call<unknown[]>("GET", "/audit?filter[action]=backup.restored");
    expect(restored.data).toHaveLength(1);
    expect((await call("POST", "/api/v1/spaces", { name: "backups" })).status).toBe(400);
  });
});

describe("a kept backup (RULES 18.8)", () => {
  it("keeps its masters without a copy, beyond their item and its space, and gives them up with the last one", async () => {
    const client = await Client.make();
    const id = await upload(client, 200, "a.gif");
    const bytes = await masterOf(client, id, 1);
    const now = Date.now();
    const first = await backedUp(client, now);
    const stored = await bindings.BUCKET.list({ prefix: "m/" });
    expect(await listOf(client)).toMatchObject([{ masters: 1 }]);
    expect(
      (await call("DELETE", `/api/v1/${client.space.name}`, { confirm: client.space.name })).status,
    ).toBe(200);
    for (let hour = 0; hour < 4; hour++) await runSweep(now + hour * 3 * 3_600_000);
    expect(await bindings.DB.prepare("SELECT count(*) AS n FROM masters").first("n")).toBe(0);
    expect((await bindings.BUCKET.list({ prefix: "m/" })).objects.map(({ key }) => key)).toEqual(
      stored.objects.map(({ key }) => key),
    );
    // It is restored into a new space.
    const to = await Client.make();
    const lines = await linesOf(`/backups/${first}`);
    const { waiting } = await imported(to, lines);
    const file = new Uint8Array(await (await read(`/backups/${first}/masters/${id}/1`)).arrayBuffer());
    expect(file).toEqual(bytes);
    expect((await putFile(to, id, file, waiting[0]?.sha256 ?? "")).status).toBe(200);
    expect(timeless((await exported(to)).lines)).toEqual(timeless(lines));
    // Its bytes go an hour after the backup.
    await bindings.DB.prepare("UPDATE backups SET state = 'removing'").run();
    await runSweep(now + DAY_MS);
    expect((await call<Listed[]>("GET", "/api/v1/backups")).data).toEqual([]);
    expect((await bindings.BUCKET.list({ prefix: "backups/" })).objects).toEqual([]);
    await runSweep(now + DAY_MS + 2 * 3_600_000);
    expect((await bindings.BUCKET.list({ prefix: `m/${client.space.id}` })).objects).toEqual([]);
    expect((await bindings.BUCKET.list({ prefix: `m/${to.space.id}` })).objects).toHaveLength(1);
  });

  it("is removed once so many newer ones are whole, and what newer ones name stays", async () => {
    const client = await Client.make();
    const [kept, gone] = [await upload(client, 200, "a.gif"), await upload(client, 220, "b.gif")];
    const now = Date.now();
    const first = await backedUp(client, now);
    await client.call("DELETE", `/media/${gone}?permanent=true`);
    await bindings.DB.prepare("DELETE FROM media WHERE id = ?").bind(gone).run();
    await bindings.DB.prepare("DELETE FROM masters WHERE media_id = ?").bind(gone).run();
    const [second, third] = [await backedUp(client, now + 1000), await backedUp(client, now + 2000)];
    expect((await listOf(client)).map(({ id }) => id)).toEqual([third, second]);
    expect((await read(`/backups/${first}/lines`)).status).toBe(404);
    await runSweep(now + 3000);
    await runSweep(now + 3 * 3_600_000);
    const media = (await bindings.BUCKET.list({ prefix: "m/" })).objects.map(({ key }) => key.split("/")[2]);
    expect(media).toEqual([kept]);
    expect((await bindings.BUCKET.list({ prefix: "backups/" })).objects).toHaveLength(2);
  });

  it("does not note a page that names a master which was removed meanwhile, and makes it anew", async () => {
    const client = await Client.make();
    const id = await upload(client, 200, "a.gif");
    const now = Date.now();
    await startBackup(db, client.space.id, { origin: OF_SYSTEM, now });
    const [row] = await backupsToDo(db, "working", 1);
    if (!row) throw new Error("no backup");
    // Its page is stored, and the item goes before the row is written.
    const put: R2Bucket["put"] = async (...given: Parameters<R2Bucket["put"]>) => {
      const stored = await bindings.BUCKET.put(...given);
      await bindings.DB.prepare("DELETE FROM masters WHERE media_id = ?").bind(id).run();
      await bindings.DB.prepare("DELETE FROM media WHERE id = ?").bind(id).run();
      return stored;
    };
    const bucket = new Proxy(bindings.BUCKET, {
      get: (target, name) =>
        name === "put" ? put : (Reflect.get(target, name) as (...all: unknown[]) => unknown).bind(target),
    });
    const tools = { db, bucket, now, keep: 2, goesOn: () => true };
    expect(await workOn(tools, row)).toBe("more");
    const [again = row] = await backupsToDo(db, "working", 1);
    expect(await workOn({ ...tools, bucket: bindings.BUCKET }, again)).toBe("done");
    expect(await listOf(client)).toMatchObject([{ state: "done", masters: 0 }]);
    expect(await linesOf(`/backups/${row.id}`)).toHaveLength(1);
  });
});

it("the variable BACKUPS is off, daily:N or weekly:N (RULES 18.7)", () => {
  expect(backupPlan()).toEqual({ everyMs: null, keep: BACKUP.keepDefault });
  expect(backupPlan("off")).toEqual({ everyMs: null, keep: BACKUP.keepDefault });
  expect(backupPlan("daily:14")).toEqual({ everyMs: DAY_MS, keep: 14 });
  expect(backupPlan(`weekly:${BACKUP.keepMax}`)).toEqual({ everyMs: 7 * DAY_MS, keep: BACKUP.keepMax });
  for (const wrong of ["on", "daily", "daily:0", "daily:-1", `daily:${BACKUP.keepMax + 1}`, "daily:1.5"])
    expect(() => backupPlan(wrong)).toThrow("Set it to off, daily:N or weekly:N");
});
