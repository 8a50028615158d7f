/** Converts the declarations of one element to attributes that a renderer of SVG 1.1 supports. */
import { BEYOND } from "../../support/row.ts";
import { isTextProperty, rowOf } from "../../support/support.ts";
import { PRESENTATION } from "../../safe/vocabulary.ts";
import type { Declaration } from "../cascade/cascade.ts";
import type { Transforms } from "../paint/transform.ts";
import { plainValue, withVariables } from "./values.ts";
import type { Variables } from "./variables.ts";
import { Unresolved } from "./unresolved.ts";

/** Properties that SVG 1.1 has only as attributes, by element. */
const GEOMETRY: Record<string, ReadonlySet<string>> = {
  circle: new Set(["cx", "cy", "r"]),
  ellipse: new Set(["cx", "cy", "rx", "ry"]),
  rect: new Set(["x", "y", "width", "height", "rx", "ry"]),
  image: new Set(["x", "y", "width", "height"]),
  svg: new Set(["x", "y", "width", "height"]),
  use: new Set(["x", "y", "width", "height"]),
  path: new Set(["d"]),
};
const GEOMETRY_NAMES = new Set(Object.values(GEOMETRY).flatMap((names) => [...names]));
const TRANSFORMS = new Set([
  "transform",
  "translate",
  "rotate",
  "scale",
  "transform-origin",
  "transform-box",
]);
/** Properties that the renderer supports only in a style. */
const STYLE_ONLY = new Set(["mix-blend-mode", "isolation"]);
const SHORTHANDS = new Set(["font", "marker"]);
const MARKERS = ["marker-start", "marker-mid", "marker-end"];
/** Properties that become something else than an attribute of the same name. */
const TRANSLATED = new Set(
  "font-variant-caps text-transform text-decoration-line text-decoration-style text-decoration-color text-decoration-thickness".split(
    " ",
  ),
);
const PATH = /^path\(\s*"([^"]*)"\s*\)$/;
const FONT_MAX_CHARACTERS = 1000;
const DEFAULTING = /^(?:initial|unset|revert|revert-layer)$/i;
const FONT =
  /^((?:(?:normal|italic|oblique|small-caps|bold|bolder|lighter|[1-9]\d{0,2}|1000|(?:semi-|extra-|ultra-)?(?:condensed|expanded))\s+)*)([\d.]+[a-z%]+|(?:xx?-)?small|medium|(?:xx?-)?large|smaller|larger)(?:\s*\/\s*[\w.%]+)?\s+(\S.*)$/i;

/** Initial values of inherited properties, for CSS `initial`. */
const INITIAL: Record<string, string> = {
  fill: "#000",
  "fill-opacity": "1",
  "fill-rule": "nonzero",
  stroke: "none",
  "stroke-opacity": "1",
  "stroke-width": "1",
  "stroke-dasharray": "none",
  "stroke-dashoffset": "0",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "stroke-miterlimit": "4",
  color: "#000",
  "font-size": "16px",
  "letter-spacing": "normal",
  "word-spacing": "normal",
  "paint-order": "normal",
  "text-transform": "none",
  "font-style": "normal",
  "font-weight": "400",
  "text-anchor": "start",
  visibility: "visible",
  "clip-rule": "nonzero",
  "marker-start": "none",
  "marker-mid": "none",
  "marker-end": "none",
};

export interface Resolved {
  /** Presentation attributes, and geometry attributes if the element has any. */
  attributes: Map<string, string>;
  /** Properties of its style attribute. */
  style: Map<string, string>;
  transforms: Transforms;
  keepsSpace: boolean;
  /** The value of `text-transform`, if the element has one of its own. */
  textTransform: string | null;
}

interface Surroundings {
  variables: Variables;
  /** Whether the element has a dark colour scheme. */
  isDark: boolean;
  /** Whether the drawing has text. If not, properties of text change nothing. */
  hasText: boolean;
}

/** @throws Unresolved */
export function resolvedProperties(
  name: string,
  declarations: readonly Declaration[],
  surroundings: Surroundings,
): Resolved {
  const found: Resolved = {
    attributes: new Map(),
    style: new Map(),
    transforms: {},
    keepsSpace: false,
    textTransform: null,
  };
  const applies = (property: string): boolean =>
    isRead(property) &&
    (surroundings.hasText || !isTextProperty(property)) &&
    (!isGeometry(property) || GEOMETRY[name]?.has(property) === true);
  for (const { property, value, isAttribute } of winners(declarations, applies, surroundings)) {
    if (TRANSFORMS.has(property)) {
      if (property === "transform") found.transforms.transform = { value, isAttribute };
      else found.transforms[property as "translate"] = value;
    } else if (GEOMETRY[name]?.has(property) && !isAttribute) {
      const plain = property === "d" ? PATH.exec(value)?.[1] : value;
      if (plain !== undefined) found.attributes.set(property, plain);
    } else if (property === "font") {
      for (const [longhand, part] of fontParts(value)) found.attributes.set(longhand, part);
    } else if (property === "marker") {
      for (const longhand of MARKERS) found.attributes.set(longhand, value);
    } else if (property === "text-transform") {
      found.textTransform = value === "inherit" ? null : value;
    } else if (property === "text-decoration-line") {
      found.attributes.set("text-decoration", value);
    } else if (STYLE_ONLY.has(property)) found.style.set(property, value);
    else if (PRESENTATION.has(property)) found.attributes.set(property, value);
    if (property === "white-space") found.keepsSpace = /^(?:pre|pre-wrap|break-spaces)$/.test(value);
  }
  return found;
}

const isGeometry = (property: string): boolean => GEOMETRY_NAMES.has(property);

const isRead = (property: string): boolean =>
  PRESENTATION.has(property) ||
  TRANSFORMS.has(property) ||
  STYLE_ONLY.has(property) ||
  SHORTHANDS.has(property) ||
  TRANSLATED.has(property) ||
  isGeometry(property);

/**
 * Returns the prevailing declaration of each property. A later one may be a shorthand for an earlier one. @throws
 * Unresolved
 */
function winners(
  declarations: readonly Declaration[],
  applies: (property: string) => boolean,
  { variables, isDark }: Surroundings,
): Declaration[] {
  const settled = new Set<string>();
  const found: Declaration[] = [];
  for (const declaration of declarations.toReversed()) {
    const { property, value } = declaration;
    if (!applies(property) || settled.has(property)) continue;
    const substituted = withVariables(value, (name) => variables.get(name));
    const plain = substituted === null ? null : plainValue(substituted, isDark);
    const read = plain === null ? null : readable(declaration, plain.trim());
    // An invalid declaration is ignored, unless it becomes invalid only after its variables are substituted.
    if (read === null && substituted === value) continue;
    settled.add(property);
    if (read === null) continue;
    if (!DEFAULTING.test(read)) found.push({ ...declaration, value: read });
    else if (/^initial$/i.test(read) && property in INITIAL) {
      found.push({ ...declaration, value: INITIAL[property]! });
    }
  }
  return found.toReversed();
}

/** Returns the value in the form that resvg reads; null if it is invalid. @throws Unresolved */
function readable({ property, isAttribute }: Declaration, value: string): string | null {
  const read = rowOf(property)?.read;
  if (!read || DEFAULTING.test(value)) return value;
  const plain = read(value, !isAttribute);
  if (plain === BEYOND) throw new Unresolved(`it sets ${property} to ${value.slice(0, 80)}`);
  return plain;
}

function fontParts(value: string): [property: string, value: string][] {
  const [, words = "", size, family] = FONT.exec(value.slice(0, FONT_MAX_CHARACTERS)) ?? [];
  if (size === undefined || family === undefined)
    throw new Unresolved(`it sets font to ${value.slice(0, 80)}`);
  const [style] = /\b(?:italic|oblique)\b/i.exec(words) ?? ["normal"];
  const [weight] = /\b(?:bold|bolder|lighter|\d+)\b/i.exec(words) ?? ["normal"];
  return [
    ["font-style", style],
    ["font-weight", weight],
    ["font-size", size],
    ["font-family", family],
  ];
}
