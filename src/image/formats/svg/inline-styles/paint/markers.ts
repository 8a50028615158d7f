/**
 * Writes out markers of SVG 2: `auto-start-reverse`, and `context-fill` and `context-stroke`, which are the paints of
 * the line that has the marker. Each such line gets a marker of its own with these values.
 */
import { inOrder, SvgNode } from "../cascade/tree.ts";
import { Unresolved } from "../values/unresolved.ts";

export interface Painted {
  node: SvgNode;
  fill: string;
  stroke: string;
  /** The markers in force, inherited or its own, by property. */
  markers: ReadonlyMap<string, string>;
}

const LINES = new Set(["path", "line", "polyline", "polygon"]);
const CONTEXT = /^context-(fill|stroke)$/;
const REFERENCE = /^url\(\s*"?#([^")]*)"?\s*\)$/;
const REVERSED = "auto-start-reverse";

/**
 * Changes the tree of `root`, in which all other styles are attributes already.
 * @throws Unresolved when that would add more than `elementsMax` elements
 */
export function writeMarkersOut(root: SvgNode, painted: readonly Painted[], elementsMax: number): void {
  const nodes = inOrder(root);
  const markers = nodes.filter(({ name }) => name === "marker");
  const byId = new Map(markers.map((marker) => [marker.attributes.get("id"), marker]));
  const contextual = new Set(markers.filter(usesContext));
  const special = new Set(markers.filter((marker) => isReversed(marker) || contextual.has(marker)));
  const sizes = new Map([...special].map((marker) => [marker, inOrderOf(marker).length]));
  const written = new Map<string, string>();
  let added = 0;
  const ids = new Set(nodes.map(({ attributes }) => attributes.get("id")));

  for (const { node, fill, stroke, markers: inForce } of painted) {
    if (special.size === 0 || !LINES.has(node.name)) continue;
    for (const [property, reference] of inForce) {
      const marker = byId.get(REFERENCE.exec(reference)?.[1]);
      if (!marker || !special.has(marker)) continue;
      const turns = isReversed(marker) && property === "marker-start";
      const paints = contextual.has(marker) ? [fill, stroke] : [];
      const key = JSON.stringify([reference, turns, ...paints]);
      let id = written.get(key);
      if (id === undefined) {
        added += sizes.get(marker) ?? 0;
        if (added > elementsMax) throw new Unresolved("it has markers in too many colours");
        id = newId(ids, marker.attributes.get("id") ?? "marker");
        written.set(key, id);
        addCopy(marker, id, turns, { fill, stroke });
      }
      node.attributes.set(property, `url(#${id})`);
    }
  }
  for (const marker of special) settle(marker, { fill: "none", stroke: "none" });
}

const isReversed = ({ attributes }: SvgNode): boolean => attributes.get("orient") === REVERSED;

const usesContext = (marker: SvgNode): boolean =>
  inOrderOf(marker).some(({ attributes }) =>
    ["fill", "stroke"].some((name) => CONTEXT.test(attributes.get(name) ?? "")),
  );

const inOrderOf = (node: SvgNode): SvgNode[] => [node, ...node.elements.flatMap(inOrderOf)];

function newId(ids: Set<string | undefined>, stem: string): string {
  const plain = stem.replace(/[^\w.:-]/g, "_");
  for (let n = ids.size; ; n++) {
    const id = `${plain}-${n}`;
    if (ids.has(id)) continue;
    ids.add(id);
    return id;
  }
}

interface Paints {
  fill: string;
  stroke: string;
}

function addCopy(marker: SvgNode, id: string, turns: boolean, paints: Paints): void {
  const { parent } = marker;
  const copied = marker.copy(parent);
  copied.attributes.set("id", id);
  settle(copied, paints);
  if (turns) turnRound(copied);
  parent?.children.splice(parent.children.indexOf(marker) + 1, 0, copied);
}

function settle(marker: SvgNode, paints: Paints): void {
  if (isReversed(marker)) marker.attributes.set("orient", "auto");
  for (const { attributes } of inOrderOf(marker)) {
    for (const name of ["fill", "stroke"]) {
      const [, paint] = CONTEXT.exec(attributes.get(name) ?? "") ?? [];
      if (paint) attributes.set(name, paints[paint as keyof Paints]);
    }
  }
}

/** Puts the content of the marker, clipped as before, into a group that is rotated by 180 degrees. */
function turnRound(marker: SvgNode): void {
  const { attributes } = marker;
  const inner = new SvgNode("svg", new Map(), null);
  inner.children = marker.children;
  const box =
    attributes
      .get("viewBox")
      ?.trim()
      .split(/[\s,]+/) ?? [];
  const [x, y, width, height] =
    box.length === 4
      ? box
      : ["0", "0", attributes.get("markerWidth") ?? "3", attributes.get("markerHeight") ?? "3"];
  for (const [name, value] of Object.entries({ x, y, width, height }))
    inner.attributes.set(name, value ?? "0");
  inner.attributes.set("viewBox", `${x} ${y} ${width} ${height}`);
  inner.attributes.set("overflow", attributes.get("overflow") ?? "hidden");
  attributes.set("overflow", "visible");
  const turn = `rotate(180 ${attributes.get("refX") ?? 0} ${attributes.get("refY") ?? 0})`;
  const group = new SvgNode("g", new Map([["transform", turn]]), marker);
  group.children = [inner];
  marker.children = [group];
}
