/** Looks up the names that a list is filtered and sorted by: fields of the model, and system fields. */
import { ApiError } from "../../errors.ts";
import { isList, type StoredField } from "../field-types/fields.ts";
import { meaningOf } from "../field-types/registry.ts";
import type { Model } from "../model/model.ts";
import type { ValueKind } from "./operators.ts";

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

export type ListTarget =
  | { kind: "field"; name: string; field: StoredField }
  | {
      kind: "system";
      name: string;
      column: SystemColumn;
      /** The number of the locale whose publication it is; absent where all locales are published together. */
      locale?: number;
    };

const SYSTEM: ReadonlyMap<string, SystemColumn> = new Map([
  ["id", "id"],
  ["createdAt", "created_at"],
  ["updatedAt", "updated_at"],
  ["version", "version"],
]);

/** The system fields of models with drafts. `status` is derived from columns. */
const PUBLICATION: ReadonlyMap<string, SystemColumn> = new Map([
  ["status", "status"],
  ["publishedAt", "published_at"],
  ["firstPublishedAt", "first_published_at"],
  ["publishAt", "publish_at"],
  ["unpublishAt", "unpublish_at"],
]);

/** Returns how the values of a target compare. */
export function valueKindOf(target: ListTarget): ValueKind {
  if (target.kind === "system") {
    const { column } = target;
    if (column === "id" || column === "status") return column;
    return column === "version" ? "number" : "time";
  }
  const { field } = target;
  const { index } = meaningOf(field);
  if (index === "nested") return "presence";
  if (isList(field)) return "list";
  switch (index) {
    case "text":
    case "choice":
      return "text";
    case "record":
    case "media":
      return "id";
    case "number":
    case "boolean":
    case "datetime":
    case "presence":
      return index;
    default:
      return index satisfies never;
  }
}

const SHOWN_MAX_CHARACTERS = 100;

export function invalidParameter(parameter: string, message: string): ApiError {
  const path = parameter.slice(0, SHOWN_MAX_CHARACTERS);
  return new ApiError("INVALID_PARAMETER", `Parameter "${path}" ${message}.`, {
    details: [{ path, message }],
  });
}

/** Looks a name up before anything else is done with it. @throws ApiError INVALID_PARAMETER for an unknown name */
export function targetOf(model: Model, name: string, parameter: string): ListTarget {
  const field = model.byName.get(name);
  if (field) return { kind: "field", name, field };
  const column = SYSTEM.get(name);
  if (column) return { kind: "system", name, column };
  const ofPublication = model.drafts ? PUBLICATION.get(name) : undefined;
  if (ofPublication) {
    const isByLocale = model.scope !== undefined && model.fields.some(({ localized }) => localized === true);
    return {
      kind: "system",
      name,
      column: ofPublication,
      ...(isByLocale && { locale: model.scope?.no ?? 0 }),
    };
  }
  throw invalidParameter(
    parameter,
    `names "${name.slice(0, SHOWN_MAX_CHARACTERS)}", which is no field of this model`,
  );
}
