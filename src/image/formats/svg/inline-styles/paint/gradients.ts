/**
 * Replaces the focal radius of radial gradients (SVG 2, section 14.2.3), which SVG 1.1 does not have. The circles
 * between the focal circle and the outer one lie on a cone. The same cone, continued to its tip, is a gradient whose
 * focus is a point, with its stops moved outwards.
 */
import type { Ids } from "../cascade/ids.ts";
import { SvgNode } from "../cascade/tree.ts";
import { Unresolved } from "../values/unresolved.ts";
import { PRICES, type Work } from "../../work/work.ts";

const DEFAULT = "50%";

/** @throws Unresolved, TooMuchWork */
export function writeFocalRadii(nodes: readonly SvgNode[], ids: Ids, work: Work): void {
  const found = nodes
    .filter(({ name }) => name === "radialGradient")
    .map((node) => ({ node, fr: fr(node, ids) }));
  // All are read before one is changed, because they may refer to one another.
  const changes = found.filter(({ fr }) => fr > 0).map(({ node, fr }) => changed(node, fr, ids, work));
  for (const { attributes } of nodes) attributes.delete("fr");
  for (const change of changes) change();
}

function fr(node: SvgNode, ids: Ids): number {
  const value = inherited(node, "fr", ids);
  return value === undefined ? 0 : share(value);
}

function changed(node: SvgNode, focalRadius: number, ids: Ids, work: Work): () => void {
  const read = (name: string, fallback: string): string => inherited(node, name, ids) ?? fallback;
  const [cx, cy] = [read("cx", DEFAULT), read("cy", DEFAULT)];
  const texts = { cx, cy, r: read("r", DEFAULT), fx: read("fx", cx), fy: read("fy", cy) };
  // In user units a percentage depends on the viewport, as which a share of 1 cannot be written.
  const isUser = read("gradientUnits", "objectBoundingBox") === "userSpaceOnUse";
  const isMixed = isUser && [...Object.values(texts), read("fr", "0")].some((text) => text.endsWith("%"));
  if (isMixed || read("spreadMethod", "pad") !== "pad")
    throw new Unresolved("it has a gradient with a focal radius");
  const [x, y, r, fx, fy] = [texts.cx, texts.cy, texts.r, texts.fx, texts.fy].map(share) as [
    number,
    number,
    number,
    number,
    number,
  ];
  if (!(focalRadius < r)) throw new Unresolved("it has a gradient with a focal radius");
  const tip = focalRadius / (r - focalRadius);
  const stops = stopsOf(node, ids, work).map((stop) => {
    const copied = new SvgNode(stop.name, new Map(stop.attributes), node);
    copied.attributes.delete("id");
    const offset = Math.min(1, Math.max(0, share(stop.attributes.get("offset") ?? "0")));
    copied.attributes.set("offset", String((focalRadius + offset * (r - focalRadius)) / r));
    return copied;
  });
  return () => {
    const values = { cx: x, cy: y, r, fx: fx - (x - fx) * tip, fy: fy - (y - fy) * tip };
    for (const [name, value] of Object.entries(values)) node.attributes.set(name, String(value));
    node.children = stops;
  };
}

function* chain(node: SvgNode, ids: Ids): Generator<SvgNode> {
  const seen = new Set<SvgNode>();
  for (let at: SvgNode | undefined = node; at && !seen.has(at); at = ids.targetOf(at)) {
    seen.add(at);
    yield at;
  }
}

function inherited(node: SvgNode, name: string, ids: Ids): string | undefined {
  for (const { attributes } of chain(node, ids)) {
    const value = attributes.get(name);
    if (value !== undefined) return value.trim();
  }
  return undefined;
}

/** Returns the stops, each of which is copied. Many gradients may refer to one with many. */
function stopsOf(node: SvgNode, ids: Ids, work: Work): SvgNode[] {
  for (const at of chain(node, ids)) {
    work.spend(at.children.length * PRICES.copied);
    const stops = at.elements.filter(({ name }) => name === "stop");
    if (stops.length > 0) return stops;
  }
  return [];
}

/** Reads a number, or a percentage as a share of 1. */
function share(text: string): number {
  const value = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (!Number.isFinite(value)) throw new Unresolved("it has a gradient with a focal radius");
  return value;
}
