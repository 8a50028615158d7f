/** Ceilings of keyed requests, with a clock of the test. */
import { describe, expect, it } from "vitest";
import { KeyedCeilings, type KeyedRequest, type Verdict } from "../../../../src/edge/spaces/ceilings.ts";
import { KEYED } from "../../../../src/limits.ts";

const READS = 100;
const NOW = 1_000_000;

const of = (keyHash: string | null, options: Partial<KeyedRequest> = {}): KeyedRequest => ({
  keyHash,
  client: "198.51.100.1",
  isWrite: false,
  ...options,
});

class Service {
  readonly ceilings = new KeyedCeilings();
  now = NOW;

  /** Makes one request from its beginning to its end. Returns null, or the limit that refused it. */
  ask(request: KeyedRequest, verdict: Verdict = "known"): string | null {
    const begun = this.ceilings.begin(request, READS, this.now);
    if ("of" in begun) return begun.of;
    begun.end(verdict);
    return null;
  }

  /** Counts the served requests among `count`. */
  served(count: number, request: (n: number) => KeyedRequest, verdict: Verdict = "known"): number {
    return Array.from({ length: count }, (_, n) => this.ask(request(n), verdict)).filter(
      (one) => one === null,
    ).length;
  }
}

describe("a caller", () => {
  it("may make as many reads as the rate, and a tenth of it in writes", () => {
    const service = new Service();
    expect(service.served(READS + 5, () => of("a"))).toBe(READS);
    expect(service.served(READS, () => of("a", { isWrite: true }))).toBe(READS / 10);
    expect(service.ask(of("a"))).toBe("reads");
    expect(service.ask(of("a", { isWrite: true }))).toBe("writes");
    expect(service.ask(of("b"))).toBeNull();
  });

  it("may make ten times as many with the root token", () => {
    const service = new Service();
    expect(service.served(10 * READS + 5, () => of(null))).toBe(10 * READS);
    expect(service.served(READS + 5, () => of(null, { isWrite: true }))).toBe(READS);
  });

  it("waits until the minute that began with its first request is over", () => {
    const service = new Service();
    service.ask(of("a"));
    service.now += 20_000;
    service.served(READS, () => of("a"));
    expect(service.ceilings.begin(of("a"), READS, service.now)).toEqual({
      of: "reads",
      max: READS,
      retryAfterMs: 40_000,
    });
    service.now += 40_000;
    expect(service.ask(of("a"))).toBeNull();
  });
});

describe("unknown keys", () => {
  it("are refused after 60 of one client, and known keys of it are not", () => {
    const service = new Service();
    service.ask(of("known"));
    expect(service.served(KEYED.unknownKeysMax + 10, (n) => of(`guess-${n}`), "unknown")).toBe(
      KEYED.unknownKeysMax,
    );
    expect(service.ask(of("another"))).toBe("unknown keys");
    expect(service.ask(of("known"))).toBeNull();
    expect(service.ask(of("another", { client: "198.51.100.2" }))).toBeNull();
    service.now += KEYED.windowMs;
    expect(service.ask(of("third"))).toBeNull();
  });

  it("count when they come again", () => {
    const service = new Service();
    expect(service.served(KEYED.unknownKeysMax + 1, () => of("wrong"), "unknown")).toBe(KEYED.unknownKeysMax);
  });

  it("are refused while the database is being asked about 60 others", () => {
    const { ceilings } = new Service();
    const begun = Array.from({ length: KEYED.unknownKeysMax + 1 }, (_, n) =>
      ceilings.begin(of(`guess-${n}`), READS, NOW),
    );
    expect(begun.filter((one) => "of" in one)).toHaveLength(1);
  });

  it("do not include a new key that is used often at the same time", () => {
    const service = new Service();
    const begun = Array.from({ length: READS }, () => service.ceilings.begin(of("new"), READS, NOW));
    expect(begun.filter((one) => "of" in one)).toEqual([]);
    for (const one of begun) if ("end" in one) one.end("known");
    expect(service.served(KEYED.unknownKeysMax, (n) => of(`guess-${n}`), "unknown")).toBe(
      KEYED.unknownKeysMax,
    );
  });

  it("do not include one whose request ended before the database was asked", () => {
    const service = new Service();
    expect(service.served(200, (n) => of(`unasked-${n}`), "unasked")).toBe(200);
    expect(service.served(200, (n) => of(`unasked-${n}`), "unknown")).toBe(KEYED.unknownKeysMax);
  });

  it("do not become fewer when a key of an earlier minute turns out to be known", () => {
    const service = new Service();
    const begun = service.ceilings.begin(of("slow"), READS, service.now);
    service.now += KEYED.windowMs;
    service.served(KEYED.unknownKeysMax, (n) => of(`guess-${n}`), "unknown");
    if ("end" in begun) begun.end("known");
    expect(service.ask(of("another"))).toBe("unknown keys");
  });

  it("include a key that was known and has been revoked", () => {
    const service = new Service();
    service.ask(of("revoked"));
    service.ask(of("revoked"), "unknown");
    service.served(KEYED.unknownKeysMax, (n) => of(`guess-${n}`), "unknown");
    expect(service.ask(of("revoked"))).toBe("unknown keys");
  });
});
