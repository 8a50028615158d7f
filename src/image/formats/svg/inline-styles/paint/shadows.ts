/**
 * Replaces drop shadows by simpler primitives (Filter Effects 1, sections 9.16 and 13.2). resvg interprets the colour
 * of `feDropShadow` as linear light, and supports the function `drop-shadow()` only with the simplest colours.
 */
import { inOrder, SvgNode } from "../cascade/tree.ts";
import { topLevelWords } from "../values/values.ts";
import type { Box } from "./view.ts";
import { Unresolved } from "../values/unresolved.ts";

/** The filter region, as shares of the bounding box. Filter functions have none, but the renderer needs one. */
const REGION = { x: -0.25, y: -0.25, width: 1.5, height: 1.5 };
const SUBREGION = ["x", "y", "width", "height", "color-interpolation-filters"];
const LENGTH = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(px)?$/i;
const SHADOW = /drop-shadow\(((?:[^()]|\([^()]*\))*)\)/gi;

interface Shadow {
  dx: string;
  dy: string;
  deviation: string;
  colour: string;
}

/** Replaces the shadows in the values of `filter` by references to new filters. */
export class Shadows {
  readonly #root: SvgNode;
  readonly #filters = new Map<string, SvgNode>();
  readonly #ids: Set<string | undefined>;

  constructor(root: SvgNode, nodes: readonly SvgNode[]) {
    this.#root = root;
    this.#ids = new Set(nodes.map(({ attributes }) => attributes.get("id")));
  }

  /**
   * Returns the value with its shadows replaced by references.
   * @param view the viewBox of the whole drawing in the units of the element; null when that is unknown
   * @throws Unresolved
   */
  filterValue(value: string, currentColour: string, view: Box | null): string {
    return value.replace(SHADOW, (_, list: string) => {
      const shadow = readShadow(list, currentColour);
      const key = JSON.stringify([shadow, view]);
      let filter = this.#filters.get(key);
      if (!filter) this.#filters.set(key, (filter = this.#filter(shadow, view)));
      return `url(#${filter.attributes.get("id") ?? ""})`;
    });
  }

  /** Adds the new filters to the tree, and replaces all `feDropShadow` elements. */
  finish(): void {
    for (const node of inOrder(this.#root)) if (node.name === "filter") takeApart(node);
    this.#root.children.unshift(...this.#filters.values());
  }

  #filter(shadow: Shadow, view: Box | null): SvgNode {
    let id = "";
    for (let n = this.#ids.size; id === "" || this.#ids.has(id); n++) id = `shadow-${n}`;
    this.#ids.add(id);
    const filterUnits = view ? "userSpaceOnUse" : "objectBoundingBox";
    const filter = element("filter", { id, filterUnits, ...(view ?? REGION) }, this.#root);
    filter.attributes.set("color-interpolation-filters", "sRGB");
    filter.children = primitives(filter, shadow, "SourceGraphic", {});
    return filter;
  }
}

function readShadow(list: string, currentColour: string): Shadow {
  const lengths: string[] = [];
  let colour = currentColour;
  for (const word of topLevelWords(list)) {
    const [, number, unit] = LENGTH.exec(word) ?? [];
    if (number !== undefined && (unit !== undefined || Number(number) === 0)) lengths.push(number);
    else if (/^(?:#[\da-f]{3,8}|[a-z]+|rgba?\([^()]*\)|hsla?\([^()]*\))$/i.test(word)) {
      colour = /^currentcolor$/i.test(word) ? currentColour : word;
    } else throw new Unresolved(`it has the shadow ${list.slice(0, 80)}`);
  }
  const [dx, dy, deviation = "0", ...more] = lengths;
  if (dx === undefined || dy === undefined || more.length > 0) {
    throw new Unresolved(`it has the shadow ${list.slice(0, 80)}`);
  }
  return { dx, dy, deviation, colour };
}

function takeApart(filter: SvgNode): void {
  let last = "SourceGraphic";
  filter.children = filter.children.flatMap((child, i) => {
    if (typeof child === "string" || !child.name.startsWith("fe")) return [child];
    const { attributes } = child;
    const source = attributes.get("in") ?? last;
    const result = attributes.get("result") ?? `shadow-part-${i}`;
    attributes.set("result", result);
    last = result;
    if (child.name !== "feDropShadow") return [child];
    const shadow = {
      dx: attributes.get("dx") ?? "2",
      dy: attributes.get("dy") ?? "2",
      deviation: attributes.get("stdDeviation") ?? "2",
      colour: attributes.get("flood-color") ?? "#000",
    };
    const more = Object.fromEntries(
      [...SUBREGION, "flood-opacity", "result"].map((name) => [name, attributes.get(name)]),
    );
    return primitives(filter, shadow, source, more, `${result}-`);
  });
}

function primitives(
  parent: SvgNode,
  { dx, dy, deviation, colour }: Shadow,
  source: string,
  more: Record<string, string | undefined>,
  prefix = "",
): SvgNode[] {
  const region = Object.fromEntries(SUBREGION.map((name) => [name, more[name]]));
  const [blurred, moved, flooded, shadow] = ["blurred", "moved", "flooded", "shadow"].map(
    (name) => prefix + name,
  );
  const merged = element("feMerge", { ...region, result: more["result"] }, parent);
  merged.children = [shadow, source].map((name) => element("feMergeNode", { in: name }, merged));
  const flood = { "flood-color": colour, "flood-opacity": more["flood-opacity"], result: flooded };
  return [
    element("feGaussianBlur", { ...region, in: source, stdDeviation: deviation, result: blurred }, parent),
    element("feOffset", { ...region, in: blurred, dx, dy, result: moved }, parent),
    element("feFlood", { ...region, ...flood }, parent),
    element("feComposite", { ...region, in: flooded, in2: moved, operator: "in", result: shadow }, parent),
    merged,
  ];
}

function element(
  name: string,
  attributes: Record<string, string | number | undefined>,
  parent: SvgNode,
): SvgNode {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  return new SvgNode(name, new Map(given.map(([key, value]) => [key, String(value)])), parent);
}
