/** Explains a write that failed on a unique value: names the fields, and the records that hold the values. */
import { ApiError } from "../../../errors.ts";
import type { Database } from "../../storage/database/database.ts";
import { takenUniques } from "../../storage/records/records.ts";
import { isUnique } from "../../../content/field-types/fields.ts";
import { isAll } from "../../../content/model/localized-model.ts";
import { codeOfNumber } from "../../../content/locales/locales.ts";
import { localeOfNumber } from "../../../content/locales/numbers.ts";
import type { Model, Values } from "../../../content/model/model.ts";
import { allFields } from "./validate.ts";

/** Throws the error of a write of the record `id` that has failed. */
export const throwTaken = (
  db: Database,
  model: Model,
  values: Values,
  id: string,
  cause: unknown,
): Promise<never> => throwTakenByAny(db, model, [values], id, cause);

/** Returns the path of a value in the body: in `all`, localized values stand below their code. */
function pathIn({ scope, byName }: Model, name: string, no: number): string {
  if (!scope || !isAll(scope) || byName.get(name)?.localized !== true) return name;
  return `${name}.${codeOfNumber(scope.locales, localeOfNumber(no)) ?? ""}`;
}

/** Does the same as `throwTaken` for a write of several contents of a record: its draft and its published content. */
export async function throwTakenByAny(
  db: Database,
  model: Model,
  contents: readonly Values[],
  id: string,
  cause: unknown,
): Promise<never> {
  const unique = allFields(model).filter(isUnique);
  const asked = contents.flatMap((values) =>
    unique.flatMap(({ no }): [number, unknown][] => {
      const value = values.get(no) ?? null;
      return value === null ? [] : [[no, value]];
    }),
  );
  const holders = await takenUniques(db, model.id, asked, id);
  const fields = unique.filter(({ no }) => holders.has(no));
  const details = fields.map(({ name, no }) => ({
    path: pathIn(model, name, no),
    message: `must be unique; the record ${holders.get(no)} has this value`,
  }));
  const names = fields.map(({ name }) => `"${name}"`).join(", ") || "a unique field";
  throw new ApiError("CONFLICT", `Another record has the same value of ${names}.`, { details, cause });
}
