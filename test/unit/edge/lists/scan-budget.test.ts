/** Prices and budgets of lists, with callers of each test's own. */
import { describe, expect, it } from "vitest";
import {
  checkBudget,
  payForList,
  payForRows,
  scanPrice,
  type PricedList,
} from "../../../../src/edge/lists/scan-budget.ts";
import { ApiError } from "../../../../src/errors.ts";
import { KEYED, SCAN } from "../../../../src/limits.ts";

const NOW = 1_000_000;
const { requestBytes, minuteBytes, recordsMax } = SCAN.withoutKey;

const list = (price: number, hasCount = false): PricedList => ({
  parameter: "filter[body][contains]",
  operator: "contains",
  hasCount,
  priceOf: () => Promise.resolve(price),
});

/** The code of the refusal; null if the list is paid for. */
async function pay(name: string, one: PricedList, now = NOW, hasKey = false): Promise<string | null> {
  try {
    await payForList(one, { name, hasKey }, now);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

describe("a list", () => {
  it("may cost as much as a request may, and no byte more", async () => {
    expect(await pay("exact", list(requestBytes))).toBeNull();
    expect(await pay("exact", list(requestBytes + 1))).toBe("INVALID_PARAMETER");
    expect(await pay("exact", list(requestBytes + 1), NOW, true)).toBeNull();
    expect(await pay("exact", list(SCAN.withKey.requestBytes + 1), NOW, true)).toBe("INVALID_PARAMETER");
  });

  it("costs twice as much with a count", async () => {
    expect(await pay("counted", list(requestBytes / 2, true))).toBeNull();
    expect(await pay("counted", list(requestBytes / 2 + 1, true))).toBe("INVALID_PARAMETER");
  });

  it("costs its bytes and something for each record, and too much where records are not all measured", () => {
    expect(scanPrice({ records: 3, bytes: 1000 }, 3)).toBe(1000 + 3 * SCAN.bytesPerRecord);
    expect(scanPrice({ records: 4, bytes: 1000 }, 3)).toBe(Infinity);
  });
});

describe("a caller", () => {
  it("may spend its minute, and then waits for the next", async () => {
    for (let spent = 0; spent < minuteBytes; spent += requestBytes) {
      expect(await pay("minute", list(requestBytes))).toBeNull();
    }
    expect(await pay("minute", list(1))).toBe("RATE_LIMITED");
    expect(await pay("another", list(1))).toBeNull();
    expect(await pay("minute", list(1), NOW + KEYED.windowMs)).toBeNull();
  });

  it("pays for lists that are refused, too", async () => {
    const most = Math.ceil(minuteBytes / (recordsMax * SCAN.bytesPerMeasured));
    const codes = new Set<string | null>();
    for (let n = 0; n <= most; n++) codes.add(await pay("refused", list(Infinity)));
    expect(codes).toEqual(new Set(["INVALID_PARAMETER", "RATE_LIMITED"]));
  });

  it.each([
    ["without a key", SCAN.withoutKey, false],
    ["with a key", SCAN.withKey, true],
  ])("%s may read as many rows as its minute holds, and is refused one past them", (name, budget, hasKey) => {
    const payer = { name, hasKey };
    const rows = Math.floor(budget.minuteBytes / SCAN.bytesPerRow);
    payForRows(rows, payer, NOW);
    expect(() => checkBudget(payer, NOW)).not.toThrow();
    payForRows(1, payer, NOW);
    expect(() => checkBudget(payer, NOW)).toThrow(expect.objectContaining({ code: "RATE_LIMITED" }));
    expect(() => checkBudget(payer, NOW + KEYED.windowMs)).not.toThrow();
  });

  it("cannot spend more with many requests at once", async () => {
    let measure: (price: number) => void = () => undefined;
    const measured = new Promise<number>((resolve) => (measure = resolve));
    const slow = { ...list(0), priceOf: () => measured };
    const paid = Array.from({ length: 100 }, () => pay("at once", slow));
    measure(1);
    const served = (await Promise.all(paid)).filter((code) => code === null);
    expect(served).toHaveLength(minuteBytes / requestBytes);
    expect(await pay("at once", list(requestBytes))).toBeNull();
  });
});
