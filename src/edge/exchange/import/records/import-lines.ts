/** Converts lines of records, and has them written in slices, model by model. */
import { ApiError } from "../../../../errors.ts";
import { isList, isNested, type StoredField } from "../../../../content/field-types/fields.ts";
import { baseOf } from "../../../../content/model/localized-model.ts";
import type { Model, Values } from "../../../../content/model/model.ts";
import { EXCHANGE, SLICE } from "../../../../limits.ts";
import { takePatternTurn } from "../../../spaces/pattern-turns.ts";
import { isGuardFailure } from "../../../storage/database/guard.ts";
import type { Converted } from "./compare-records.ts";
import { rowOfLine } from "./content-of-line.ts";
import type { ImportContext, Numbered } from "../context.ts";
import type { PublishedIn, RecordIn } from "../line-schemas.ts";

/** Groups lines by model. */
export function byModel<Line extends { typeModel: string; model: string }>(
  lines: readonly Numbered<Line>[],
): Numbered<Line>[][] {
  const groups = new Map<string, Numbered<Line>[]>();
  for (const one of lines) {
    const key = `${one.line.typeModel}/${one.line.model}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/** Returns about how many index rows the values have. */
function indexRows(fields: readonly StoredField[], values: Values): number {
  return fields.reduce((sum, field) => {
    const value = values.get(field.no) ?? null;
    if (isNested(field)) return sum + 1 + JSON.stringify(value).length / 40;
    return sum + (isList(field) && Array.isArray(value) ? Math.max(1, value.length) : 1);
  }, 0);
}

/** Splits records so that no batch writes too many rows or bytes. */
function slicesOf(model: Model, rows: readonly Converted[]): Converted[][] {
  const slices: Converted[][] = [];
  let [index, bytes] = [Infinity, 0];
  for (const one of rows) {
    const ownRows = indexRows(baseOf(model).fields, one.values) * (1 + one.sides.size);
    const ownBytes =
      one.row.sizeBytes + [...one.sides.values()].reduce((sum, side) => sum + side.sizeBytes, 0);
    const isFull =
      index + ownRows > SLICE.rows ||
      bytes + ownBytes > 4 * EXCHANGE.writeMaxBytes ||
      (slices.at(-1)?.length ?? 0) >= EXCHANGE.recordsPerWrite;
    if (isFull) {
      slices.push([]);
      [index, bytes] = [0, 0];
    }
    slices.at(-1)?.push(one);
    index += ownRows;
    bytes += ownBytes;
  }
  return slices;
}

/**
 * Writes a slice. It notes in `done` the numbers of the lines that it has reported: those are not looked at again if the
 * model changes before the others are written.
 */
type WriteSlice = (
  context: ImportContext,
  model: Model,
  rows: Converted[],
  done: Set<number>,
) => Promise<void>;

export async function importGroup(
  context: ImportContext,
  group: readonly Numbered<RecordIn | PublishedIn>[],
  write: WriteSlice,
): Promise<void> {
  const [first] = group;
  if (!first) return;
  const { report } = context;
  const { typeModel, model: name } = first.line;
  let model = await context.model(typeModel, name);
  if (!model) {
    for (const { n } of group)
      report.refuse(n, "model", `"${name}" is no model of ${typeModel} in this space`);
    return;
  }
  await takePatternTurn(context.space.id, model.fields);
  let left: readonly Numbered<RecordIn | PublishedIn>[] = group;
  for (let tries = 0; left.length > 0; tries++) {
    const converted = converts(context, model, left);
    const done = new Set<number>();
    try {
      for (const slice of slicesOf(model, converted)) {
        if (context.isSpent) context.leave(slice);
        else await write(context, model, slice, done);
        for (const { n } of slice) done.add(n);
      }
      return;
    } catch (error) {
      if (!isGuardFailure(error) || tries > 3) throw error;
      // The model or the locales changed since they were read. What was refused meanwhile is not looked at again.
      await context.refresh();
      const again = await context.model(typeModel, name);
      const wasConverted = new Set(converted.map(({ n }) => n));
      left = left.filter(({ n }) => wasConverted.has(n) && !done.has(n));
      if (again) model = again;
      else {
        for (const { n } of left) report.refuse(n, "model", `"${name}" was removed meanwhile`);
        return;
      }
    }
  }
}

/** Converts lines, and lists those that do not fit. */
function converts(
  context: ImportContext,
  model: Model,
  lines: readonly Numbered<RecordIn | PublishedIn>[],
): Converted[] {
  return lines.flatMap(({ n, line }) => {
    try {
      if (
        model.typeModel === "pages" &&
        line.kind !== "trash" &&
        line.kind !== "published" &&
        line.id !== model.name
      ) {
        context.report.refuse(n, "id", `must be "${model.name}": the page of this model`);
        return [];
      }
      return [{ n, line, ...rowOfLine(context.space, model, line, context.budget()) }];
    } catch (error) {
      const isOfEditions =
        error instanceof ApiError && (error.details?.[0]?.path ?? "").startsWith("editions");
      context.report.refuseError(n, error, isOfEditions ? "" : "data");
      return [];
    }
  });
}
