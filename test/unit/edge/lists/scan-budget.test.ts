/** Prices and budgets of lists, with callers of each test's own. */
import { describe, expect, it } from "vitest";
import {
  checkBudget,
  payForList,
  payForRows,
  scanPrice,
  type Price,
  type PricedList,
} from "../../../../src/edge/lists/scan-budget.ts";
import { ApiError } from "../../../../src/errors.ts";
import { KEYED, SCAN } from "../../../../src/limits.ts";

const NOW = 1_000_000;
const { requestBytes, minuteBytes } = SCAN.withoutKey;

const list = (bytes: number, hasCount = false, measured = 0): PricedList => ({
  parameter: "filter[body][contains]",
  operator: "contains",
  hasCount,
  priceOf: () => Promise.resolve({ bytes, measured }),
});

/** Returns the code of the refusal; null if the list is paid for. */
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
    const one = 1000 + 3 * SCAN.bytesPerRecord;
    expect(scanPrice({ records: 3, bytes: 1000 }, 3)).toEqual({ bytes: one, measured: 3 });
    expect(scanPrice({ records: 3, bytes: 1000 }, 3, 4)).toEqual({ bytes: 4 * one, measured: 3 });
    expect(scanPrice({ records: 4, bytes: 1000 }, 3)).toEqual({ bytes: Infinity, measured: 4 });
  });
});

describe("lists that read much", () => {
  it("wait for each other, while the lists of another caller do not", async () => {
    const dear = list(SCAN.withKey.requestBytes);
    for (let n = 0; n < 2; n++) await pay("reads much", dear, NOW, true);
    const order: string[] = [];
    const waiting = pay("reads much", dear, NOW, true).then(() => order.push("reads much"));
    await pay("reads little", list(1000), NOW, true);
    order.push("reads little");
    await waiting;
    expect(order).toEqual(["reads little", "reads much"]);
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

  it("pays nothing for lists that could not be measured", async () => {
    const down = { ...list(0), priceOf: () => Promise.reject(new Error("down")) };
    for (let n = 0; n <= minuteBytes / requestBytes; n++)
      await expect(pay("outage", down)).rejects.toThrow("down");
    expect(await pay("outage", list(requestBytes))).toBeNull();
  });

  it.each([
    ["without a key", SCAN.withoutKey, false],
    ["with a key", SCAN.withKey, true],
  ])("%s pays for the records that were measured for lists that are refused", async (by, budget, hasKey) => {
    const name = `refused ${by}`;
    const measured = budget.recordsMax + 1;
    const refusals =
      Math.floor((budget.minuteBytes - budget.requestBytes) / (measured * SCAN.bytesPerMeasured)) + 1;
    const codes: (string | null)[] = [];
    for (let n = 0; n <= refusals; n++)
      codes.push(await pay(name, list(Infinity, false, measured), NOW, hasKey));
    expect(codes.slice(0, refusals)).toEqual(Array(refusals).fill("INVALID_PARAMETER"));
    expect(codes[refusals]).toBe("RATE_LIMITED");
  });

  it("pays for the records that were measured for lists that are answered", async () => {
    const measured = requestBytes / SCAN.bytesPerMeasured;
    const spends = minuteBytes / requestBytes - 1;
    for (let n = 0; n < spends; n++) expect(await pay("measured", list(0, false, measured))).toBeNull();
    expect(await pay("measured", list(1))).toBeNull();
    expect(await pay("measured", list(1))).toBe("RATE_LIMITED");
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
    let measure: (price: Price) => void = () => undefined;
    const measured = new Promise<Price>((resolve) => (measure = resolve));
    const slow = { ...list(0), priceOf: () => measured };
    const paid = Array.from({ length: 100 }, () => pay("at once", slow));
    measure({ bytes: 1, measured: 0 });
    const served = (await Promise.all(paid)).filter((code) => code === null);
    expect(served).toHaveLength(minuteBytes / requestBytes);
    expect(await pay("at once", list(requestBytes))).toBeNull();
  });
});
