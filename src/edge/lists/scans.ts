/**
 * Lists of records that search inside texts (RULES 3.18). No index serves `contains` and `icontains` of a text, nor a
 * comparison with a text that is longer than the index keeps: they read the text of every record that the other
 * filters leave.
 */
import type { Condition, Filter, RelationFilter } from "../../content/query/list-query.ts";
import type { Database } from "../storage/database/database.ts";
import { readsText } from "../storage/lists/record-filters.ts";
import type { ListRequest } from "../storage/lists/record-page.ts";
import { measureRecords, measureTargets } from "../storage/lists/scanned.ts";
import { payForList, scanPrice, type Payer } from "./scan-budget.ts";

interface Scan {
  filter: Filter;
  /** The relation that the filter goes through. */
  through: RelationFilter | null;
}

/** The filters that read texts. */
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

/** The price in bytes of all scans of a list; Infinity if they concern more records than are measured. */
async function priceOf(
  db: Database,
  request: ListRequest,
  scans: readonly Scan[],
  recordsMax: number,
): Promise<number> {
  const own = scans.filter(({ through }) => through === null).length;
  const prices =
    own === 0 ? [] : [own * scanPrice(await measureRecords(db, request, recordsMax), recordsMax)];
  for (const { through } of scans) {
    if (through) prices.push(scanPrice(await measureTargets(db, request, through, recordsMax), recordsMax));
  }
  return prices.reduce((sum, price) => sum + price, 0);
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
  const list = { ...first.filter, hasCount, priceOf: (max: number) => priceOf(db, request, scans, max) };
  await payForList(list, payer, now);
}
