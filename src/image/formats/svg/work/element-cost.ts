/** The cost that one element adds to a drawing, by its attributes and by the style rules that may match it. */
import { SVG } from "../../../../limits.ts";
import type { CostedElement, StyleCost } from "./costed-element.ts";
import type { StyleRule } from "../css/css-rules.ts";
import type { Subject } from "../css/css-selectors.ts";
import { holdTo, SvgRejectedError } from "../errors.ts";
import { newLook, noteLook } from "../geometry/look.ts";
import { cornersOf } from "../geometry/numbers.ts";
import { FILTER_PRIMITIVES } from "../safe/vocabulary.ts";
import { type InPieces, pauseIfDue } from "./pieces.ts";
import { priceOfValue, PRICES, type Work } from "./work.ts";

/** The number of filter primitives that replace a drop shadow (inline-styles/paint/shadows.ts). */
export const SHADOW_PRIMITIVES = 5;
/** The cost of one more picture in an feMerge, in plain primitives. */
const MERGED_PASSES = 1.5;
const LAYERING = new Set(["opacity", "mix-blend-mode", "isolation"]);
/** Elements that are clipped to their own bounds, for which a renderer draws them to a layer. */
const CLIPPED = new Set(["svg", "symbol", "marker", "pattern", "image"]);
/** Properties whose target is drawn to a layer of its own. */
const LAYERED_REFERENCES = new Set(["mask", "clip-path", "filter"]);

/** The references of all elements without any: most have none, and a set takes more than the rest. */
const NONE = new Set<string>();

export const newCost = (name: string): CostedElement => ({
  name,
  id: null,
  children: [],
  look: newLook(),
  uses: [],
  weight: 1,
  references: NONE,
  markers: NONE,
  styles: [],
  corners: 0,
  isLayer: CLIPPED.has(name),
  passes: FILTER_PRIMITIVES.has(name) ? 1 : name === "feMergeNode" ? MERGED_PASSES : 0,
  results: 0,
  imagePixels: 0,
  scale: 1,
});

type Use = CostedElement["uses"][number];

/** Adds a reference of a property or of `href`. */
export function addReference(cost: CostedElement, property: string, id: string): void {
  for (const use of usesOf(property, id)) addUse(cost, use);
}

/** Returns the ids that browsers look for: the one that is written, and then the one with its percent signs decoded. */
const usesOf = (property: string, id: string): Use[] =>
  Array.from(new Set([id, decoded(id)]), (name) => [property, name]);

function addUse(cost: CostedElement, use: Use): void {
  const [property, name] = use;
  const kind = isMarker(property) ? "markers" : "references";
  if (cost[kind] === NONE) cost[kind] = new Set();
  cost[kind].add(name);
  cost.uses.push(use);
  if (LAYERED_REFERENCES.has(property)) cost.isLayer = true;
}

const isMarker = (property: string): boolean => property.startsWith("marker");

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Adds the cost of a value of a property or attribute. */
export function addValue(cost: CostedElement, name: string, value: string): void {
  noteLook(cost.look, name, value);
  if (LAYERING.has(name)) cost.isLayer ||= !/^(?:1(?:\.0*)?|100%|normal|auto)$/.test(value);
  else if (name === "filter") cost.isLayer ||= value !== "none";
  else if (name === "transform" || name === "scale") cost.scale *= scaleOf(value);
  else if (name === "d" || name === "points") {
    cost.weight += value.length / SVG.pathCharactersPerElement;
    cost.corners = cornersOf(value);
  }
  // A CSS filter function is a primitive like those of a filter element.
  if (name === "filter") {
    const shadows = (value.match(/drop-shadow\(/gi) ?? []).length;
    cost.results = Math.max(cost.results, shadows * SHADOW_PRIMITIVES);
    cost.passes += (SHADOW_PRIMITIVES - 1) * shadows;
  }
  if (name === "filter") cost.passes += (value.match(/\b(?!url)[a-z-]{1,20}\(/g) ?? []).length;
}

const NAME_MAX_CHARACTERS = 32;
const TRANSFORM_MAX_CHARACTERS = 400;

const numbersOf = (text: string): number[] =>
  (text.match(/[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number);

/** Returns the largest factor by which a list of transforms enlarges. Rotations do not enlarge; a skew counts as 2. */
function scaleOf(transforms: string): number {
  let scale = 1;
  for (const part of transforms.split(")")) {
    const open = part.indexOf("(");
    if (open < 0) continue;
    const name = part.slice(Math.max(0, open - NAME_MAX_CHARACTERS), open).trimEnd();
    const kind = /[a-z]+[xyz3d]*$/.exec(name.toLowerCase())?.[0] ?? "";
    const numbers = numbersOf(part.slice(open + 1, open + 1 + TRANSFORM_MAX_CHARACTERS));
    if (kind.startsWith("scale")) scale *= Math.max(0, ...numbers.slice(0, 3).map(Math.abs));
    else if (kind.startsWith("matrix")) scale *= Math.hypot(...numbers.slice(0, kind === "matrix" ? 4 : 16));
    else if (kind.startsWith("skew")) scale *= 2;
  }
  return scale;
}

/** Adds the cost of the style rules that may match an element to that element. */
export class RuleIndex {
  readonly #byKey = new Map<string, StyleCost>();

  /** Makes the index of all rules, at a price for each declaration of each selector. */
  static *of(rules: readonly StyleRule[], work: Work): InPieces<RuleIndex> {
    const index = new RuleIndex();
    for (const rule of rules) yield* index.#add(rule, work);
    index.#end();
    return index;
  }

  *#add({ subjects, declarations }: StyleRule, work: Work): InPieces<void> {
    const values = declarations.values.filter(([property]) => COSTLY.has(property));
    // A rule may have thousands of selectors and thousands of references, most of them the same.
    const references = new Map(declarations.references.map((each) => [each.join(" "), each]));
    const uses = [...references.values()].flatMap(([property, id]) => usesOf(property, id));
    if (uses.length === 0 && values.length === 0) return;
    const price = values.reduce((sum, value) => sum + priceOfNoted(value), PRICES.noted * (1 + uses.length));
    for (const key of new Set(subjects.map(keyOf))) {
      work.spend(price);
      const cost = this.#costOf(key);
      for (const use of uses) addUse(isMarker(use[0]) ? cost.perCorner : cost.once, use);
      for (const [property, value] of values) this.#addValue(cost.once, property, value);
      if (work.isPauseDue) yield* pauseIfDue(work);
    }
  }

  /** Completes the costs, once all rules are added. */
  #end(): void {
    for (const cost of this.#byKey.values()) {
      cost.perCorner.references = cost.perCorner.markers;
      cost.isLayer = cost.once.isLayer;
      cost.scale = cost.once.scale;
      cost.once.isLayer = false;
      cost.once.scale = 1;
    }
  }

  apply(cost: CostedElement, classes: readonly string[]): void {
    if (this.#byKey.size === 0) return;
    const keys = new Set([
      "*",
      cost.name.toLowerCase(),
      `#${cost.id ?? ""}`,
      ...classes.map((name) => `.${name}`),
    ]);
    for (const key of keys) {
      const found = this.#byKey.get(key);
      if (found) cost.styles.push(found);
    }
  }

  #costOf(key: string): StyleCost {
    let found = this.#byKey.get(key);
    if (!found) {
      found = { once: newStyleCost(), perCorner: newStyleCost(), isLayer: false, scale: 1 };
      this.#byKey.set(key, found);
    }
    return found;
  }

  /** Adds a value. Only one of the rules for an element prevails, so their scales are not multiplied. */
  #addValue(cost: CostedElement, property: string, value: string): void {
    const { scale } = cost;
    cost.scale = 1;
    addValue(cost, property, value);
    cost.scale = Math.max(scale, cost.scale);
  }
}

const keyOf = ({ type, id, classes }: Subject): string =>
  id !== null ? `#${id}` : classes.length > 0 ? `.${classes[0]}` : (type ?? "*");

const priceOfNoted = ([property, value]: [property: string, value: string]): number =>
  PRICES.noted + priceOfValue(value) + (property === "d" ? value.length * PRICES.pathCharacter : 0);

const newStyleCost = (): CostedElement => ({ ...newCost("style"), weight: 0 });

const COSTLY = new Set([
  ...LAYERING,
  ...["filter", "transform", "scale", "d"],
  ...["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size"],
]);

/**
 * Checks a filter or a filter primitive against the limits (RULES 6.4: filter area).
 * @returns the cost per pixel of the primitive, relative to a plain one
 * @throws SvgRejectedError when it exceeds a limit
 */
export function filterPasses(name: string, attributes: ReadonlyMap<string, string>): number {
  const numbers = (attribute: string): number[] => numbersOf(attributes.get(attribute) ?? "");
  assertRegion(attributes, name === "filter" && attributes.get("filterUnits") !== "userSpaceOnUse");
  switch (name) {
    case "feTurbulence": {
      const octaves = numbers("numOctaves")[0] ?? 1;
      holdTo(SVG.filterOctavesMax, octaves, "octaves in a turbulence");
      return 4 * Math.max(1, octaves);
    }
    case "feConvolveMatrix": {
      const [across = 3, down = across] = numbers("order");
      holdTo(SVG.filterKernelMax, across * down, "cells in a convolution's matrix");
      return Math.max(1, across * down) / 2;
    }
    case "feGaussianBlur":
    case "feDropShadow":
    case "feDiffuseLighting":
    case "feSpecularLighting":
      return 3;
    case "feBlend":
      return 5;
    default:
      return 1;
  }
}

function assertRegion(attributes: ReadonlyMap<string, string>, isShare: boolean): void {
  for (const side of ["x", "y", "width", "height"]) {
    const [, number, unit] =
      /^\s*([+-]?[\d.]+(?:e[+-]?\d+)?)\s*([a-z%]*)/i.exec(attributes.get(side) ?? "") ?? [];
    if (number === undefined) continue;
    const size = Math.abs(Number(number));
    const plain = isShare && unit === "" ? SVG.filterRegionMaxShare : SVG.filterRegionMaxUnits;
    if (size <= (unit === "%" ? SVG.filterRegionMaxShare * 100 : plain)) continue;
    throw new SvgRejectedError(
      `a filter region has a side over ${SVG.filterRegionMaxShare * 100} % or ${SVG.filterRegionMaxUnits} units`,
    );
  }
}
