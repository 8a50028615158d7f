/** JSON Merge Patch (RFC 7396) of a record: objects in its `json` fields are merged, all else replaces what was there. */
import { CONTENT } from "../../../limits.ts";
import { valuesOf, type Model } from "../../../content/model/model.ts";

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Merges `patch` into `target`. What nests deeper than a field may stays as it was sent: the check of the field refuses
 * it.
 */
function merged(target: unknown, patch: unknown, depth = 0): unknown {
  if (!isObject(patch) || depth > CONTENT.jsonMaxDepth) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, merged(members.get(name), value, depth + 1));
  }
  return Object.fromEntries(members);
}

/** Returns the body of an update that does what the patch asks of the record. */
export function bodyOfPatch(model: Model, record: { data: string }, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const values = valuesOf(model, record.data);
  const entries = Object.entries(patch).map(([name, value]) => {
    const field = model.byName.get(name);
    return [name, field?.type === "json" ? merged(values.get(field.no), value) : value] as const;
  });
  return Object.fromEntries(entries);
}
