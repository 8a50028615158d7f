/** Backups as callers see them, and one that is worked on to its end. */
import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import { startBackup, workOn } from "../../../src/edge/exchange/backups/work.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";
import { backupsToDo } from "../../../src/edge/storage/backups/backups.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import type { Client } from "./api.ts";
import { bindings } from "./rows.ts";

const db = database(bindings.DB);
const handler = (exports as unknown as { default: Fetcher }).default;
export const read = (path: string, key: string = bindings.ROOT_TOKEN): Promise<Response> =>
  handler.fetch(`https://api.test/api/v1${path}`, { headers: { Authorization: `Bearer ${key}` } });

export interface Listed {
  id: string;
  state: string;
  parts: number;
  lines: number;
  masters: number;
  spaceName: string;
  endedAt: string | null;
  reason: string | null;
}

export const listOf = async (client: Client): Promise<Listed[]> =>
  (await client.call<Listed[]>("GET", "/backups")).data;

/** Starts a backup and works on it to its end, a page at a time. */
export async function backedUp(client: Client, now = Date.now(), goesOn = () => true): Promise<string> {
  const id = await startBackup(db, client.space.id, { origin: OF_SYSTEM, now });
  for (;;) {
    const [row] = await backupsToDo(db, "working", 1);
    if (!row) return String(id);
    await workOn({ db, bucket: bindings.BUCKET, now, keep: 2, goesOn }, row);
  }
}

export async function linesOf(base: string, key?: string): Promise<string[]> {
  const lines: string[] = [];
  for (let part: string | null = "1"; part !== null;) {
    const answer: Response = await read(`${base}/lines?part=${part}`, key);
    const text = new TextDecoder().decode(await answer.arrayBuffer());
    expect(answer.status, text).toBe(200);
    const all = text.trimEnd().split("\n");
    part = (JSON.parse(all.pop() ?? "{}") as { nextCursor: string | null }).nextCursor;
    lines.push(...all);
  }
  return lines;
}
