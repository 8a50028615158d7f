/** The switch of a move: refused writes, isolates that remember the old place, what is left behind (RULES 12.7). */
import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { advance } from "../../../src/edge/shards/moves/advance.ts";
import { mendRestored } from "../../../src/edge/shards/moves/sweep.ts";
import { d1OfSpace, shardOfSpace } from "../../../src/edge/shards/where.ts";
import { armTriggers } from "../../../src/edge/storage/shards/move-triggers.ts";
import { isSpaceClosed } from "../../../src/edge/storage/shards/space-rows.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { call } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { ageLeftRows, makeRich, move, rowsOf, run, shardDb } from "../support/moves.ts";
import { bindings, databases, deployed } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

const POSTS = "/data/collections/posts";
const close = (id: string, ms: number): Promise<unknown> =>
  shardDb(1).run(sql`UPDATE space_moves SET closed_until = CAST(unixepoch('subsec') * 1000 AS INTEGER) + ${ms}
    WHERE space_id = ${id}`);

/** Makes a move of which everything but the switch is done. */
async function makeMoving() {
  const rich = await makeRich(2);
  const { id } = rich.client.space;
  vi.spyOn(console, "error").mockReturnValue(undefined);
  await shardDb(1).run(sql`INSERT INTO space_moves (space_id, move, state, other, started_at, driven_until)
    VALUES (${id}, 1, 'leaving', 2, 1, 99999999999999)`);
  await armTriggers(shardDb(1));
  return { ...rich, id };
}

describe("while the last slice is copied", () => {
  it("writes are refused with 503 and Retry-After, reads go on, and writes are taken again by themselves", async () => {
    const { client, id } = await makeMoving();
    await close(id, 60_000);
    const refused = await client.call("POST", POSTS, { title: "late", slug: "late" });
    expect([refused.status, refused.error.code, refused.headers.get("Retry-After")]).toEqual([
      503,
      "UNAVAILABLE",
      "1",
    ]);
    expect(refused.error.message).toContain("Send the request again");
    expect((await client.call("PUT", "/data/pages/front/front", { headline: "late" })).status).toBe(503);
    expect((await client.call("POST", "/keys", { name: "late", role: "read" })).status).toBe(503);
    expect((await client.call("GET", POSTS)).status).toBe(200);
    expect((await client.call("GET", "/move")).data["state"]).toBe("switching");
    await close(id, -1);
    expect((await client.call("POST", POSTS, { title: "late", slug: "late" })).status).toBe(201);
  });
});

describe("after the switch", () => {
  it("an isolate that remembers the old place is told, though the directory does not know yet", async () => {
    const { client, posts, media } = await makeRich(2);
    const { id } = client.space;
    expect(await shardOfSpace(deployed, id)).toBe(1);
    await move(client, 2);
    // A directory that was set back, or whose write is still to come.
    await shardDb(0).run(sql`UPDATE space_places SET shard = 1, move = 0`);
    expect((await client.call("GET", `${POSTS}/${posts[0]}?status=draft`)).status).toBe(200);
    expect(await shardOfSpace(deployed, id)).toBe(2);
    expect(await d1OfSpace(deployed, id)).toBe(databases[2]);
    const file = await call("GET", `/api/v1/${client.space.name}/media/${media[0]?.id}`);
    expect(file.status).toBe(200);
    await mendRestored(deployed, 2, Date.now());
    const place = await shardDb(0).get(sql`SELECT shard, move FROM space_places WHERE space_id = ${id}`);
    expect(place).toEqual({ shard: 2, move: 1 });
  });

  it("a write that finds nothing in a new space gets 404, though one of its name has left", async () => {
    const { client } = await makeRich(1);
    const { name } = client.space;
    await move(client, 2);
    expect((await client.call("DELETE", "", { confirm: name })).status).toBe(200);
    const made = await call("POST", "/api/v1/spaces", { name, shard: 1 });
    expect(made.status, JSON.stringify(made.error)).toBe(201);
    const missing = `/api/v1/${name}${POSTS}/01ARZ3NDEKTSV4RRFFQ0000001`;
    expect((await call("DELETE", missing)).status).toBe(404);
    expect((await call("DELETE", `/api/v1/${name}/media/01ARZ3NDEKTSV4RRFFQ0000001`)).status).toBe(404);
  });

  it("a write that the new database refuses opens it, if the mover was killed before", async () => {
    const { client } = await makeRich(1);
    const { id } = client.space;
    await move(client, 2);
    await shardDb(1).run(sql`UPDATE space_moves SET settled_at = NULL WHERE space_id = ${id}`);
    await shardDb(2).run(
      sql`UPDATE space_moves SET state = 'arriving', ended_at = NULL WHERE space_id = ${id}`,
    );
    vi.spyOn(console, "error").mockReturnValue(undefined);
    const write = async (): Promise<number> =>
      (await client.call("POST", POSTS, { title: "after", slug: "after" })).status;
    expect(await write()).toBe(503);
    await eventually(async () => expect(await write()).toBe(201));
    const settled = sql`SELECT settled_at IS NOT NULL AS settled FROM space_moves`;
    await eventually(async () => expect(await shardDb(1).get(settled)).toEqual({ settled: 1 }));
  });

  it("the old database refuses every write of the space, and takes those of others", async () => {
    const { client } = await makeRich(2);
    const beside = await makeRich(2);
    await move(client, 2);
    const stale = database(databases[1] as D1Database);
    const writes = [
      sql`UPDATE records SET updated_at = 1 WHERE space_id = ${client.space.id}`,
      sql`DELETE FROM media WHERE space_id = ${client.space.id}`,
      sql`UPDATE record_versions SET purge_at = 1 WHERE record IN
        (SELECT seq FROM records WHERE space_id = ${client.space.id})`,
      sql`INSERT INTO doomed_objects (key, due_at) VALUES (${`v/${client.space.id}/x/1/y`}, 1)`,
    ];
    for (const write of writes) {
      const error: unknown = await stale.run(write).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(isSpaceClosed(error)).toBe(true);
    }
    expect((await beside.client.call("POST", POSTS, { title: "other", slug: "other" })).status).toBe(201);
  });

  it("the sweep of the old database leaves the rows and bytes alone, and removes the rows alone later", async () => {
    const { client, media } = await makeRich(2);
    const { id } = client.space;
    await move(client, 2);
    const far = Date.now() + 4000 * 86_400_000;
    const left = await rowsOf(1, id);
    const swept = await runSweep(far, { db: shardDb(1), directory: shardDb(0), shard: 1 });
    expect(swept.failed).toEqual([]);
    // Names are gone at the switch.
    expect({ ...(await rowsOf(1, id)), space_names: [] }).toEqual({ ...left, space_names: [] });
    expect(await advance(deployed, 1, id, run())).not.toBe("over");
    await ageLeftRows();
    for (let tries = 0; tries < 20 && (await advance(deployed, 1, id, run())) !== "over"; tries++);
    for (const [table, rows] of Object.entries(await rowsOf(1, id))) expect(rows, table).toEqual([]);
    for (const { masterKey } of media) expect(await bindings.BUCKET.head(masterKey)).not.toBeNull();
    expect((await client.call("GET", `/media/${media[0]?.id}`)).status).toBe(200);
  });

  it("a database that was set back lets the space go that another one has by a later move", async () => {
    const { client } = await makeRich(2);
    const { id } = client.space;
    await move(client, 2);
    // As it was before the move.
    await shardDb(1).run(sql`DELETE FROM space_moves`);
    await shardDb(1).run(sql`UPDATE spaces SET removed_at = NULL WHERE id = ${id}`);
    expect(await mendRestored(deployed, 1, Date.now())).toBe(1);
    const row = await shardDb(1).get(sql`SELECT state, move, other FROM space_moves`);
    expect(row).toEqual({ state: "left", move: 1, other: 2 });
    expect((await client.call("GET", "/settings")).status).toBe(200);
    expect(await mendRestored(deployed, 1, Date.now())).toBe(0);
  });
});

describe("an order", () => {
  it("is of root alone, for a database that is there, and not the space's own", async () => {
    const { client, key } = await makeRich(1);
    const order = (shard: unknown, by = {}) => client.call("POST", "/move", { shard }, by);
    expect((await order(2, { key })).status).toBe(403);
    expect((await order(3)).error).toMatchObject({ code: "VALIDATION_FAILED" });
    expect((await order(32)).status).toBe(400);
    expect((await order(1)).error).toMatchObject({ code: "CONFLICT" });
    expect((await client.call("GET", "/move")).data).toMatchObject({ state: "none", shard: 1, progress: 0 });
  });

  it("is withdrawn by the number of the space's own database, and leaves nothing on the other one", async () => {
    const { client, id } = await makeMoving();
    expect((await client.call("POST", "/move", { shard: 0 })).status).toBe(409);
    const { status, data } = await client.call("POST", "/move", { shard: 1 });
    expect([status, data["state"]]).toEqual([202, "stayed"]);
    expect((await client.call("POST", POSTS, { title: "after", slug: "after" })).status).toBe(201);
    for (const rows of Object.values(await rowsOf(2, id))) expect(rows).toEqual([]);
    await move(client, 2);
  });

  it("ends when the space is removed", async () => {
    const { client, id } = await makeMoving();
    await client.call("DELETE", "", { confirm: client.space.name });
    await shardDb(1).run(sql`UPDATE space_moves SET driven_until = 0`);
    expect(await advance(deployed, 1, id, run())).toBe("over");
    const row = await shardDb(1).get<{ state: string }>(sql`SELECT state FROM space_moves`);
    expect(row.state).toBe("stayed");
  });
});
