/**
 * Every fault of a model's body in one answer (RULES 3.2): what the checks beyond the schema find in a body that the
 * schema refused. They look at what is left of it, so that no fault is told twice and none hides another.
 */
import type { ErrorDetail } from "../../errors.ts";
import type { Space } from "../spaces/authorize.ts";
import type { Database } from "../storage/database/database.ts";
import { anyFieldSchema, type Field, type StoredField } from "../../content/field-types/fields.ts";
import { modelView, type ModelRow } from "../../content/model/model.ts";
import type { TypeModel } from "../../content/model/type-models.ts";
import { faultMessage } from "../../content/faults/fault-message.ts";
import { checkRequest } from "./change/1-compare-fields.ts";
import { checkModel } from "./models.ts";
import { ValidationErrors } from "../../content/faults/validation-errors.ts";

type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** What can be told of a field without its type. */
function commonFaults(field: Loose, path: string, errors: ValidationErrors): void {
  const parsed = anyFieldSchema.safeParse(field, { error: faultMessage });
  if (parsed.success) return;
  for (const issue of parsed.error.issues) {
    errors.add([path, ...issue.path.map(String)].join("."), issue.message);
  }
}

/**
 * A field to check, of what the schema left of one. Where a check would need what is missing, the field becomes one
 * that has no such check: a relation without its target a field of media, an enum its values without a default.
 */
function checkable(rest: Loose, name: string): Field {
  const { type } = rest;
  const field = { ...rest, name };
  if (type === undefined) return { type: "string", name };
  if (type === "relation" && rest["to"] === undefined) return { ...field, type: "media" };
  if (type !== "enum") return field as unknown as Field;
  const values = listOf(rest["values"]);
  const known = values.filter((value) => value !== undefined);
  const isWhole = known.length > 0 && known.length === values.length;
  return { ...field, values: known, ...(!isWhole && { default: null }) } as unknown as Field;
}

/** The fields that can be checked. Those without a name have one that none can have. */
function checkableFields(given: Loose, rest: Loose, errors: ValidationErrors): Field[] {
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

/** What the service sets may come back as it was read: what is wrong with it otherwise. */
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
  /** Of a model that is there; left out where one is made, whose body says it. */
  there?: { typeModel: TypeModel; name: string; fields: readonly StoredField[] };
  /** The body as it was sent, and without what the schema refused. */
  given: unknown;
  rest: unknown;
}

/** What else is wrong with a model's body that the schema refused. */
export async function furtherModelFaults(
  db: Database,
  space: Space,
  { there, given, rest }: RefusedModel,
): Promise<readonly ErrorDetail[]> {
  // Without a list of fields, what the body says about fields cannot be judged.
  if (!isObject(rest) || !isObject(given) || !Array.isArray(rest["fields"])) return [];
  const errors = new ValidationErrors();
  const fields = checkableFields(given, rest, errors);
  const drop = listOf(rest["drop"]).map((item) => textOf(item) ?? "");
  const renames = Object.entries(isObject(rest["rename"]) ? rest["rename"] : {});
  const rename = new Map(renames.map(([from, to]) => [from, String(to)]));
  if (there) checkRequest(there.fields, { fields, drop, rename }, errors);
  const options = { titleField: textOf(rest["titleField"]) };
  const typeModel = there?.typeModel ?? (rest["typeModel"] === "pages" ? "pages" : "collections");
  const name = there?.name ?? textOf(given["name"]) ?? "";
  await checkModel(db, space, { typeModel, name, fields, options, before: there?.fields ?? [] }, errors);
  return errors.details;
}
