/**
 * Finds every fault of a model's body for one answer (RULES 3.2). If the schema has refused the body, the further
 * checks look at the parts that the schema left, so that no fault is reported twice and none hides another.
 */
import type { ErrorDetail } from "../../errors.ts";
import type { Space } from "../spaces/authorize.ts";
import type { Database } from "../storage/database/database.ts";
import { anyFieldSchema } from "../../content/field-types/base.ts";
import type { LooseOptions } from "../../content/field-types/field-type.ts";
import { FIELD_TYPES, isFieldType } from "../../content/field-types/registry.ts";
import type { StoredField } from "../../content/field-types/fields.ts";
import type { Field } from "../../content/field-types/registry.ts";
import { modelView, type ModelRow } from "../../content/model/model.ts";
import { isTypeModel, type TypeModel } from "../../content/model/type-models.ts";
import { faultMessage } from "../../content/faults/fault-message.ts";
import { checkRequest } from "./change/1-compare-fields.ts";
import { checkModel } from "./models.ts";
import { storedSurroundings } from "./surroundings.ts";
import { ValidationErrors } from "../../content/faults/validation-errors.ts";

const isObject = (value: unknown): value is LooseOptions =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Adds the faults that can be found in a field without its type. */
function commonFaults(field: LooseOptions, path: string, errors: ValidationErrors): void {
  const parsed = anyFieldSchema.safeParse(field, { error: faultMessage });
  if (parsed.success) return;
  for (const issue of parsed.error.issues) {
    errors.add([path, ...issue.path.map(String)].join("."), issue.message);
  }
}

/** Returns a field for the further checks, made of the options that the schema left. */
function checkable(rest: LooseOptions, name: string): Field {
  const { type } = rest;
  if (!isFieldType(type)) return { type: "string", name };
  return FIELD_TYPES[type].mended({ ...rest, name }) as unknown as Field;
}

/** Returns the fields for the further checks. A field without a name gets one that no field can have. */
function checkableFields(given: LooseOptions, rest: LooseOptions, errors: ValidationErrors): Field[] {
  const before = listOf(given["fields"]);
  return listOf(rest["fields"]).map((field, index) => {
    const unnamed = ` ${index}`;
    if (!isObject(field)) return { type: "string", name: unnamed };
    const sent = before[index];
    if (field["type"] === undefined && isObject(sent)) commonFaults(sent, `fields.${index}`, errors);
    // A name that the schema refused is still the one that other parts of the body mean.
    const name = textOf(field["name"]) ?? (isObject(sent) ? textOf(sent["name"]) : undefined);
    return checkable(field, name ?? unnamed);
  });
}

/** Returns the faults of system values: a body may only send them back as they were read. */
export function systemFaults(row: ModelRow, body: unknown): ErrorDetail[] {
  const view = modelView(row);
  return ["typeModel", "name", "createdAt", "updatedAt"].flatMap((path) => {
    const given = isObject(body) ? body[path] : undefined;
    return given === undefined || given === view[path]
      ? []
      : [{ path, message: "is set by the service; send it as it was read, or leave it out" }];
  });
}

export interface RefusedModel {
  /** The model that is changed; left out for a new one, whose body names it. */
  there?: { typeModel: TypeModel; name: string; fields: readonly StoredField[] };
  /** The body as it was sent. */
  given: unknown;
  /** The parts of the body that the schema left. */
  rest: unknown;
}

/** Returns the kind of the model in a body; one of collections if it names none that there is. */
function typeModelIn({ typeModel }: LooseOptions): TypeModel {
  return typeof typeModel === "string" && isTypeModel(typeModel) ? typeModel : "collections";
}

/** Finds the further faults of a model's body that the schema refused. */
export async function furtherModelFaults(
  db: Database,
  space: Space,
  { there, given, rest }: RefusedModel,
): Promise<readonly ErrorDetail[]> {
  // Without a list of fields, other faults about fields cannot be judged.
  if (!isObject(rest) || !isObject(given) || !Array.isArray(rest["fields"])) return [];
  const errors = new ValidationErrors();
  const fields = checkableFields(given, rest, errors);
  const drop = listOf(rest["drop"]).map((item) => textOf(item) ?? "");
  const renames = Object.entries(isObject(rest["rename"]) ? rest["rename"] : {});
  const rename = new Map(renames.map(([from, to]) => [from, String(to)]));
  if (there) checkRequest(there.fields, { fields, drop, rename }, errors);
  const options = { titleField: textOf(rest["titleField"]), previewUrl: textOf(rest["previewUrl"]) };
  const typeModel = there?.typeModel ?? typeModelIn(rest);
  const name = there?.name ?? textOf(given["name"]) ?? "";
  const around = storedSurroundings(db, space.id);
  await checkModel(around, space, { typeModel, name, fields, options, before: there?.fields ?? [] }, errors);
  return errors.details;
}
