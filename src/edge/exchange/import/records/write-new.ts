/** Writes records and published contents that a space does not have. */
import { baseOf } from "../../../../content/model/localized-model.ts";
import type { Model } from "../../../../content/model/model.ts";
import { takenUniques } from "../../../storage/records/records.ts";
import { isUniqueViolation } from "../../../storage/database/database.ts";
import { writeRecords } from "../../../storage/exchange/write.ts";
import { isUnique } from "../../../../content/field-types/fields.ts";
import type { Converted } from "./compare-records.ts";
import type { ImportContext } from "../context.ts";

/** Lists lines of one record that stand twice in a slice. */
export function withoutRepeated(
  context: ImportContext,
  slice: readonly Converted[],
  done: Set<number>,
): Converted[] {
  const seen = new Set<string>();
  return slice.filter(({ n, row }) => {
    if (seen.has(row.id)) {
      done.add(n);
      context.report.refuse(n, "id", `${row.id} stands on an earlier line too`);
      return false;
    }
    seen.add(row.id);
    return true;
  });
}

/** Writes rows together, and one by one if a unique value of one is taken. */
export async function writeNew(
  context: ImportContext,
  model: Model,
  rows: readonly Converted[],
  replaced: readonly number[],
  done: Set<number>,
): Promise<void> {
  if (rows.length === 0) return;
  const { db, space, report } = context;
  const base = baseOf(model);
  const write = (some: readonly Converted[]): Promise<void> =>
    writeRecords(db, {
      space,
      model: base,
      rows: some,
      replaced,
      event: context.event(some.map(({ row }) => row.id)),
    });
  try {
    await write(rows);
    for (const { n, row } of rows) {
      done.add(n);
      report.imported(row.id);
    }
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const [only] = rows;
    if (rows.length === 1 && only) {
      done.add(only.n);
      return refuseTaken(context, model, only);
    }
    const middle = Math.ceil(rows.length / 2);
    for (const half of [rows.slice(0, middle), rows.slice(middle)]) {
      if (context.isSpent) {
        context.leave(half);
        for (const { n } of half) done.add(n);
      } else await writeNew(context, model, half, replaced, done);
    }
  }
}

async function refuseTaken(
  context: ImportContext,
  model: Model,
  { n, row, values }: Converted,
): Promise<void> {
  const uniques = (model.stored ?? model.fields).filter(isUnique);
  const given = uniques.flatMap((field): [number, unknown][] => {
    const value = values.get(field.no) ?? null;
    return value === null ? [] : [[field.no, value]];
  });
  const taken = await takenUniques(context.db, Math.abs(row.modelId), given, row.id);
  const field = uniques.find(({ no }) => taken.has(no));
  if (field)
    context.report.refuse(n, `data.${field.name}`, `is the value of the record ${taken.get(field.no)}`);
  else context.report.refuse(n, "id", "was written by another request meanwhile. Send the line again");
}
