/** Explains a write that failed on a unique value: names the fields, and the records that hold the values. */
import { ApiError } from "../../../errors.ts";
import type { Database } from "../../storage/database/database.ts";
import { takenUniques } from "../../storage/records/records.ts";
import { isUnique } from "../../../content/field-types/fields.ts";
import type { Model, Values } from "../../../content/model/model.ts";

/** Called once a write of the record `id` has failed. @throws ApiError CONFLICT naming the fields */
export const throwTaken = (
  db: Database,
  model: Model,
  values: Values,
  id: string,
  cause: unknown,
): Promise<never> => throwTakenByAny(db, model, [values], id, cause);

/** As `throwTaken`, for a write of several contents of the record: its draft and what is published of it. */
export async function throwTakenByAny(
  db: Database,
  model: Model,
  contents: readonly Values[],
  id: string,
  cause: unknown,
): Promise<never> {
  const unique = model.fields.filter(isUnique);
  const asked = contents.flatMap((values) =>
    unique.flatMap(({ no }): [number, unknown][] => {
      const value = values.get(no) ?? null;
      return value === null ? [] : [[no, value]];
    }),
  );
  const holders = await takenUniques(db, model.id, asked, id);
  const fields = unique.filter(({ no }) => holders.has(no));
  const details = fields.map(({ name, no }) => ({
    path: name,
    message: `must be unique; the record ${holders.get(no)} has this value`,
  }));
  const names = fields.map(({ name }) => `"${name}"`).join(", ") || "a unique field";
  throw new ApiError("CONFLICT", `Another record has the same value of ${names}.`, { details, cause });
}
