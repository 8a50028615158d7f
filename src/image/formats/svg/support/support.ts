/**
 * Looks up what becomes of a property, attribute or element of SVG in a raster. The tables are also the page of the
 * documentation (scripts/readme/svg-support.ts).
 */
import { ATTRIBUTES, ELEMENTS } from "./attributes.ts";
import { PAINTING } from "./painting.ts";
import type { Row } from "./row.ts";
import { TEXT } from "./text.ts";

export const PROPERTIES: readonly Row[] = [...PAINTING, ...TEXT];
export { ATTRIBUTES, ELEMENTS } from "./attributes.ts";

const byName = (list: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(list.map((row) => [row.name, row]));
const properties = byName(PROPERTIES);
const attributes = byName(ATTRIBUTES);
const elements = byName(ELEMENTS);

const texts = byName(TEXT);
export const isTextProperty = (name: string): boolean => texts.has(name);

/** Returns the row of a property or, for a name that is only an attribute, of the attribute. */
export const rowOf = (name: string): Row | undefined => properties.get(name) ?? attributes.get(name);
export const attributeRow = (name: string): Row | undefined => attributes.get(name);
export const elementRow = (name: string): Row | undefined => elements.get(name);

/**
 * Returns whether resvg draws the value as browsers do without help. If not, the drawing is rewritten, and only then it
 * is known whether the value prevails and whether it can be drawn.
 */
export function isDrawnAsIs(name: string, value: string, isStyle: boolean): boolean {
  const row = (isStyle ? undefined : attributes.get(name)) ?? rowOf(name);
  if (!row || row.handling === "nothing") return true;
  if (isStyle && row.isAttributeOnly) return false;
  if (row.rewrites?.test(value)) return false;
  const trimmed = value.trim();
  return row.read === undefined || row.read(trimmed, isStyle) === trimmed;
}
