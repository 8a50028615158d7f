/** Filters and sorts as the rules state them (RULES 3.3, 3.4), written plainly, to compare the service with. */
import { type Item, pick } from "./things.ts";

export type FieldName = keyof Item;
export type Value = string | number | boolean | null;

/** Compares text by code points, as SQLite does. Null comes after everything. */
function compare(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "string" && typeof b === "string") {
    const [x, y] = [a, b].map((text) => Array.from(text).map((c) => c.codePointAt(0) as number)) as [
      number[],
      number[],
    ];
    for (let i = 0; i < Math.max(x.length, y.length); i++) {
      if (x[i] !== y[i]) return (x[i] ?? -1) - (y[i] ?? -1);
    }
    return 0;
  }
  return Number(a) - Number(b);
}

const cut = (value: Value): Value =>
  typeof value === "string" ? Array.from(value).slice(0, 200).join("") : value;

export interface Sort {
  field: FieldName;
  descending: boolean;
}

export function sorted(items: readonly Item[], list: Item[], sorts: Sort[]): Item[] {
  const place = new Map(items.map(({ id }, index) => [id, index]));
  const sign = (descending: boolean): number => (descending ? -1 : 1);
  return [...list].sort((a, b) => {
    for (const { field, descending } of sorts) {
      const order = compare(cut(a[field] as Value), cut(b[field] as Value)) * sign(descending);
      if (order !== 0) return order;
    }
    return ((place.get(a.id) ?? 0) - (place.get(b.id) ?? 0)) * sign(sorts[0]?.descending ?? false);
  });
}

export interface Filter {
  field: FieldName;
  operator: string;
  value: Value;
  /** The relation that the filter goes through. */
  via?: "parent" | "tags";
}

/** Folds case and accents, by other means than the service. */
const folded = (text: string): string =>
  text
    .toLocaleUpperCase("en")
    .normalize("NFKD")
    .replaceAll(/\p{Mn}/gu, "");

export function fits(items: readonly Item[], item: Item, { via, ...filter }: Filter): boolean {
  if (!via) return holds(items, item, filter);
  const targets = [item[via]].flat().flatMap((id) => items.find((one) => one.id === id) ?? []);
  const isNone = filter.operator === "null" && filter.value === true && targets.length === 0;
  return isNone || targets.some((target) => holds(items, target, filter));
}

function holds(items: readonly Item[], item: Item, { field, operator, value }: Filter): boolean {
  const held = item[field];
  if (Array.isArray(held)) {
    const asked = [String(value), pick(items, 0).id];
    if (operator === "null") return (held.length === 0) === value;
    if (operator === "nin") return !asked.some((id) => held.includes(id));
    if (operator === "all") return asked.every((id) => held.includes(id));
    return held.includes(String(value));
  }
  const order = compare(held, value);
  switch (operator) {
    case "eq":
      return held !== null && order === 0;
    case "ne":
      return held === null || order !== 0;
    case "gt":
      return held !== null && order > 0;
    case "gte":
      return held !== null && order >= 0;
    case "lt":
      return held !== null && order < 0;
    case "lte":
      return held !== null && order <= 0;
    case "in":
      return held !== null && [value, "zzz"].some((one) => compare(held, one) === 0);
    case "nin":
      return held === null || ![value, "zzz"].some((one) => compare(held, one) === 0);
    case "startsWith":
      return typeof held === "string" && held.startsWith(String(value));
    case "icontains":
      return typeof held === "string" && folded(held).includes(folded(String(value)));
    case "contains":
      return typeof held === "string" && held.includes(String(value));
    default:
      return (held === null) === value;
  }
}
