import { describe, expect, it } from "vitest";
import { settleTags, takeTags } from "../../../src/edge/storage/invalidation/outbox.ts";
import { INVALIDATION } from "../../../src/limits.ts";
import { cleanBetweenTests, REQUEST_DRAIN_MS } from "../support/clean.ts";
import { failingD1 } from "../support/bindings/failing-d1.ts";
import { Platform, waitingTags, START_MS } from "../support/invalidation.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

const many = (count: number, name = "media"): string[] =>
  Array.from({ length: count }, (_, n) => `${name}:${String(n).padStart(4, "0")}`);

describe("an invalidation", () => {
  it("is called at once and once more after ten seconds, then forgotten", async () => {
    const platform = new Platform();
    const start = platform.now;
    await platform.change(["media:a"]);
    expect(await platform.drain(REQUEST_DRAIN_MS)).toEqual({ calls: 2, tags: 2, refused: 0 });
    expect(platform.calls).toEqual([
      { at: start, tags: ["media:a"] },
      { at: start + INVALIDATION.repeatMs, tags: ["media:a"] },
    ]);
    expect(await waitingTags()).toEqual([]);
    expect(await platform.drain(INVALIDATION.sweepMs)).toEqual({ calls: 0, tags: 0, refused: 0 });
  });

  it("that a request has no time to repeat is repeated by the next drain", async () => {
    const platform = new Platform();
    await platform.change(["media:a"]);
    expect((await platform.drain()).calls).toBe(1);
    platform.now += INVALIDATION.repeatMs - 1;
    expect((await platform.drain()).calls).toBe(0);
    platform.now += 1;
    expect((await platform.drain()).calls).toBe(1);
    expect(await waitingTags()).toEqual([]);
  });

  it.each([
    ["refused", false],
    ["lost", new Error("the platform is down")],
  ])("that is %s is called again, and repeated all the same", async (_, answer) => {
    const platform = new Platform();
    platform.answers.push(answer, answer);
    await platform.change(["media:a"]);
    expect(await platform.drain(60_000)).toEqual({ calls: 4, tags: 2, refused: 2 });
    const times = platform.calls.map(({ at }) => at - START_MS);
    const [first = 0, second = 0, third = 0, fourth = 0] = times;
    expect([first, second, third]).toEqual([0, INVALIDATION.refusedMs, 2 * INVALIDATION.refusedMs]);
    expect(fourth - third).toBeGreaterThanOrEqual(INVALIDATION.repeatMs);
    expect(await waitingTags()).toEqual([]);
  });

  it("whose outcome is unknown is made again", async () => {
    const platform = new Platform();
    await platform.change(["media:a"]);
    const taken = await takeTags(platform.db, "an isolate that ends here", platform.now);
    expect(taken.tags).toHaveLength(1);
    platform.now += INVALIDATION.leaseMs - 1;
    expect((await platform.drain()).calls).toBe(0);
    platform.now += 1;
    expect((await platform.drain()).calls).toBe(1);
  });

  it("is made once more when its tag changes while it runs", async () => {
    const platform = new Platform();
    await platform.change(["media:a"]);
    platform.during = async () => {
      platform.during = null;
      await platform.change(["media:a"]);
    };
    await platform.drain(REQUEST_DRAIN_MS);
    expect(platform.calls).toHaveLength(3);
    expect(await waitingTags()).toEqual([]);
  });

  it("begins anew when its tag changes again after the repeat", async () => {
    const platform = new Platform();
    await platform.change(["media:a"]);
    const taken = await takeTags(platform.db, "slow", platform.now);
    await platform.change(["media:a"]);
    await settleTags(platform.db, taken.tags, platform.now);
    expect((await platform.drain(REQUEST_DRAIN_MS)).calls).toBe(2);
  });

  it("is not lost when D1 fails at any call", async () => {
    const sound = new Platform();
    for (const at of ["before", "after", 0, 1, 2, 3] as const) {
      for (let call = 0; call < 4; call++) {
        sound.calls.length = 0;
        await sound.change(["media:a"]);
        const platform = new Platform(failingD1(bindings.DB, { call, at }).db);
        platform.now = sound.now;
        await platform.drain(REQUEST_DRAIN_MS).catch(() => undefined);
        sound.now = platform.now + INVALIDATION.leaseMs;
        await sound.drain(INVALIDATION.sweepMs);
        const calls = platform.calls.length + sound.calls.length;
        expect(calls, `${at} call ${call}`).toBeGreaterThanOrEqual(2);
        expect(await waitingTags()).toEqual([]);
      }
    }
  });
});

describe("the platform's limits", () => {
  it("a call has at most 100 tags", async () => {
    const platform = new Platform();
    await platform.change(many(INVALIDATION.tagsPerCallMax));
    await platform.drain();
    expect(platform.calls.map(({ tags }) => tags.length)).toEqual([100]);
    await platform.change(many(INVALIDATION.tagsPerCallMax + 1, "other"));
    await platform.drain();
    expect(platform.calls.map(({ tags }) => tags.length)).toEqual([100, 100, 1]);
  });

  it("allow 25 calls in a burst, then five per minute, and no invalidation is lost", async () => {
    const platform = new Platform();
    const start = platform.now;
    for (const tag of many(30)) {
      await platform.change([tag]);
      await platform.drain();
    }
    expect(platform.calls).toHaveLength(INVALIDATION.burstCalls);
    await platform.drain(5 * 60_000);
    for (let at = start; at < platform.now; at += 1000) {
      const inMinute = platform.calls.filter((call) => call.at >= at && call.at < at + 60_000).length;
      expect(inMinute).toBeLessThanOrEqual(INVALIDATION.burstCalls + INVALIDATION.callsPerMinute);
    }
    for (const tag of many(30)) {
      expect(platform.calls.filter(({ tags }) => tags.includes(tag))).toHaveLength(2);
    }
    // Tags that wait go in one call.
    expect(platform.calls.length).toBeLessThan(40);
    expect(await waitingTags()).toEqual([]);
  });

  it("hold for all isolates together: simultaneous drains share the calls and take no tag twice", async () => {
    const platform = new Platform();
    await platform.change(many(300));
    await Promise.all(Array.from({ length: 5 }, () => platform.drain()));
    const tags = platform.calls.flatMap((call) => call.tags);
    expect(tags.sort()).toEqual(many(300));
    expect(platform.calls).toHaveLength(3);
  });
});

describe("media and content", () => {
  it("media are invalidated first, and content fills the rest of the call", async () => {
    const platform = new Platform();
    await platform.change(many(90, "content"), "content");
    await platform.change(many(60));
    await platform.drain();
    expect(platform.calls).toHaveLength(2);
    expect(platform.calls[0]?.tags.filter((tag) => tag.startsWith("media"))).toHaveLength(60);
    expect(platform.calls[0]?.tags).toHaveLength(100);
  });

  it("content leaves ten calls for media", async () => {
    const platform = new Platform();
    const allowed = INVALIDATION.burstCalls - INVALIDATION.mediaReserveCalls;
    for (const tag of many(allowed + 1, "content")) {
      await platform.change([tag], "content");
      await platform.drain();
    }
    expect(platform.calls).toHaveLength(allowed);
    await platform.change(["media:a"]);
    await platform.drain();
    expect(platform.calls).toHaveLength(allowed + 1);
    // With it went the content that had to wait.
    expect(platform.calls.at(-1)?.tags).toEqual([`content:00${allowed}`, "media:a"]);
  });

  it("a tag that is due for both counts as media", async () => {
    const platform = new Platform();
    await platform.change(["x"]);
    await platform.change(["x"], "content");
    await platform.change(many(100));
    await platform.drain();
    expect(platform.calls.flatMap(({ tags }) => tags)).toHaveLength(101);
  });
});
