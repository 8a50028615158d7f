/** Turns of long computing, on a clock that moves only while something waits, as a Worker's does (RULES 1.11). */
import { beforeEach, describe, expect, it } from "vitest";
import { SPACE_WORK } from "../../../../src/limits.ts";
import { WorkTurns } from "../../../../src/edge/spaces/work-turns.ts";

const MS = 1_000_000 / SPACE_WORK.unitNs;
const FREE_MS = SPACE_WORK.freeUnitsPerMinute / MS;

let now = 0;
let sleepers: { at: number; wake: () => void }[] = [];
const sleep = (ms: number): Promise<void> =>
  new Promise((wake) => void sleepers.push({ at: now + ms, wake }));

/** Moves the clock on, and wakes those whose time has come, one after the other. */
async function pass(ms: number): Promise<void> {
  const end = now + ms;
  for (;;) {
    const next = sleepers.toSorted((a, b) => a.at - b.at)[0];
    if (!next || next.at > end) break;
    sleepers = sleepers.filter((one) => one !== next);
    now = next.at;
    next.wake();
    for (let n = 0; n < 10; n++) await Promise.resolve();
  }
  now = end;
}

let turns = new WorkTurns(() => now, sleep);
beforeEach(() => {
  now = 1_000_000;
  sleepers = [];
  turns = new WorkTurns(() => now, sleep);
});

/** Takes turns for `space`, each for `ms` of computing. The times at which they began are added to `began`. */
const compute = async (space: string, ms: number, began: number[]): Promise<void> => {
  await turns.take(space);
  began.push(now);
  turns.note(space, ms * MS);
};

describe("turns of long computing", () => {
  it("let a space begin at once while it has caused little", async () => {
    turns.note("busy", 10_000 * MS);
    const began: number[] = [];
    await compute("small", 1, began);
    await compute("small", 1, began);
    expect(began).toEqual([now, now]);
  });

  it("make a busy space pause after each piece for longer than the piece took", async () => {
    turns.note("busy", (FREE_MS + 1) * MS);
    const began: number[] = [];
    for (let n = 0; n < 4; n++) void compute("busy", 100, began);
    expect(began).toEqual([]);
    await pass(5000);
    expect(began).toHaveLength(4);
    const least = 100 * (1 + SPACE_WORK.pausePerWork);
    for (let n = 1; n < 4; n++) expect(began[n]! - began[n - 1]!).toBeGreaterThanOrEqual(least);
  });

  it("make a piece that continues another one pause, however little its space has caused", async () => {
    const began: number[] = [];
    const check = async (space: string): Promise<void> => {
      await turns.take(space);
      for (let piece = 0; piece < 3; piece++) {
        if (piece > 0) await turns.takeNext(space);
        began.push(now);
        turns.note(space, 20 * MS);
      }
    };
    void check("one");
    void check("other");
    for (let n = 0; n < 10; n++) await Promise.resolve();
    expect(began).toHaveLength(2);
    await pass(1000);
    expect(began).toHaveLength(6);
    // The first pieces begin at once. After these, one piece begins after the other.
    const later = began.slice(2);
    expect(later[0]! - began[0]!).toBeGreaterThanOrEqual(20 * (1 + SPACE_WORK.pausePerWork));
    for (let n = 1; n < later.length; n++)
      expect(later[n]! - later[n - 1]!).toBeGreaterThanOrEqual(20 * (1 + SPACE_WORK.pausePerWork));
  });

  it("let only one piece begin after a pause, whichever space it is of", async () => {
    for (const space of ["a", "b", "c"]) turns.note(space, (FREE_MS + 1) * MS);
    const began: number[] = [];
    for (const space of ["a", "b", "c"]) void compute(space, 50, began);
    await pass(10_000);
    expect(new Set(began).size).toBe(3);
  });

  it("serve the space first that has caused less", async () => {
    turns.note("more", 3 * FREE_MS * MS);
    turns.note("less", 2 * FREE_MS * MS);
    const order: string[] = [];
    for (const space of ["more", "more", "less"])
      void compute(space, 10, []).then(() => void order.push(space));
    await pass(10_000);
    expect(order).toEqual(["less", "more", "more"]);
  });

  it("end for a waiter that is not served in time, with the time to wait", async () => {
    turns.note("busy", 20_000 * MS);
    const refused = turns.take("busy").catch((error: unknown) => error);
    await pass(SPACE_WORK.turnWaitMaxMs + 1000);
    expect(await refused).toMatchObject({ code: "RATE_LIMITED" });
  });

  it("do not wait for the end of a pause that was made before the clock was set back", async () => {
    turns.note("busy", (FREE_MS + 1) * MS);
    now -= 60_000;
    const began: number[] = [];
    const start = now;
    void turns.takeNext("busy").then(() => void began.push(now));
    await pass(0);
    for (let n = 0; n < 10; n++) await Promise.resolve();
    expect(began).toEqual([start]);
    turns.note("busy", (FREE_MS + 1) * MS);
    void compute("busy", 1, began);
    await pass(9000);
    expect(began[1]! - start).toBeGreaterThanOrEqual((FREE_MS + 1) * (1 + SPACE_WORK.pausePerWork));
  });

  it("do not wait for a request that has vanished", async () => {
    turns.note("gone", (FREE_MS + 1) * MS);
    turns.note("busy", (FREE_MS + 2) * MS);
    void turns.take("gone");
    // The platform has ended the request: its timer never comes.
    sleepers = [];
    const began: number[] = [];
    void compute("busy", 10, began);
    await pass(9000);
    expect(began).toHaveLength(1);
  });
});
