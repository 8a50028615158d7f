/** A space moves while many write to it: nothing is lost, nothing is there twice, and reads are never refused (RULES 12.7). */
import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { MOVE } from "../../../src/limits.ts";
import { moveOn } from "../../../src/edge/shards/moves/move.ts";
import { rounds } from "../../support/ring.ts";
import type { Client, Reply } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { ageLeftRows, makeRich, rowsOf, run, shardDb } from "../support/moves.ts";
import { deployed } from "../support/rows.ts";

cleanBetweenTests();

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const POSTS = "/data/collections/posts";

interface Written {
  /** The last value of each acknowledged write. */
  records: Map<string, { n: number } | "trashed">;
  refused: number;
  longestRefusalMs: number;
  reads: number;
}

/** A write that is refused so often would be refused for ever: more than a minute of pauses. */
const TRIES_MAX = 2000;

/** Sends a write until it is not refused any more, as a caller does that heeds `Retry-After`. */
async function sent(written: Written, send: () => Promise<Reply>): Promise<Reply> {
  const begun = Date.now();
  for (let tries = 1; ; tries++) {
    const reply = await send();
    if (reply.status !== 503) {
      if (Date.now() > begun) {
        const refusedMs = Date.now() - begun;
        if (refusedMs > written.longestRefusalMs) written.longestRefusalMs = refusedMs;
      }
      return reply;
    }
    written.refused += 1;
    expect(reply.headers.get("Retry-After")).toBe("1");
    expect(tries, reply.error.message).toBeLessThan(TRIES_MAX);
    await pause(30);
  }
}

async function writeOn(
  client: Client,
  writer: number,
  written: Written,
  isOver: () => boolean,
): Promise<void> {
  const mine: string[] = [];
  for (let n = 0; !isOver(); n++) {
    const slug = `w${writer}-${n}`;
    const made = await sent(written, () => client.call("POST", POSTS, { title: slug, slug, n }));
    expect(made.status, JSON.stringify(made.error)).toBe(201);
    const id = String(made.data["id"]);
    written.records.set(id, { n });
    mine.push(id);
    await pause(rounds(150, 50));
    const path = `${POSTS}/${mine[Math.floor(n / 2)]}`;
    if (written.records.get(path.slice(POSTS.length + 1)) === "trashed") continue;
    if (n % 5 === 4) {
      expect((await sent(written, () => client.call("DELETE", path))).status).toBe(200);
      written.records.set(path.slice(POSTS.length + 1), "trashed");
      continue;
    }
    const headers = { "Content-Type": "application/merge-patch+json" };
    const changed = await sent(written, () => client.call("PATCH", path, { n: n + 1000 }, { headers }));
    expect(changed.status, JSON.stringify(changed.error)).toBe(200);
    written.records.set(path.slice(POSTS.length + 1), { n: n + 1000 });
    if (n % 3 === 0)
      expect((await sent(written, () => client.call("POST", `${path}/publish`))).status).toBe(200);
  }
}

async function readOn(client: Client, known: string, written: Written, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const one = await client.call("GET", `${POSTS}/${known}?status=draft`);
    expect(one.status, JSON.stringify(one.error)).toBe(200);
    expect((await client.call("GET", `${POSTS}?status=draft&limit=5`)).status).toBe(200);
    written.reads += 2;
    await pause(50);
  }
}

describe("a space that moves while it is written", () => {
  it("keeps every acknowledged write, once, on its way to each database and back", async () => {
    const { client, posts } = await makeRich(4);
    const { id } = client.space;
    const written: Written = { records: new Map(), refused: 0, longestRefusalMs: 0, reads: 0 };
    let from = 1;
    for (const to of [2, 0, 1].slice(0, rounds(1, 3))) {
      let isOver = false;
      const over = (): boolean => isOver;
      const writers = Array.from({ length: rounds(3, 20) }, (_, writer) =>
        writeOn(client, writer + 100 * to, written, over),
      );
      const readers = [readOn(client, posts[0] as string, written, over)];
      try {
        expect((await client.call("POST", "/move", { shard: to })).status).toBe(202);
        for (let tries = 0; tries < 500; tries++) {
          if ((await moveOn(deployed, from, id, run(20_000))) === "wait") await pause(30);
          if ((await client.call("GET", "/move")).data["state"] === "done") break;
        }
        await pause(200);
      } finally {
        isOver = true;
        await Promise.all([...writers, ...readers]);
      }
      const seen = await client.call("GET", "/move");
      expect(seen.data, JSON.stringify([seen.data, written.records.size])).toMatchObject({
        state: "done",
        shard: to,
      });
      from = to;
      // Rows that were left give way for the way back.
      if (to === 0) await ageLeftRows();
      const rows = await shardDb(from).all<{ id: string; n: number; trashed: number }>(
        sql`SELECT r.id, r.deleted_at IS NOT NULL AS trashed, CAST(r.data ->> '3' AS INTEGER) AS n FROM records r
            WHERE r.space_id = ${id} AND r.seq > 0`,
      );
      const stored = new Map(rows.map((row) => [row.id, row]));
      for (const [record, state] of written.records) {
        const row = stored.get(record);
        expect(row, record).toBeDefined();
        expect(row?.trashed === 1 ? "trashed" : { n: row?.n }).toEqual(state);
      }
      // Those that were there before, and those of the writers: nothing is there twice.
      expect(stored.size).toBe(rows.length);
      const dump = await rowsOf(from, id);
      expect(dump["record_versions"]?.length).toBeGreaterThanOrEqual(written.records.size);
    }
    expect(written.records.size).toBeGreaterThan(rounds(2, 100));
    // All of it runs on one thread, on which many writers leave little room to a reader.
    expect(written.reads).toBeGreaterThan(2);
    console.log(
      `${written.records.size} records, ${written.reads} reads, ${written.refused} refusals, ` +
        `the longest ${written.longestRefusalMs} ms of ${MOVE.closedMaxMs} ms`,
    );
  }, 600_000);
});
