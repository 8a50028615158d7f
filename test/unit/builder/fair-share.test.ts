/** Spaces that share an isolate take turns. */
import { describe, expect, it } from "vitest";
import { FairShare } from "../../../src/builder/fair-share.ts";
import { BUILDER } from "../../../src/limits.ts";

describe("a space that was served last", () => {
  it("goes on while nobody else waits", () => {
    const share = new FairShare();
    share.served("a");
    share.refused("a", 0, 0);
    expect(share.mayGo("a", 1)).toBe(true);
  });

  it("lets another go first that found no room", () => {
    const share = new FairShare();
    share.served("a");
    share.refused("b", 0, 0);
    expect([share.mayGo("a", 1), share.mayGo("b", 1), share.mayGo("c", 1)]).toEqual([false, true, true]);
    share.served("b");
    expect([share.mayGo("a", 2), share.mayGo("b", 2)]).toEqual([true, true]);
  });

  it("does not wait for one that comes no more", () => {
    const share = new FairShare();
    share.served("a");
    share.refused("b", 0, 0);
    expect(share.mayGo("a", BUILDER.claimMinMs - 1)).toBe(false);
    expect(share.mayGo("a", BUILDER.claimMinMs)).toBe(true);
  });

  it("waits longer for one that has waited longer, up to a bound", () => {
    const share = new FairShare();
    share.served("a");
    share.refused("b", 1e9, 0);
    expect(share.mayGo("a", BUILDER.claimMaxMs - 1)).toBe(false);
    expect(share.mayGo("a", BUILDER.claimMaxMs)).toBe(true);
  });
});

it("two spaces with work without end are served in turns", () => {
  const share = new FairShare();
  const served: string[] = [];
  for (let now = 0; served.length < 10; now++) {
    for (const space of ["a", "b"]) {
      if (share.mayGo(space, now)) {
        share.served(space);
        served.push(space);
      } else share.refused(space, 0, now);
    }
    // The space that is not served finds the room taken.
    share.refused(served.at(-1) === "a" ? "b" : "a", 0, now);
  }
  expect(served.filter((space) => space === "a")).toHaveLength(5);
});

it("a space that always asks last has its turn after one build of each other space", () => {
  const share = new FairShare();
  const served: string[] = [];
  const ask = (space: string, now: number): void => {
    if (!share.mayGo(space, now)) {
      share.refused(space, 2 * BUILDER.claimMaxMs, now);
      return;
    }
    share.served(space);
    served.push(space);
  };
  share.served("a");
  for (const space of ["b", "c", "last"]) share.refused(space, 2 * BUILDER.claimMaxMs, 0);
  // Whenever a build ends, the spaces with work without end are there before it.
  for (let now = 1; now <= 8; now++) {
    const before = served.length;
    for (const space of ["a", "b", "c", "last"]) {
      if (served.length === before) ask(space, now);
      else share.refused(space, 2 * BUILDER.claimMaxMs, now);
    }
  }
  expect(served.slice(0, 4)).toEqual(["b", "c", "last", "a"]);
  expect(served.slice(4)).toEqual(served.slice(0, 4));
});

it("the claims of however many spaces are bounded", () => {
  const share = new FairShare();
  share.served("a");
  for (let i = 0; i <= BUILDER.claimsMax; i++) share.refused(`space ${i}`, 0, i === 0 ? 1e6 : 0);
  // The oldest one, which would hold the longest, was dropped.
  expect(share.mayGo("a", BUILDER.claimMinMs)).toBe(true);
});
