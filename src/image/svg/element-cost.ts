/** What one element adds to the cost of a drawing, by its attributes and the rules that may match it. */
import { SVG } from "../../limits.ts";
import type { CostedElement } from "./complexity.ts";
import type { StyleRule } from "./css-rules.ts";
import { holdTo, SvgRejectedError } from "./errors.ts";
import { FILTER_PRIMITIVES } from "./vocabulary.ts";

const LAYERING = new Set(["opacity", "mix-blend-mode", "isolation"]);
/** Elements that are cut off at their own edges, for which a renderer draws them apart. */
const CLIPPED = new Set(["svg", "symbol", "marker", "pattern", "image"]);
/** Properties whose target is laid over the element as a picture of its own. */
const LAYERED_REFERENCES = new Set(["mask", "clip-path", "filter"]);

export const newCost = (name: string): CostedElement => ({
  name,
  id: null,
  children: [],
  weight: 1,
  references: [],
  markers: [],
  corners: 0,
  isLayer: CLIPPED.has(name),
  passes: FILTER_PRIMITIVES.has(name) ? 1 : 0,
  results: 0,
  imagePixels: 0,
  scale: 1,
});

/** Notes a reference made by a property or by `href`. */
export function addReference(cost: CostedElement, property: string, id: string): void {
  const into = property.startsWith("marker") ? cost.markers : cost.references;
  // Browsers look for the id as written and then with its percent signs decoded.
  for (const name of new Set([id, decoded(id)])) if (!into.includes(name)) into.push(name);
  if (LAYERED_REFERENCES.has(property)) cost.isLayer = true;
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Notes a value of a property, or of an attribute that is none. */
export function addValue(cost: CostedElement, name: string, value: string): void {
  if (LAYERING.has(name)) cost.isLayer ||= !/^(?:1(?:\.0*)?|100%|normal|auto)$/.test(value);
  else if (name === "filter") cost.isLayer ||= value !== "none";
  else if (name === "transform" || name === "scale") cost.scale *= scaleOf(value);
  else if (name === "d" || name === "points") {
    cost.weight += value.length / SVG.pathCharactersPerElement;
    cost.corners = (value.match(/\d+|[zZ]/g) ?? []).length;
  }
  // A CSS filter function is a primitive like those of a filter element.
  if (name === "filter") cost.passes += (value.match(/\b(?!url)[a-z-]+\(/g) ?? []).length;
}

/** The most by which a list of transforms stretches anything. Angles stretch nothing; a skew is taken as 2. */
function scaleOf(transforms: string): number {
  let scale = 1;
  for (const [, name = "", list = ""] of transforms.matchAll(/([a-zA-Z0-9]+)\s*\(([^)]*)\)/g)) {
    const numbers = (list.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number);
    const kind = name.toLowerCase();
    if (kind.startsWith("scale")) scale *= Math.max(...numbers.map(Math.abs), 0);
    else if (kind.startsWith("matrix")) scale *= Math.hypot(...numbers.slice(0, kind === "matrix" ? 4 : 16));
    else if (kind.startsWith("skew")) scale *= 2;
  }
  return scale;
}

/** Lets the rules of style sheets that may match an element add to its cost. */
export class RuleIndex {
  readonly #byKey = new Map<string, StyleRule[]>();

  constructor(rules: readonly StyleRule[]) {
    for (const rule of rules) {
      const { references, values } = rule.declarations;
      if (references.length === 0 && !values.some(([property]) => COSTLY.has(property))) continue;
      for (const { type, id, classes } of rule.subjects) {
        const key = id !== null ? `#${id}` : classes.length > 0 ? `.${classes[0]}` : (type ?? "*");
        const same = this.#byKey.get(key);
        if (same) same.push(rule);
        else this.#byKey.set(key, [rule]);
      }
    }
  }

  apply(cost: CostedElement, classes: readonly string[]): void {
    if (this.#byKey.size === 0) return;
    const keys = ["*", cost.name.toLowerCase(), `#${cost.id ?? ""}`, ...classes.map((name) => `.${name}`)];
    const matched = new Set(keys.flatMap((key) => this.#byKey.get(key) ?? []));
    for (const { declarations } of matched) {
      for (const [property, id] of declarations.references) addReference(cost, property, id);
      for (const [property, value] of declarations.values)
        if (COSTLY.has(property)) addValue(cost, property, value);
    }
  }
}

const COSTLY = new Set([...LAYERING, "filter", "transform", "scale", "d"]);

/**
 * Holds a filter, or a primitive of one, to the limits (interface, "SVG masters" 2: filter area).
 * @returns how much more than a plain pass the primitive costs, a pixel
 */
export function filterPasses(name: string, attributes: ReadonlyMap<string, string>): number {
  const numbers = (attribute: string): number[] =>
    (attributes.get(attribute)?.match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? []).map(Number);
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
