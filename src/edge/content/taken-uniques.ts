/** Why a write failed on a unique value: which fields, told to the caller. */
import { ApiError } from "../../errors.ts";
import type { Database } from "../storage/database.ts";
import { takenUniques } from "../storage/records.ts";
import { isUnique } from "../content-model/fields.ts";
import type { Model, Values } from "../content-model/model.ts";

/** Asked once a write of the record `id` has failed. @throws ApiError CONFLICT naming the fields */
export async function throwTaken(
  db: Database,
  model: Model,
  values: Values,
  id: string,
  cause: unknown,
): Promise<never> {
  const unique = model.fields.filter(isUnique);
  const asked = unique.flatMap(({ no }): [number, unknown][] => {
    const value = values.get(no) ?? null;
    return value === null ? [] : [[no, value]];
  });
  const taken = await takenUniques(db, model.id, asked, id);
  const fields = unique.filter(({ no }) => taken.has(no));
  const details = fields.map(({ name }) => ({
    path: name,
    message: "must be unique; another record has this value",
  }));
  const names = fields.map(({ name }) => `"${name}"`).join(", ") || "a unique field";
  throw new ApiError("CONFLICT", `Another record has the same value of ${names}.`, { details, cause });
}
