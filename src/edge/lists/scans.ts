/**
 * Lists of records that search inside texts (RULES 3.18). No index serves `contains` and `icontains` of a text, nor a
 * comparison with a text that is longer than the index keeps: they read the text of every record that the other
 * filters leave.
 */
import type { Condition, Filter, RelationFilter } from "../../content/query/list-query.ts";
import type { Database } from "../storage/database/database.ts";
import { readsText } from "../storage/lists/record-filters.ts";
import type { ListRequest } from "../storage/lists/record-branches.ts";
import { measureRecords, measureTargets } from "../storage/lists/scanned.ts";
import { payForList, type Price, type ScanBudget, scanPrice, type Payer } from "./scan-budget.ts";

interface Scan {
  filter: Filter;
  /** The relation that the filter goes through. */
  through: RelationFilter | null;
}

/** Returns the filters that read texts. */
function scansIn(conditions: readonly Condition[]): Scan[] {
  return conditions.flatMap((condition): Scan[] => {
    switch (condition.kind) {
      case "filter":
        return readsText(condition) ? [{ filter: condition, through: null }] : [];
      case "relation":
        return readsText(condition.filter) ? [{ filter: condition.filter, through: condition }] : [];
      case "anyOf":
        return condition.groups.flatMap(scansIn);
      default:
        return condition satisfies never;
    }
  });
}

/** Returns the price of all scans of a list. It measures no further once a request may not cost as much. */
async function priceOf(
  db: Database,
  request: ListRequest,
  scans: readonly Scan[],
  { recordsMax, requestBytes }: ScanBudget,
): Promise<Price> {
  const own = scans.filter(({ through }) => through === null).length;
  const price: Price =
    own === 0
      ? { bytes: 0, measured: 0 }
      : scanPrice(await measureRecords(db, request, recordsMax), recordsMax, own);
  for (const { through } of scans) {
    if (price.bytes > requestBytes) break;
    if (!through) continue;
    const { bytes, measured } = scanPrice(await measureTargets(db, request, through, recordsMax), recordsMax);
    price.bytes += bytes;
    price.measured += measured;
  }
  return price;
}

/**
 * Charges a list of records to its payer before it is run.
 * @throws ApiError INVALID_PARAMETER if it costs too much; RATE_LIMITED if the payer has spent the minute's budget
 */
export async function payForScans(
  db: Database,
  request: ListRequest,
  payer: Payer,
  now: number,
): Promise<void> {
  const scans = scansIn(request.conditions);
  const [first] = scans;
  if (!first) return;
  const hasCount = (request.countMax ?? null) !== null;
  const list = {
    ...first.filter,
    hasCount,
    priceOf: (budget: ScanBudget) => priceOf(db, request, scans, budget),
  };
  await payForList(list, payer, now);
}
