/** Spaces that have something in every table, their moves, and all of their rows. */
import { sql } from "drizzle-orm";
import { expect } from "vitest";
import type { Env } from "../../../src/edge/config.ts";
import { driving, moveOn, type Driving } from "../../../src/edge/shards/moves/move.ts";
import { database, type Database } from "../../../src/edge/storage/database/database.ts";
import { spaceOfRow } from "../../../src/edge/storage/shards/space-rows.ts";
import { SPACE_TABLES } from "../../../src/edge/storage/shards/tables.ts";
import { call, Client } from "./api.ts";
import { failingD1, newProcess, type Failure, type Process } from "./bindings/failing-d1.ts";
import { MOVE } from "../../../src/limits.ts";
import { databases, deployed, makeMedia, newId, SHARD, type Media } from "./rows.ts";

/** A slow machine may need several last slices, and a test does not wait between them. */
Object.assign(MOVE, { againMs: 0 });

export const shardDb = (shard: number): Database => database(databases[shard] as D1Database);

/**
 * Returns the rows of a space by table, as SQL literals, so that 1 is not 1.0; without those that the move makes anew.
 */
export async function rowsOf(shard: number, spaceId: string): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const table of SPACE_TABLES) {
    if (table.isOfDirectory) continue;
    const columns = table.columns.filter((name) => !(table.name === "spaces" && name === "removed_at"));
    const text = columns.map((name) => `quote(t.${name})`).join(" || ',' || ");
    const rows = await shardDb(shard).all<{ row: string }>(
      sql.raw(`SELECT ${text} AS row FROM ${table.name} t WHERE ${spaceOfRow(table, "t")} = '${spaceId}'`),
    );
    // The events of the move itself are written on either side.
    const isOfMove = ({ row }: { row: string }): boolean => /'space\.(?:moving|moved|stayed)'/.test(row);
    dump[table.name] = rows
      .filter((one) => table.name !== "events" || !isOfMove(one))
      .map(({ row }) => row)
      .sort();
  }
  return dump;
}

/** Returns the totals of a space. */
export const totalsOf = (shard: number, spaceId: string): Promise<unknown> =>
  shardDb(shard).get(sql`SELECT * FROM space_totals WHERE space_id = ${spaceId}`);

export const run = (ms = 60_000): Driving => driving(ms, (event) => console.error(JSON.stringify(event)));

/** Moves a space and waits for it. */
export async function move(client: Client, to: number, from = SHARD): Promise<void> {
  const reply = await client.call("POST", "/move", { shard: to });
  expect(reply.status, JSON.stringify(reply.error)).toBe(202);
  for (let tries = 0; tries < 200; tries++) {
    await moveOn(deployed, from, client.space.id, run());
    const { data } = await client.call("GET", "/move");
    if (data["state"] === "done" || data["state"] === "stayed") {
      expect(data).toMatchObject({ state: "done", shard: to });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the space does not move");
}

/** Orders a move, without the work on it that a request begins. */
export const order = async (client: Client): Promise<void> => {
  const { id } = client.space;
  await shardDb(1).run(sql`INSERT INTO space_moves (space_id, move, state, other, started_at)
    VALUES (${id}, 1, 'leaving', 2, 1)`);
};
const tableCopied = async ({ space }: Client): Promise<number> => {
  const row = await shardDb(2).get<{ at: number } | undefined>(
    sql`SELECT progress ->> '$.walk.table' AS at FROM space_moves WHERE space_id = ${space.id}`,
  );
  return row?.at ?? -1;
};

/** Copies step by step until the tables before `name` are on the new database. */
export async function copyUntil(client: Client, name: string): Promise<void> {
  const { queriesPerRun } = MOVE;
  const until = SPACE_TABLES.findIndex((table) => table.name === name);
  // Each run ends after some steps, but not before it comes to a table with rows.
  Object.assign(MOVE, { queriesPerRun: 60 });
  for (let step = 0; step < 100 && (await tableCopied(client)) < until; step++)
    await moveOn(deployed, 1, client.space.id, run());
  Object.assign(MOVE, { queriesPerRun });
  expect(await tableCopied(client)).toBeGreaterThanOrEqual(until);
}

/** Returns the deployment as a process has it that is lost at a moment: before or after a call, or within a batch. */
export function dyingAt(failure: Failure): { env: Env; lost: Process } {
  const lost = newProcess(true);
  const open = (shard: number): D1Database => failingD1(databases[shard] as D1Database, failure, lost).db;
  return { env: { ...deployed, DB: open(0), DB_1: open(1), DB_2: open(2) }, lost };
}

/** Ends the lease of a process that was lost, so that the next one need not wait for its end. */
export const freeWork = (): Promise<unknown> =>
  Promise.all(databases.map((d1) => d1.prepare("UPDATE space_moves SET driven_until = 0").run()));

/** Lets the time pass after which the rows that spaces have left are swept. */
export const ageLeftRows = async (): Promise<void> => {
  for (const d1 of databases)
    await d1.prepare("UPDATE space_moves SET ended_at = ended_at - 86400000 WHERE state = 'left'").run();
};

export interface RichSpace {
  client: Client;
  key: string;
  media: Media[];
  posts: string[];
}

/** Makes a client of a new space, made as an operator does, so that its database counts from its own block. */
export async function makeClient(shard = SHARD): Promise<Client> {
  const { data } = await call<{ id: string; name: string }>("POST", "/api/v1/spaces", {
    name: `moved-${newId().slice(-8).toLowerCase()}`,
    shard,
  });
  return new Client(data);
}

const POSTS = [
  { name: "title", type: "string", required: true, searchable: true },
  { name: "slug", type: "string", unique: true },
  { name: "n", type: "number" },
  { name: "tags", type: "relation", to: "posts", multiple: true },
];

/** Makes a space with records, drafts, history, trash, schedules, media, uploads, webhooks, keys and keyed requests. */
export async function makeRich(posts = 6): Promise<RichSpace> {
  const client = await makeClient();
  const key = await client.key("admin");
  const made = await client.call("POST", "/models", {
    ...{ typeModel: "collections", name: "posts", fields: POSTS, drafts: true, public: true },
  });
  expect(made.status, JSON.stringify(made.error)).toBe(201);
  await client.model("front", [{ name: "headline", type: "string", default: "Hello" }], "pages");
  const ids: string[] = [];
  for (let n = 0; n < posts; n++) {
    const values = {
      title: `Tïtle ${n} \u0001`,
      slug: `slug-${n}`,
      n: n % 2 ? n / 3 : 2 ** 60,
      tags: ids.slice(-2),
    };
    const id = await client.create("posts", values);
    ids.push(id);
    const path = `/data/collections/posts/${id}`;
    if (n % 2 === 0) await client.call("POST", `${path}/publish`);
    await client.call(
      "PATCH",
      path,
      { n: n + 0.5 },
      { headers: { "Content-Type": "application/merge-patch+json" } },
    );
  }
  const at = new Date(Date.now() + 3_600_000).toISOString();
  await client.call("POST", `/data/collections/posts/${ids[1]}/publish`, { publishAt: at });
  await client.call("DELETE", `/data/collections/posts/${ids.pop()}`);
  await client.call("PUT", "/data/pages/front/front", { headline: "Edited" });
  await client.call("DELETE", "/data/pages/front/front");
  await client.call(
    "POST",
    "/data/collections/posts",
    { title: "once", slug: "once" },
    { key, headers: { "Idempotency-Key": "by-key" } },
  );
  await client.call(
    "POST",
    "/data/collections/posts",
    { title: "root", slug: "root" },
    { headers: { "Idempotency-Key": "by-root" } },
  );
  const media = [await makeMedia(client.space), await makeMedia(client.space), await makeMedia(client.space)];
  const d1 = databases[SHARD] as D1Database;
  for (const { id, spaceId } of media) {
    await d1
      .prepare(
        `INSERT INTO variants (media_id, version, file, space_id, encoder_version, size_bytes, created_at, expires_at)
         VALUES (?, 1, 'w100-q80-e1.webp', ?, 1, 99, 1, 99999999999999)`,
      )
      .bind(id, spaceId)
      .run();
    await d1
      .prepare(
        `INSERT INTO remotes (space_id, hash, id, url, origin, version, last_version, file, size_bytes, sha256, facts,
           fetched_at, fresh_until, asked_at)
         VALUES (?1, 'hash of ' || ?2, ?2, 'https://img.example.com/a', 'https://img.example.com', 1, 1, 'master.gif',
           100, 'none', '{}', 1, 1, 99999999999999)`,
      )
      .bind(spaceId, newId())
      .run();
    await d1
      .prepare("INSERT INTO doomed_objects (key, due_at) VALUES (?, 99999999999999)")
      .bind(`v/${spaceId}/${newId()}/1/w1.webp`)
      .run();
    const backup = newId();
    await d1.batch([
      d1
        .prepare(
          "INSERT INTO waiting_media (space_id, media_id, sha256, line, expires_at) VALUES (?, ?, 'a', '{}', 1e15)",
        )
        .bind(spaceId, newId()),
      d1
        .prepare(
          "INSERT INTO removed_media (space_id, media_id, last_version, master_version, sha256) VALUES (?, ?, 2, 1, 'a')",
        )
        .bind(spaceId, newId()),
      d1
        .prepare(
          "INSERT INTO backups (id, space_id, space_name, state, started_at) VALUES (?, ?, 'moved', 'done', 1)",
        )
        .bind(backup, spaceId),
      d1
        .prepare(
          "INSERT INTO backup_masters (space_id, media_id, version, file, last_backup) VALUES (?, ?, 1, 'master.gif', ?)",
        )
        .bind(spaceId, id, backup),
    ]);
  }
  await client.call("DELETE", `/media/${media[2]?.id}`);
  await client.call("POST", "/media/uploads", { filename: "a.png", sizeBytes: 1000 });
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
  const hook = { url: "https://receiver.example/hook", events: ["*"] };
  const { data: webhook } = await client.call("POST", "/webhooks", hook);
  await client.call("POST", `/webhooks/${String(webhook["id"])}/ping`);
  await client.call("POST", "/preview-tokens", { ttlSeconds: 3600 });
  await client.call("POST", "/members", { email: "ann@example.com", role: "write" });
  const spaceId = media[0]?.spaceId ?? null;
  const session =
    "INSERT INTO sessions (hash, space_id, iss, sub, created_at, expires_at) VALUES (?, ?, 'i', 's', 1, 9e15)";
  await d1.prepare(session).bind(`hash of ${spaceId}`, spaceId).run();
  await client.model("words", [{ name: "word", type: "string", localized: true, searchable: true }]);
  const word = await client.create("words", { word: "Tree" });
  for (const text of ["Bäume", "Baum"])
    await client.call("PUT", `/data/collections/words/${word}?locale=de`, { word: text });
  return { client, key, media, posts: ids };
}

/** Checks that every table of a dump has rows, but for those that only work in the background fills. */
export function expectFull(dump: Record<string, string[]>): void {
  const maybeEmpty = ["model_changes", "doomed_fields", "search_rebuilds"];
  for (const [name, rows] of Object.entries(dump))
    if (!maybeEmpty.includes(name)) expect(rows.length, name).toBeGreaterThan(0);
}

export const spaceReply = (name: string): Promise<{ status: number }> =>
  call("GET", `/api/v1/${name}/settings`);
