/** Imports into a space that moves to another database meanwhile: sent again where they were refused, they end whole there. */
import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { moveOn } from "../../../src/edge/shards/moves/move.ts";
import { EXCHANGE_TYPE, type ImportResult } from "../../../src/exchange/lines.ts";
import { MOVE } from "../../../src/limits.ts";
import type { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { copied, exported, imported, masterOf, putFile, request, timeless } from "../support/exchange.ts";
import { makeVaried } from "../support/exchange-space.ts";
import { requestWith, ROOT } from "../support/http.ts";
import { afterOther } from "../support/import-run.ts";
import { makeClient, move, rowsOf, run, shardDb } from "../support/moves.ts";
import { ofRing } from "../../support/ring.ts";
import { databases, deployed } from "../support/rows.ts";

cleanBetweenTests();

const LIMITS = { ...MOVE };
beforeEach(() => {
  vi.spyOn(console, "error").mockReturnValue(undefined);
  return () => void Object.assign(MOVE, LIMITS);
});

/** A slow machine makes no last slice in the time of the rules. */
const UNHURRIED = { ...LIMITS, closedMaxMs: 600_000, switchMaxMs: 500_000 };

const LINES_PER_REQUEST = 3;
const TRIES_MAX = 500;
/** The batches of an import before which its space is switched. */
const BATCHES = ofRing([2, 1, 3, 5, 8], 5);

/** Sends a request again and again while the space takes no writes. Returns the body of the answer. */
async function sentInTheEnd(send: () => Promise<Response>): Promise<string> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const response = await send();
    const text = await response.text();
    if (response.status === 200) return text;
    expect(response.status, text).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("1");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("the request was refused each time");
}

/** Imports lines with the files that they wait for. */
async function importedInTheEnd(from: Client, to: Client, lines: readonly string[]): Promise<ImportResult> {
  const body = lines.join("\n");
  const headers = { "Content-Type": EXCHANGE_TYPE };
  const text = await sentInTheEnd(() => request(to, "POST", "/import", { body, headers }));
  const { data } = JSON.parse(text) as { data: ImportResult };
  for (const { id, sha256 } of data.waiting) {
    const line = lines.find((one) => one.includes(id)) ?? "{}";
    const bytes = await masterOf(from, id, (JSON.parse(line) as { masterVersion: number }).masterVersion);
    await sentInTheEnd(() => putFile(to, id, bytes, sha256));
  }
  return data;
}

const placeOf = async (client: Client): Promise<unknown> => {
  const { state, shard, reason } = (await client.call("GET", "/move")).data;
  return { state, shard, reason };
};

const copiedOf = async (client: Client): Promise<number> =>
  (await client.call<{ rows: { copied: number } }>("GET", "/move")).data.rows.copied;

/** Checks that a space has all that the other one has, and that an import of it changes nothing. */
async function expectWhole(to: Client, from: Client, lines: readonly string[]): Promise<void> {
  await copied(from, to, lines);
  expect(timeless((await exported(to)).lines)).toEqual(timeless(lines));
  const repeated = await imported(to, lines);
  expect(repeated).toEqual({ imported: 0, unchanged: lines.length, refused: [], waiting: [] });
}

describe("an import in requests, while its space is copied and switched", () => {
  it("ends whole on the new database", async () => {
    const from = await makeVaried();
    const { lines } = await exported(from);
    const to = await makeClient(1);
    const { id } = to.space;
    await shardDb(1).run(sql`INSERT INTO space_moves (space_id, move, state, other, started_at)
      VALUES (${id}, 1, 'leaving', 2, 1)`);
    const pieces = Array.from({ length: Math.ceil(lines.length / LINES_PER_REQUEST) }, (_, at) =>
      lines.slice(at * LINES_PER_REQUEST, (at + 1) * LINES_PER_REQUEST),
    );
    const middle = Math.floor(pieces.length / 2);
    const places: unknown[] = [];
    const copiedRows: number[] = [];
    // Beside each of the first requests, the copy goes on by a step or two. Beside the others, it may come to its end.
    for (const [at, piece] of pieces.entries()) {
      Object.assign(MOVE, at < middle ? { queriesPerRun: 20, lastSliceUnits: -1 } : UNHURRIED);
      const [{ refused }] = await Promise.all([
        importedInTheEnd(from, to, piece),
        moveOn(deployed, 1, id, run()),
      ]);
      expect(refused).toEqual([]);
      places.push(await placeOf(to));
      if (at < middle) copiedRows.push(await copiedOf(to));
    }
    expect(places[0]).toEqual({ state: "copying", shard: 1, reason: null });
    expect(places[middle - 1]).toEqual({ state: "copying", shard: 1, reason: null });
    expect(copiedRows.at(-1)).toBeGreaterThan(0);
    for (let tries = 0; tries < 100 && (await moveOn(deployed, 1, id, run())) === "more"; tries++);
    expect(await placeOf(to)).toEqual({ state: "done", shard: 2, reason: null });
    await expectWhole(to, from, lines);
    expect((await rowsOf(2, id))["records"]?.length).toBeGreaterThan(0);
  });
});

/** Imports lines with a database that does something before its nth batch. */
function importedWhile(to: Client, lines: readonly string[], other: () => Promise<unknown>, n: number) {
  const DB_1 = afterOther(databases[1] as D1Database, other, n);
  return requestWith({ ...deployed, DB_1 }, `/api/v1/${to.space.name}/import`, {
    method: "POST",
    body: lines.join("\n"),
    headers: { "Content-Type": EXCHANGE_TYPE, ...ROOT },
  });
}

describe("an import whose space is switched before one of its batches", () => {
  it.each(BATCHES)("is refused and writes nothing more there; sent again, it ends whole: %i", async (n) => {
    const from = await makeVaried();
    const { lines } = await exported(from);
    const to = await makeClient(1);
    await copied(
      from,
      to,
      lines.filter((line) => /^\{"kind":"(?:space|model|media)"/.test(line)),
    );
    let left: Record<string, string[]> = {};
    const switched = async (): Promise<void> => {
      await move(to, 2);
      left = await rowsOf(1, to.space.id);
    };
    const response = await importedWhile(to, lines, switched, n);
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(await placeOf(to)).toEqual({ state: "done", shard: 2, reason: null });
    expect(await rowsOf(1, to.space.id)).toEqual(left);
    await expectWhole(to, from, lines);
  });
});
