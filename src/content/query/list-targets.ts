/** What a list can be filtered and sorted by: a field of the model, or what the service sets on every record. */
import { ApiError } from "../../errors.ts";
import { isMultiple, type StoredField } from "../field-types/fields.ts";
import type { Model } from "../model/model.ts";

export type SystemColumn =
  | "id"
  | "created_at"
  | "updated_at"
  | "version"
  | "status"
  | "published_at"
  | "first_published_at"
  | "publish_at"
  | "unpublish_at";

export type Target =
  | { kind: "field"; name: string; field: StoredField }
  | { kind: "system"; name: string; column: SystemColumn };

const SYSTEM: ReadonlyMap<string, SystemColumn> = new Map([
  ["id", "id"],
  ["createdAt", "created_at"],
  ["updatedAt", "updated_at"],
  ["version", "version"],
]);

/** The system fields of models with drafts. `status` is worked out of columns. */
const PUBLICATION: ReadonlyMap<string, SystemColumn> = new Map([
  ["status", "status"],
  ["publishedAt", "published_at"],
  ["firstPublishedAt", "first_published_at"],
  ["publishAt", "publish_at"],
  ["unpublishAt", "unpublish_at"],
]);

/** How a target's values compare: what a filter's text is parsed into, and which operators make sense. */
export type ValueKind =
  "text" | "number" | "boolean" | "datetime" | "time" | "id" | "status" | "list" | "json";

export function valueKindOf(target: Target): ValueKind {
  if (target.kind === "system") {
    const { column } = target;
    if (column === "id" || column === "status") return column;
    return column === "version" ? "number" : "time";
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
  const column = SYSTEM.get(name) ?? (model.drafts ? PUBLICATION.get(name) : undefined);
  if (column) return { kind: "system", name, column };
  throw invalidParameter(
    parameter,
    `names "${name.slice(0, SHOWN_MAX_CHARACTERS)}", which is no field of this model`,
  );
}
