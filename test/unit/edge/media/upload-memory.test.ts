import { describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../../src/errors.ts";
import { SVG, UPLOAD } from "../../../../src/limits.ts";
import { createProbe } from "../../../../src/image/formats/probe.ts";
import { memoryOf as memoryOfFile, UploadMemory } from "../../../../src/edge/media/upload-memory.ts";

const refusal = (act: () => void): ApiError => {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error("nothing was refused");
};

const memoryOf = (totalBytes: number, perSpaceBytes = totalBytes, now = () => 0): UploadMemory =>
  new UploadMemory({ totalBytes, perSpaceBytes }, now);

describe("the memory of uploads", () => {
  it("admits as many as fit, and refuses the next one with a Retry-After", () => {
    const memory = memoryOf(30);
    const first = memory.begin("one", 10);
    memory.begin("two", 20);
    const error = refusal(() => memory.begin("three", 1));
    expect([error.status, error.headers["Retry-After"]]).toEqual([503, String(UPLOAD.retryAfterSeconds)]);
    first.end();
    memory.begin("three", 10);
    refusal(() => memory.begin("one", 1));
  });

  it("admits others in what an upload gives back, which gives back no more than it had", () => {
    const memory = memoryOf(30);
    const first = memory.begin("one", 20);
    refusal(() => memory.begin("two", 11));
    first.shrink(19);
    memory.begin("two", 11);
    first.shrink(25);
    refusal(() => memory.begin("three", 1));
  });

  it("gives a space no more than its share, and others the rest", () => {
    const memory = memoryOf(30, 20);
    const first = memory.begin("greedy", 10);
    memory.begin("greedy", 10);
    const error = refusal(() => memory.begin("greedy", 1));
    expect(error.message).toContain("This space");
    memory.begin("other", 10);
    refusal(() => memory.begin("third", 1));
    first.end();
    memory.begin("greedy", 10);
  });

  it("no longer counts a silent upload, whose request may have ended unnoticed", () => {
    let now = 0;
    const memory = memoryOf(20, 20, () => now);
    const lively = memory.begin("space", 10);
    memory.begin("space", 10);
    now = UPLOAD.silentMaxMs - 1;
    lively.sign();
    refusal(() => memory.begin("space", 10));
    now = UPLOAD.silentMaxMs;
    memory.begin("space", 10);
    refusal(() => memory.begin("space", 10));
  });

  it("counts an upload again that was silent and continues", () => {
    let now = 0;
    const memory = memoryOf(20, 20, () => now);
    const slow = memory.begin("space", 10);
    now = UPLOAD.silentMaxMs;
    memory.begin("space", 5).end();
    slow.sign();
    memory.begin("space", 10);
    refusal(() => memory.begin("space", 1));
  });

  it("is waited for while others end, by a bounded number of uploads", async () => {
    vi.useFakeTimers();
    try {
      const memory = memoryOf(10);
      const first = memory.begin("one", 10);
      const waiting = memory.reserve("two", 10);
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs - UPLOAD.placePollMs);
      first.end();
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      const second = await waiting;
      const refused = Array.from({ length: UPLOAD.placeWaitersMax }, () => memory.reserve("three", 10));
      const faults = Promise.allSettled(refused);
      await expect(memory.reserve("three", 10)).rejects.toThrow("Too many uploads");
      let isRefused = false;
      const ofAnother = memory.reserve("four", 10).catch(() => (isRefused = true));
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      expect(isRefused).toBe(false);
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs);
      expect((await faults).map(({ status }) => status)).toEqual(refused.map(() => "rejected"));
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      expect(await ofAnother).toBe(true);
      second.end();
      await memory.reserve("five", 10);
    } finally {
      vi.useRealTimers();
    }
  });

  it("goes first to a space that has none, whoever has waited longer", async () => {
    vi.useFakeTimers();
    try {
      const memory = memoryOf(20);
      const [first] = [memory.begin("busy", 10), memory.begin("busy", 10)];
      const order: string[] = [];
      const waiting = ["busy", "busy", "other"].map(async (space) => {
        await memory.reserve(space, 10);
        order.push(space);
      });
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      first.end();
      await vi.advanceTimersByTimeAsync(2 * UPLOAD.placePollMs);
      expect(order).toEqual(["other"]);
      const refused = Promise.allSettled(waiting);
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs);
      expect((await refused).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("goes first to spaces that hold little, so that an editor sends several small files at once", async () => {
    vi.useFakeTimers();
    try {
      const shares = { totalBytes: 30, perSpaceBytes: 20, firstBytes: 10 };
      const memory = new UploadMemory(shares, Date.now);
      memory.begin("editor", 4);
      memory.begin("greedy", 10);
      // For this one there is no room.
      const large = memory.reserve("other", 20);
      const refused = large.catch((error: unknown) => error);
      const greedy = Promise.allSettled([memory.reserve("greedy", 1)]);
      await memory.reserve("editor", 6);
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs + UPLOAD.placePollMs);
      expect(await refused).toBeInstanceOf(ApiError);
      expect((await greedy)[0].status).toBe("fulfilled");
    } finally {
      vi.useRealTimers();
    }
  });

  it("is kept for an upload that has waited for a second, while small ones end", async () => {
    vi.useFakeTimers();
    try {
      const memory = memoryOf(30, 30, Date.now);
      const [first, second] = [memory.begin("one", 15), memory.begin("two", 10)];
      let isLarge = false;
      const large = memory.reserve("large", 20).then(() => (isLarge = true));
      await vi.advanceTimersByTimeAsync(UPLOAD.placeSoonMs - UPLOAD.placePollMs);
      (await memory.reserve("small", 5)).end();
      await vi.advanceTimersByTimeAsync(3 * UPLOAD.placePollMs);
      let isSmall = false;
      const small = memory.reserve("small", 5).then(() => (isSmall = true));
      first.end();
      await vi.advanceTimersByTimeAsync(2 * UPLOAD.placePollMs);
      expect([isLarge, isSmall]).toEqual([true, false]);
      second.end();
      await vi.advanceTimersByTimeAsync(2 * UPLOAD.placePollMs);
      await Promise.all([large, small]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("goes to a small upload while one of a second cannot have it, and to that one as soon as it fits", async () => {
    vi.useFakeTimers();
    try {
      // Three imports, of which two run.
      const memory = memoryOf(60, 36, Date.now);
      const [first] = [memory.begin("one", 24), memory.begin("two", 24)];
      let isThird = false;
      const third = memory.reserve("three", 24).then(() => (isThird = true));
      await vi.advanceTimersByTimeAsync(3 * UPLOAD.placeSoonMs);
      for (let n = 0; n < 12; n++) await memory.reserve(`editor ${n}`, 1);
      refusal(() => memory.begin("one more", 1));
      first.end();
      let isSmall = false;
      const small = memory.reserve("one more", 1).then(() => (isSmall = true));
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      expect([isThird, isSmall]).toEqual([true, false]);
      const refused = expect(small).rejects.toThrow(ApiError);
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs);
      await Promise.all([third, refused]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("of checks goes to small drawings while two large ones take turns", async () => {
    vi.useFakeTimers();
    try {
      const { checkedMaxBytes, placeSoonMs } = UPLOAD;
      const shares = {
        totalBytes: checkedMaxBytes,
        perSpaceBytes: SVG.maxBytes,
        firstBytes: checkedMaxBytes - SVG.maxBytes,
      };
      const memory = new UploadMemory(shares, Date.now);
      const running = memory.begin("one", SVG.maxBytes);
      const waiting = memory.reserve("two", SVG.maxBytes);
      await vi.advanceTimersByTimeAsync(1.3 * placeSoonMs);
      const icons = await Promise.all(["three", "four"].map((space) => memory.reserve(space, 1000)));
      expect(() => memory.begin("five", checkedMaxBytes - SVG.maxBytes - 1999)).toThrow(ApiError);
      running.end();
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      await waiting;
      for (const icon of icons) icon.end();
    } finally {
      vi.useRealTimers();
    }
  });

  it("is passed by slow uploads only as far as they fit beside one that waits", async () => {
    vi.useFakeTimers();
    try {
      const memory = memoryOf(30, 30, Date.now);
      const before = Array.from({ length: 14 }, (_, n) => memory.begin(`before ${n}`, 2));
      let isLarge = false;
      const large = memory.reserve("large", 24).then(() => (isLarge = true));
      await vi.advanceTimersByTimeAsync(UPLOAD.placeSoonMs + UPLOAD.placePollMs);
      const passing: string[] = [];
      for (const [n, one] of before.entries()) {
        const small = memory.reserve(`small ${n}`, 2);
        void small.then(
          () => passing.push(`small ${n}`),
          () => undefined,
        );
        await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
        one.end();
      }
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      expect([isLarge, passing]).toEqual([true, ["small 0", "small 1", "small 2"]]);
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs + UPLOAD.placePollMs);
      await large;
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ["that has none", 0],
    ["that holds little", 1],
  ])("is kept for an upload of a space %s, while small ones come and go", async (_, held) => {
    vi.useFakeTimers();
    try {
      const shares = { totalBytes: 60, perSpaceBytes: 36, firstBytes: 13 };
      const memory = new UploadMemory(shares, Date.now);
      memory.begin("one", 24);
      memory.begin("two", 24 - held);
      if (held > 0) memory.begin("editor", held);
      const begun = Date.now();
      let isOver = false;
      const small = async (n: number): Promise<void> => {
        for (let turn = 0; !isOver; turn++) {
          const one = await memory.reserve(`small ${n} ${turn}`, 3);
          await new Promise((resolve) => setTimeout(resolve, 10 * UPLOAD.placePollMs));
          one.end();
        }
      };
      const smalls = [0, 1, 2, 3].map(async (n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 2 * UPLOAD.placePollMs));
        await small(n);
      });
      await vi.advanceTimersByTimeAsync(UPLOAD.placeSoonMs);
      let waitedMs = 0;
      const large = memory.reserve("editor", 12).then((reservation) => {
        waitedMs = Date.now() - begun - UPLOAD.placeSoonMs;
        isOver = true;
        reservation.end();
      });
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs + UPLOAD.placePollMs);
      await Promise.all([large, ...smalls]);
      expect(waitedMs).toBeGreaterThan(UPLOAD.placeSoonMs);
      expect(waitedMs).toBeLessThan(2 * UPLOAD.placeSoonMs);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is kept for an upload that has waited for longer than a second, not for a second", async () => {
    vi.useFakeTimers();
    try {
      const memory = memoryOf(30, 30, Date.now);
      const [first, second] = [memory.begin("one", 15), memory.begin("two", 5)];
      let isLarge = false;
      const large = memory.reserve("large", 20).then(() => (isLarge = true));
      await vi.advanceTimersByTimeAsync(UPLOAD.placeSoonMs);
      (await memory.reserve("small", 6)).end();
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      let isSmall = false;
      const small = memory.reserve("small", 6).then(() => (isSmall = true));
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      expect(isSmall).toBe(false);
      first.end();
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      expect([isLarge, isSmall]).toEqual([true, false]);
      second.end();
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      await Promise.all([large, small]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is not kept for an upload that asks no more, though it had waited for long", async () => {
    vi.useFakeTimers();
    try {
      const memory = memoryOf(30, 30, Date.now);
      const first = memory.begin("one", 20);
      void memory.reserve("dead", 20);
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs / 2);
      // The platform ends its request, and runs its timer no more.
      const now = Date.now();
      vi.clearAllTimers();
      vi.setSystemTime(now);
      first.end();
      let isSmall = false;
      const small = memory.reserve("small", 20).then(() => (isSmall = true));
      await vi.advanceTimersByTimeAsync(UPLOAD.waiterSilentMaxMs - UPLOAD.placePollMs);
      expect(isSmall).toBe(false);
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      await small;
      expect(UPLOAD.waiterSilentMaxMs).toBeLessThanOrEqual(2000);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is free after an upload waited in vain for more, and its end changes nothing then", async () => {
    vi.useFakeTimers();
    try {
      const memory = memoryOf(20, 20, Date.now);
      const growing = memory.begin("one", 5);
      memory.begin("two", 15);
      const refused = expect(growing.grow(10)).rejects.toThrow("Too many uploads");
      memory.begin("three", 5).end();
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs);
      await refused;
      const last = memory.begin("three", 5);
      growing.end();
      growing.end();
      refusal(() => memory.begin("four", 1));
      last.end();
      memory.begin("four", 5);
    } finally {
      vi.useRealTimers();
    }
  });

  it("no longer counts an upload that waits and asks no more", async () => {
    vi.useFakeTimers();
    try {
      let now = 0;
      const memory = memoryOf(20, 20, () => now);
      memory.begin("space", 10);
      const dead = Promise.allSettled([memory.reserve("dead", 20)]);
      now = UPLOAD.waiterSilentMaxMs - 1;
      const second = Promise.allSettled([memory.reserve("space", 10)]);
      now = UPLOAD.waiterSilentMaxMs;
      await memory.reserve("space", 5);
      await vi.advanceTimersByTimeAsync(UPLOAD.placeWaitMaxMs + UPLOAD.placePollMs);
      await dead;
      expect((await second)[0]).toMatchObject({
        reason: { message: expect.stringContaining("This space") as unknown },
      });
    } finally {
      vi.useRealTimers();
    }
  });

  it("grows once others have ended, and is not kept while an upload waits for more", async () => {
    vi.useFakeTimers();
    try {
      const memory = memoryOf(20);
      const growing = ["one", "two"].map((space) => memory.begin(space, 5));
      const third = memory.begin("three", 10);
      await growing[0]!.grow(4);
      const grown = growing.map((upload) => upload.grow(20));
      memory.begin("four", 10).end();
      third.end();
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      await Promise.race(grown);
      refusal(() => memory.begin("four", 1));
      growing[0]!.end();
      await vi.advanceTimersByTimeAsync(UPLOAD.placePollMs);
      await Promise.all(grown);
      refusal(() => memory.begin("four", 1));
      growing[1]!.end();
      memory.begin("four", 20);
    } finally {
      vi.useRealTimers();
    }
  });

  it("of one isolate leaves room for two uploads of others, whatever one space does", () => {
    const { memoryMaxBytes, memoryPerSpaceMaxBytes, memoryBytes } = UPLOAD;
    expect(memoryMaxBytes - memoryPerSpaceMaxBytes).toBeGreaterThanOrEqual(2 * memoryBytes);
  });
});

describe("the memory of a drawing", () => {
  /** Returns the bytes of the document of a drawing for each byte that was sent. */
  const grown = (drawing: string): number => {
    const sent = new TextEncoder().encode(drawing);
    const probe = createProbe();
    probe.push(sent);
    probe.finish();
    return new TextEncoder().encode(probe.takeDocument() ?? "").length / sent.length;
  };
  const svg = (content: string): string =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${content}</svg>`;
  const many = 20_000;

  it("is enough for its bytes and those of its document, whatever it is full of", () => {
    const quotes = grown(svg(`<text font-family='${'"'.repeat(many)}'>a</text>`));
    const others = ['"', "'", ">", "&amp;", "&#38;", "&#9;", "\u00a0", "<g/>", "<b/>"].map((sign) =>
      grown(svg(`<text>${sign.repeat(many)}</text>`)),
    );
    expect(quotes).toBeGreaterThan(5);
    for (const ratio of [quotes, ...others]) expect(1 + ratio).toBeLessThanOrEqual(UPLOAD.memoryPerByte);
  });
});

describe("the memory of a file", () => {
  const { memoryBytes, memoryMinBytes, memoryPerByte } = UPLOAD;
  const [least, most] = [Math.floor(memoryMinBytes / memoryPerByte), Math.ceil(memoryBytes / memoryPerByte)];

  it.each([
    [0, memoryMinBytes],
    [least, memoryMinBytes],
    [least + 1, memoryPerByte * (least + 1)],
    [most - 1, memoryPerByte * (most - 1)],
    [most, memoryBytes],
    [most + 1, memoryBytes],
    [Infinity, memoryBytes],
    [null, memoryBytes],
  ])("of %s bytes is %i", (bytes, expected) => {
    expect(memoryOfFile(bytes)).toBe(expected);
  });
});
