/** What a list can be filtered and sorted by: a field of the model, or what the service sets on every record. */
import { ApiError } from "../../errors.ts";
import { isMultiple, type StoredField } from "./fields.ts";
import type { Model } from "./model.ts";

export type SystemColumn = "id" | "created_at" | "updated_at" | "version";

export type Target =
  | { kind: "field"; name: string; field: StoredField }
  | { kind: "system"; name: string; column: SystemColumn };

const SYSTEM: ReadonlyMap<string, SystemColumn> = new Map([
  ["id", "id"],
  ["createdAt", "created_at"],
  ["updatedAt", "updated_at"],
  ["version", "version"],
]);

/** How a target's values compare: what a filter's text is parsed into, and which operators make sense. */
export type ValueKind = "text" | "number" | "boolean" | "datetime" | "time" | "id" | "list" | "json";

export function valueKindOf(target: Target): ValueKind {
  if (target.kind === "system") {
    if (target.column === "id") return "id";
    return target.column === "version" ? "number" : "time";
  }
  const { field } = target;
  if (isMultiple(field)) return "list";
  switch (field.type) {
    case "string":
    case "text":
    case "enum":
      return "text";
    case "relation":
    case "media":
      return "id";
    default:
      return field.type;
  }
}

const SHOWN_MAX_CHARACTERS = 100;

export function invalidParameter(parameter: string, message: string): ApiError {
  const path = parameter.slice(0, SHOWN_MAX_CHARACTERS);
  return new ApiError("INVALID_PARAMETER", `Parameter "${path}" ${message}.`, {
    details: [{ path, message }],
  });
}

/** Names are looked up before anything is made of them. @throws ApiError INVALID_PARAMETER */
export function targetOf(model: Model, name: string, parameter: string): Target {
  const field = model.byName.get(name);
  if (field) return { kind: "field", name, field };
  const column = SYSTEM.get(name);
  if (column) return { kind: "system", name, column };
  throw invalidParameter(
    parameter,
    `names "${name.slice(0, SHOWN_MAX_CHARACTERS)}", which is no field of this model`,
  );
}
