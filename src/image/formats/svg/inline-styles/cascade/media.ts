/** Evaluates media queries for a raster: a screen with a light colour scheme whose size is unknown. */
import { Unresolved } from "../values/unresolved.ts";

const TRUE_FEATURES = new Set([
  "prefers-color-scheme:light",
  "prefers-reduced-motion:no-preference",
  "prefers-contrast:no-preference",
  "color",
]);
const FALSE_FEATURES = new Set([
  "prefers-color-scheme:dark",
  "prefers-reduced-motion",
  "prefers-reduced-motion:reduce",
  "prefers-contrast:more",
  "prefers-contrast:less",
  "forced-colors:active",
  "monochrome",
]);

/** @throws Unresolved for a query that depends on the size, or is unknown */
export function matchesMedia(list: string): boolean {
  const queries = list.toLowerCase().split(",");
  return list.trim() === "" || queries.some((query) => matchesQuery(query.trim()));
}

function matchesQuery(query: string): boolean {
  const isNegated = query.startsWith("not ");
  const parts = query.replace(/^(?:not|only)\s+/, "").split(/\s+and\s+/);
  const matches = parts.every((part) => {
    if (part === "all" || part === "screen") return true;
    if (part === "print" || part === "speech") return false;
    const feature = /^\(([^()]*)\)$/.exec(part)?.[1]?.replace(/\s+/g, "");
    if (feature !== undefined && TRUE_FEATURES.has(feature)) return true;
    if (feature !== undefined && FALSE_FEATURES.has(feature)) return false;
    throw new Unresolved(`its style sheet depends on @media ${query.slice(0, 80)}`);
  });
  return matches !== isNegated;
}
