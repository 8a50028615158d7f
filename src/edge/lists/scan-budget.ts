/**
 * The budget of lists (RULES 3.18). A list that searches inside texts has a price, which is known before any text is
 * read: the bytes that its filters read. A request has a highest price, and a caller a budget for a minute. Every list
 * of records pays for its rows from the same budget, once they have been read.
 */
import type { ApiError } from "../../errors.ts";
import { SCAN } from "../../limits.ts";
import type { Measured } from "../../content/query/list-query.ts";
import { invalidParameter } from "../../content/query/list-targets.ts";
import { MinuteCounts } from "../spaces/minute-counts.ts";
import { rateLimited } from "../spaces/rate-limited.ts";
import { WorkTurns } from "../spaces/work-turns.ts";

/** The caller that pays for a list. */
export interface Payer {
  /** The space of a caller with a key; without one, the caller's address. */
  name: string;
  hasKey: boolean;
}

/** A list that has a price. */
export interface PricedList {
  /** The first of its filters that read texts. */
  parameter: string;
  operator: string;
  /** Whether the list is counted, which evaluates the filters once more. */
  hasCount: boolean;
  /** Measures the price of one evaluation. It may stop where the price exceeds the budget. */
  priceOf(budget: ScanBudget): Promise<Price>;
}

export type ScanBudget = (typeof SCAN)["withKey" | "withoutKey"];

export interface Price {
  /** The bytes of one evaluation; Infinity if a filter concerns more rows than `recordsMax`. */
  bytes: number;
  /** The records that were measured to find the price, each as often as it was measured. */
  measured: number;
}

/** Returns the price of `filters` filters on the rows that were measured. */
export const scanPrice = ({ records, bytes }: Measured, recordsMax: number, filters = 1): Price => ({
  bytes: records > recordsMax ? Infinity : filters * (bytes + records * SCAN.bytesPerRecord),
  measured: records,
});

const spent = new MinuteCounts();

/**
 * The turns of lists in the database. It answers one query after the other, so without a pause between those of a caller
 * that reads much, the queries of all others would wait for all of them.
 */
const turns = new WorkTurns(Date.now, (ms) => new Promise((resolve) => setTimeout(resolve, ms)));

function tooMuch({ parameter, operator, hasCount }: PricedList, { hasKey }: Payer): ApiError {
  const advice = [
    "add a filter that leaves fewer records (eq, in, startsWith, gt)",
    parameter === "search" ? "search for rarer words" : "use search",
    ...(hasCount ? ["leave out count"] : []),
    ...(hasKey ? [] : ["send a key"]),
  ];
  const message =
    `would read too much: ${operator} reads this text of every record that the other filters leave. ` +
    `To read less, ${advice.join(", or ")}`;
  return invalidParameter(parameter, message);
}

const HAVE_READ = "Your lists have read as much as they may in a minute.";

const budgetOf = ({ hasKey }: Payer): ScanBudget => (hasKey ? SCAN.withKey : SCAN.withoutKey);

/**
 * Refuses every list of a caller that has spent the minute's budget.
 * @throws ApiError RATE_LIMITED
 */
export function checkBudget(payer: Payer, now: number): void {
  const wait = spent.take(payer.name, budgetOf(payer).minuteBytes, now, 0);
  if (wait !== null) throw rateLimited(HAVE_READ, wait);
}

/**
 * Charges a caller for the rows that a list has read. Most lists that an index serves are cheap. The worst case, a
 * filter that no record fits or an order without an index, is known only afterwards.
 */
export function payForRows(rows: number, { name }: Payer, now: number): void {
  spent.add(name, now, rows * SCAN.bytesPerRow);
}

/**
 * Charges a list before it is run. The highest price is reserved until the real one is measured, so that concurrent
 * lists cannot spend more than consecutive ones. A caller that has lately read much waits for its turn.
 * @throws ApiError INVALID_PARAMETER if it costs too much; RATE_LIMITED if the payer has spent the minute's budget
 */
export async function payForList(list: PricedList, payer: Payer, now: number): Promise<void> {
  const budget = budgetOf(payer);
  const { requestBytes, minuteBytes } = budget;
  const wait = spent.take(payer.name, minuteBytes, now, requestBytes);
  if (wait !== null) throw rateLimited(HAVE_READ, wait);
  const giveBack = spent.giverOf(payer.name, now);
  const { bytes, measured } = await list.priceOf(budget).catch((error: unknown) => {
    giveBack(requestBytes);
    throw error;
  });
  const price = (list.hasCount ? 2 : 1) * bytes;
  const isTooMuch = price > requestBytes;
  // Measuring is charged whatever it finds. A list that is refused, now or by its turn, costs nothing else.
  const ofMeasuring = measured * SCAN.bytesPerMeasured;
  giveBack(requestBytes);
  spent.add(payer.name, now, ofMeasuring);
  if (isTooMuch) throw tooMuch(list, payer);
  spent.add(payer.name, now, price);
  const givePriceBack = spent.giverOf(payer.name, now);
  await turns.take(payer.name).catch((error: unknown) => {
    givePriceBack(price);
    throw error;
  });
  turns.note(payer.name, (ofMeasuring + price) * SCAN.unitsPerByte);
}
