/**
 * The edge's process is killed (SIGKILL) at random moments in the middle of writes of every kind that the audit names, and
 * starts again each time: there is never a change without its line, and never a line without its change, whether the write
 * was answered or not (RULES 14.1).
 *
 * KILLS=1000 kills more often.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newDataDir, removeDataDir } from "../../scripts/harness/service.ts";
import { ACTIONS, type Action } from "../../src/edge/storage/events/actions.ts";
import { lifeOfModel, lifeOfRecord, manyRecords } from "../support/audit-kills/content.ts";
import { backups, dotOf, fetched, lifeOfMedia, uploads } from "../support/audit-kills/files.ts";
import { keysAndHooks, members } from "../support/audit-kills/people.ts";
import { OpenProvider } from "../support/audit-kills/provider.ts";
import { Rows } from "../support/audit-kills/rows.ts";
import { lifeOfSpace } from "../support/audit-kills/spaces.ts";
import { Stream, type Cut } from "../support/audit-kills/stream.ts";
import { Victim } from "../support/audit-kills/victim.ts";
import { OriginServer } from "../support/remote/origin-server.ts";

/** Each takes some 2 s, in which the edge starts again. */
const KILLS = Number(process.env["KILLS"] ?? 40);
const KILLS_MAX_MS = KILLS * 10_000 + 300_000;
/**
 * A kill comes within one of these times after the edge answers again, at random: all streams are in the middle of something
 * then. After the shortest one, isolates have nothing in memory yet.
 */
const KILL_WITHIN_MS = [60, 250, 1000];
const STREAMS = 10;

/** The actions that this test does not make, with the reason. Refusals change nothing. */
const ELSEWHERE: Partial<Record<Action, string>> = {
  "model.scheduled": "needs a model of thousands of records: background-change.rings.test.ts",
  "model.withdrawn": "as above",
  "key.changed": "no route changes a key",
  "space.moving": "needs a second database: move-crash.rings.test.ts",
  "space.moved": "as above",
  "space.stayed": "as above",
  "webhook.disabled": "the service itself, after a receiver has failed for days: the tests of rounds",
  "backup.restored": "changes nothing: a line for each part that is read",
  "export.created": "changes nothing",
};

const dataDir = newDataDir();
let victim: Victim;
let rows: Rows;
let provider: OpenProvider;
let origin: OriginServer;
/** The steps of the end, which begins with the last. */
const undo: (() => unknown)[] = [() => removeDataDir(dataDir)];
const givenUp = new AbortController();

beforeAll(async () => {
  provider = await OpenProvider.start();
  undo.push(() => provider.stop());
  origin = await OriginServer.start();
  undo.push(() => origin.stop());
  origin.otherwise((request, response) => response.end(dotOf(request.url ?? "")));
  victim = await Victim.start(dataDir, { REMOTE_TEST_ORIGINS: "1", ...provider.variables }, givenUp.signal);
  undo.push(() => victim.service.stop());
  rows = new Rows(dataDir);
  undo.push(() => rows.close());
});
afterAll(async () => {
  // After a timeout the kills and the streams still go on.
  givenUp.abort();
  for (const step of undo.toReversed()) await step();
});

/** Adds up the writes that kills have cut off. */
function added(streams: readonly Stream[]): Map<string, Cut> {
  const sums = new Map<string, Cut>();
  for (const [action, { done, partly, not }] of streams.flatMap(({ cut }) => [...cut])) {
    const sum = sums.get(action) ?? { done: 0, partly: 0, not: 0 };
    sums.set(action, { done: sum.done + done, partly: sum.partly + partly, not: sum.not + not });
  }
  return sums;
}

// Not tried again: a fault that comes seldom is one.
describe("kill -9 of the edge in the middle of writes", { retry: 0, timeout: KILLS_MAX_MS }, () => {
  it("leaves no change without its line in the audit, and no line without its change", async () => {
    const stories = [
      ...[lifeOfRecord, manyRecords, lifeOfModel, lifeOfMedia, uploads, backups],
      ...[fetched(origin.base), keysAndHooks, members(provider), lifeOfSpace],
    ];
    const streams: Stream[] = [];
    for (let n = 0; n < STREAMS; n++) streams.push(await Stream.make(victim, rows));
    // The kills end when all are made or a stream fails, and the streams end with them.
    const over = new AbortController();
    const orOver = (work: Promise<unknown>): Promise<unknown> => work.finally(() => over.abort());
    const working = streams.map(async (stream, n) => {
      for (let turn = n; !over.signal.aborted; turn++) await stories[turn % stories.length]?.(stream);
    });
    const killing = (async () => {
      for (let n = 0; n < KILLS && !over.signal.aborted; n++)
        await victim.killAfter(Math.random() * (KILL_WITHIN_MS[n % KILL_WITHIN_MS.length] ?? 0));
    })();
    const ended = await Promise.allSettled([...working, killing].map(orOver));
    const broken = ended.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
    expect(broken).toEqual([]);
    const cut = added(streams);
    const all = [...cut.values()];
    const total = (kind: keyof Cut): number => all.reduce((sum, one) => sum + one[kind], 0);
    const sumOf = (kind: "acknowledged" | "unmet" | "busy"): number =>
      streams.reduce((sum, stream) => sum + stream[kind], 0);
    console.log(
      `${victim.kills} kills, ${sumOf("acknowledged")} acknowledged writes, cut off: ${total("done")} done, ` +
        `${total("partly")} partly, ${total("not")} not; ${sumOf("unmet")} met no process, ${sumOf("busy")} the busy edge`,
    );
    console.log(JSON.stringify(Object.fromEntries(cut)));

    expect(streams.flatMap(({ faults }) => faults)).toEqual([]);
    const kept = streams.map(({ space }) => rows.historyAndLines(space.id));
    for (const { history, lines } of kept) expect(lines).toEqual(history);
    expect(kept.flatMap(({ history }) => history).length).toBeGreaterThan(0);
    expect(streams.flatMap(({ space }) => rows.withAnotherMaker(space.id))).toEqual([]);
    expect(rows.linesWithoutSpace()).toEqual([]);
    // Kills have come before and after the batch of a change.
    expect([total("done") > 0, total("not") > 0]).toEqual([true, true]);
    const seen = new Set(streams.flatMap((stream) => [...stream.seen]));
    const named = ACTIONS.filter((action) => !action.endsWith(".refused") && ELSEWHERE[action] === undefined);
    expect(named.filter((action) => !seen.has(action))).toEqual([]);
  });
});
