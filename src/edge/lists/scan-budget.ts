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

/** The caller that pays for a list. */
export interface Payer {
  /** The space of a caller with a key; without one, the caller's address. */
  name: string;
  hasKey: boolean;
}

/** A list to be paid for. */
export interface PricedList {
  /** The first of its filters that read texts. */
  parameter: string;
  operator: string;
  /** Whether it is counted, for which the filters are evaluated once more. */
  hasCount: boolean;
  /** The price of one evaluation in bytes; Infinity if it concerns more rows than `recordsMax`. */
  priceOf(recordsMax: number): Promise<number>;
}

/** The price of one filter on the rows that were measured. */
export const scanPrice = ({ records, bytes }: Measured, recordsMax: number): number =>
  records > recordsMax ? Infinity : bytes + records * SCAN.bytesPerRecord;

const spent = new MinuteCounts();

function tooMuch({ parameter, operator, hasCount }: PricedList, { hasKey }: Payer): ApiError {
  const advice = [
    "add a filter that leaves fewer records (eq, in, startsWith, gt)",
    "use search",
    ...(hasCount ? ["leave out count"] : []),
    ...(hasKey ? [] : ["send a key"]),
  ];
  const message =
    `would read too much: ${operator} reads this text of every record that the other filters leave. ` +
    `To read less, ${advice.join(", or ")}`;
  return invalidParameter(parameter, message);
}

const HAVE_READ = "Your lists have read as much as they may in a minute.";

const budgetOf = ({ hasKey }: Payer): (typeof SCAN)["withKey" | "withoutKey"] =>
  hasKey ? SCAN.withKey : SCAN.withoutKey;

/**
 * Refuses every list of a caller that has spent the minute's budget.
 * @throws ApiError RATE_LIMITED
 */
export function checkBudget(payer: Payer, now: number): void {
  const wait = spent.take(payer.name, budgetOf(payer).minuteBytes, now, 0);
  if (wait !== null) throw rateLimited(HAVE_READ, wait);
}

/**
 * Charges a caller for the rows that a list has read. What an index answers is cheap most of the time, and its worst
 * case is known only afterwards: filters that nothing fits, and filters and orders that no index has.
 */
export function payForRows(rows: number, { name }: Payer, now: number): void {
  spent.add(name, now, rows * SCAN.bytesPerRow);
}

/**
 * Charges a list before it is run. The highest price is reserved while the real one is found out, so that many lists at
 * once cannot spend more than one after the other.
 * @throws ApiError INVALID_PARAMETER if it costs too much; RATE_LIMITED if the payer has spent the minute's budget
 */
export async function payForList(list: PricedList, payer: Payer, now: number): Promise<void> {
  const { requestBytes, minuteBytes, recordsMax } = budgetOf(payer);
  const wait = spent.take(payer.name, minuteBytes, now, requestBytes);
  if (wait !== null) throw rateLimited(HAVE_READ, wait);
  const price = (list.hasCount ? 2 : 1) * (await list.priceOf(recordsMax));
  const isTooMuch = price > requestBytes;
  // A list that is refused has cost its measuring.
  const charged = isTooMuch ? recordsMax * SCAN.bytesPerMeasured : price;
  spent.giveBack(payer.name, now, requestBytes - charged);
  if (isTooMuch) throw tooMuch(list, payer);
}
