/** Writes that touch the directory and a shard, and the repair after a crash between the two (RULES 12.3). */
import { describe, expect, it } from "vitest";
import { SHARDS } from "../../../src/limits.ts";
import { settleOldClaims } from "../../../src/edge/sweep/claims.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { claimName, claimPlace } from "../../../src/edge/storage/shards/directory.ts";
import { call } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings, databases, newId } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

const [directory] = databases as [D1Database];
const d1 = (shard: number): D1Database => databases[shard] as D1Database;
const make = async (name: string, shard: number): Promise<string> => {
  const reply = await call<{ id: string }>("POST", "/api/v1/spaces", { name, shard });
  expect(reply.status, JSON.stringify(reply.error)).toBe(201);
  return reply.data.id;
};
const names = async (shard: number): Promise<string[]> => {
  const { results } = await d1(shard)
    .prepare("SELECT name FROM space_names ORDER BY name")
    .all<{ name: string }>();
  return results.map(({ name }) => name);
};
const places = async (): Promise<unknown[]> =>
  (await directory.prepare("SELECT space_id AS id, shard FROM space_places").all()).results;
const settings = async (name: string): Promise<number> =>
  (await call("GET", `/api/v1/${name}/settings`)).status;
const sweepClaims = (now: number): Promise<number> =>
  settleOldClaims(database(directory), (shard) => database(d1(shard)), now);
const settleAt = (): number => Date.now() + SHARDS.claimMs + 1000;

describe("a rename", () => {
  it("keeps the earlier name, on the shard and in the directory", async () => {
    const id = await make("before", 1);
    expect((await call("PATCH", "/api/v1/before", { name: "after" })).data["shard"]).toBe(1);
    for (const shard of [0, 1]) expect(await names(shard)).toEqual(["after", "before"]);
    expect(await settings("after")).toBe(200);
    expect(await settings("before")).toBe(404);
    for (const shard of [0, 1, 2]) {
      expect((await call("POST", "/api/v1/spaces", { name: "before", shard })).status).toBe(409);
    }
    expect(await places()).toEqual([{ id, shard: 1 }]);
  });

  it("is refused the name of another database's space", async () => {
    await make("mine", 1);
    await make("yours", 2);
    await make("theirs", 0);
    for (const name of ["yours", "theirs"]) {
      expect((await call("PATCH", "/api/v1/mine", { name })).status).toBe(409);
    }
    expect(await names(1)).toEqual(["mine"]);
  });
});

describe("a removal", () => {
  it("frees the names at once, also for a space of another database, which this isolate then finds", async () => {
    for (const [from, to] of [
      [1, 2],
      [2, 0],
      [0, 1],
    ] as const) {
      await make("again", from);
      expect(await settings("again")).toBe(200);
      expect((await call("DELETE", "/api/v1/again", { confirm: "again" })).status).toBe(200);
      expect(await settings("again")).toBe(404);
      await make("again", to);
      // This isolate made the space on `from`, and remembers that.
      expect(await settings("again")).toBe(200);
      await call("DELETE", "/api/v1/again", { confirm: "again" });
    }
  });

  it("leaves nothing once the sweep has run, wherever it was cut off", async () => {
    await make("whole", 1);
    await call("DELETE", "/api/v1/whole", { confirm: "whole" });
    const cut = await make("cut", 2);
    // The shard's half alone.
    await d1(2).batch([
      d1(2).prepare("UPDATE spaces SET removed_at = 1 WHERE id = ?").bind(cut),
      d1(2).prepare("DELETE FROM space_names"),
    ]);
    expect(await names(0)).toEqual(["cut"]);
    for (const shard of [0, 1, 2])
      await runSweep(Date.now(), { db: database(d1(shard)), directory: database(directory) });
    expect(await places()).toEqual([]);
    for (const shard of [0, 1, 2]) {
      expect(await names(shard)).toEqual([]);
      expect((await d1(shard).prepare("SELECT id FROM spaces").all()).results).toEqual([]);
    }
    await make("cut", 1);
  });
});

describe("a claim that a crash has left in the directory alone", () => {
  it("is freed after an hour, with the place", async () => {
    const claim = { spaceId: newId(), shard: 2, names: ["lost", "tenant"] };
    expect(await claimPlace(database(directory), claim, Date.now())).toBe(true);
    expect(await sweepClaims(Date.now())).toBe(0);
    expect((await call("POST", "/api/v1/spaces", { name: "lost" })).status).toBe(409);
    expect(await sweepClaims(settleAt())).toBe(2);
    expect(await names(0)).toEqual([]);
    expect(await places()).toEqual([]);
    await make("lost", 1);
  });

  it("of a rename is freed, and the space stays where it is", async () => {
    const id = await make("stays", 1);
    await claimName(database(directory), id, "never-written", Date.now());
    expect(await sweepClaims(settleAt())).toBe(2);
    expect(await names(0)).toEqual(["stays"]);
    expect(await places()).toEqual([{ id, shard: 1 }]);
    // Both are settled: the sweep does not look at them again.
    expect(await sweepClaims(settleAt())).toBe(0);
    expect(await settings("stays")).toBe(200);
  });

  it("is settled for spaces that are there, however often the sweep runs", async () => {
    await make("one", 1);
    await make("two", 2);
    await make("zero", 0);
    for (const expected of [2, 0, 0]) expect(await sweepClaims(settleAt())).toBe(expected);
    for (const name of ["zero", "one", "two"]) expect(await settings(name)).toBe(200);
  });

  it("waits while its shard does not answer", async () => {
    await make("one", 1);
    await make("two", 2);
    const away = (shard: number): D1Database =>
      shard === 1
        ? ({ batch: () => Promise.reject(new Error("away")), prepare: () => ({ bind: () => null }) } as never)
        : d1(shard);
    expect(await settleOldClaims(database(directory), (shard) => database(away(shard)), settleAt())).toBe(1);
    expect(await names(0)).toEqual(["one", "two"]);
    expect(await sweepClaims(settleAt())).toBe(1);
  });
});

describe("a pending delete", () => {
  it("of a space that stands on another database deletes nothing; of one that is gone, it does", async () => {
    const ids = [await make("zero", 0), await make("one", 1), await make("two", 2), newId()];
    const now = Date.now();
    for (const id of ids) {
      const key = `m/${id}/${newId()}/1/master.jpg`;
      await bindings.BUCKET.put(key, "bytes");
      for (const shard of [0, 1, 2])
        await d1(shard)
          .prepare("INSERT INTO doomed_objects (key, due_at) VALUES (?, ?)")
          .bind(key, now - 1)
          .run();
    }
    const left = async (): Promise<(string | undefined)[]> =>
      (await bindings.BUCKET.list()).objects.map(({ key }) => key.split("/")[1]).sort();
    const sweepShard = (shard: number) =>
      runSweep(now, { db: database(d1(shard)), directory: database(directory), shard });
    for (const shard of [0, 1, 2]) {
      await sweepShard(shard);
      // Those of the space that is gone went with the first.
      expect(await left()).toEqual(ids.slice(shard + 1, 3).sort());
      const waiting = await d1(shard)
        .prepare("SELECT min(due_at) AS at, count(*) AS n FROM doomed_objects")
        .first();
      expect(waiting?.["n"]).toBe(2);
      expect(waiting?.["at"]).toBeGreaterThan(now);
    }
  });
});

describe("a caller", () => {
  it("of another database's space is told that the space does not exist; an unknown key is refused (RULES 1.4)", async () => {
    await make("home", 1);
    await make("other", 2);
    const made = await call<{ key: string }>("POST", "/api/v1/home/keys", { name: "k", role: "admin" });
    const { key } = made.data;
    const paths = ["settings", "keys/self", "data/collections/posts"];
    for (const space of ["other", "nowhere"]) {
      for (const path of paths)
        expect((await call("GET", `/api/v1/${space}/${path}`, undefined, { key })).status).toBe(404);
    }
    for (const space of ["home", "other", "nowhere"]) {
      for (const path of paths) {
        expect((await call("GET", `/api/v1/${space}/${path}`, undefined, { key: "sp_unknown" })).status).toBe(
          401,
        );
      }
    }
    expect((await call("GET", "/api/v1/spaces", undefined, { key })).status).toBe(403);
    expect((await call("GET", "/api/v1/spaces", undefined, { key: "sp_unknown" })).status).toBe(401);
    expect((await call("GET", "/api/v1/home/settings", undefined, { key })).status).toBe(200);
  });
});
