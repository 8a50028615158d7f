/**
 * Turns the issues that a schema found in a body into `details`, and removes the refused values, so that further checks
 * can look at the rest. Pure.
 */
import * as z from "zod";
import type { ErrorDetail } from "../../../errors.ts";
import { ERRORS } from "../../../limits.ts";

/** Converts zod's issues to `details`, one entry per fault. */
export function detailsOf(error: z.ZodError): ErrorDetail[] {
  return error.issues.flatMap((issue) => {
    const path = issue.path.map(String).join(".");
    if (issue.code === "unrecognized_keys") {
      return issue.keys.map((key) => ({ path: path ? `${path}.${key}` : key, message: "is not known here" }));
    }
    return [{ path, message: issue.message }];
  });
}

/** Marks faults whose value stays in the body for further checks. */
const KEEPS_VALUE = { keepsValue: true } as const;

/**
 * Returns a list of at most `max` items. If it is too long, faults of its items are reported as well, but not of a list
 * that is many times too long: a body can hold half a million items, and each would be a fault.
 */
export const listUpTo = <Item extends z.ZodType>(item: Item, max: number): z.ZodArray<Item> =>
  z
    .array(item)
    .max(max * ERRORS.examinedListFactor, { error: `must have at most ${max} items` })
    .refine((list) => list.length <= max, {
      message: `must have at most ${max} items`,
      params: KEEPS_VALUE,
      when: ({ value }) => Array.isArray(value),
    })
    .meta({ maxItems: max });

function removedPaths(issue: z.core.$ZodIssue): PropertyKey[][] {
  if (issue.code === "custom" && issue.params?.["keepsValue"] === true) return [];
  return issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
}

/** The values to remove, by key: the whole value, or parts of it. */
type Cuts = Map<PropertyKey, Cuts | "all">;

function addCut(cuts: Cuts, [key, ...rest]: readonly PropertyKey[]): void {
  if (key === undefined || cuts.get(key) === "all") return;
  if (rest.length === 0) {
    cuts.set(key, "all");
    return;
  }
  const inner = cuts.get(key) ?? new Map<PropertyKey, Cuts | "all">();
  cuts.set(key, inner);
  if (inner !== "all") addCut(inner, rest);
}

/**
 * Returns the value without its cuts. An item of a list becomes undefined, so that the others keep their indices. Only
 * objects and lists that contain a cut are copied: a body may be nested too deeply to copy all of it.
 */
function withoutCuts(value: unknown, cuts: Cuts): unknown {
  if (typeof value !== "object" || value === null) return value;
  const kept = (key: PropertyKey, held: unknown): unknown => {
    const inner = cuts.get(key);
    if (inner === undefined) return held;
    return inner === "all" ? undefined : withoutCuts(held, inner);
  };
  if (Array.isArray(value)) return value.map((item: unknown, index) => kept(index, item));
  const entries = Object.entries(value).filter(([key]) => cuts.get(key) !== "all");
  return Object.fromEntries(entries.map(([key, held]) => [key, kept(key, held)]));
}

/** Returns a copy of the body without the values that the schema refused. */
export function withoutFaults(body: unknown, error: z.ZodError): unknown {
  const cuts: Cuts = new Map();
  for (const path of error.issues.flatMap(removedPaths)) addCut(cuts, path);
  return withoutCuts(body, cuts);
}
