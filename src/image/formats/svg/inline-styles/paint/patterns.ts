/**
 * Enlarges the tiles of patterns. The renderer draws a tile once, on whole pixels, and repeats that: small tiles drift
 * away from where they belong. A tile that holds several copies of itself drifts by as much less.
 */
import { inOrder, SvgNode } from "../cascade/tree.ts";
import { Unresolved } from "../values/unresolved.ts";
import { PRICES, type Work } from "../../work/work.ts";

/** Elements that have others drawn several times. */
const REPEATING = new Set(["use", "marker"]);
/** The most elements that are drawn if everything is painted with an enlarged pattern. */
const DRAWN_MAX = 200_000;
const NUMBER = /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?(?:px)?$/i;
/** Tiles grow to about this share of the view. */
const SHARE = 1 / 5;
/** Smaller tiles, as shares of the view, are a few pixels on most pictures, where whole pixels show. */
const SMALLEST_SHARE = 1 / 120;
/** The most copies in a row. */
const COPIES_MAX = 12;
/** The most elements that the copies in a tile have together. */
const ELEMENTS_MAX = 600;

/**
 * @param side the longer side of the view, in user units
 * @throws Unresolved for tiles that are finer than pixels
 * @throws TooMuchWork
 */
export function enlargePatterns(root: SvgNode, side: number, work: Work): void {
  const nodes = inOrder(root);
  const newId = unusedIds(nodes);
  // Any element may be painted with the pattern. With references, there may be many more of them than nodes.
  const painted = nodes.some(({ name }) => REPEATING.has(name)) ? Infinity : nodes.length;
  for (const node of nodes) if (node.name === "pattern") enlarge(node, { side, newId, painted, work });
}

interface Context {
  side: number;
  newId: () => string;
  /** The most elements that may be painted with a pattern. */
  painted: number;
  work: Work;
}

function enlarge(pattern: SvgNode, { side, newId, painted, work }: Context): void {
  const { attributes } = pattern;
  const [width, height] = [read(attributes.get("width")), read(attributes.get("height"))];
  const isUser = attributes.get("patternUnits") === "userSpaceOnUse";
  const hasUnits = attributes.has("viewBox") || attributes.get("patternContentUnits") === "objectBoundingBox";
  // A pattern that another one refers to, or that refers to one, shares attributes or content with it.
  const isShared = attributes.has("href") || attributes.has("xlink:href");
  if (!isUser || hasUnits || isShared || width === null || height === null) return;
  if (Math.min(width, height) < SMALLEST_SHARE * side)
    throw new Unresolved("it has a pattern of very small tiles");
  const elements = inOrder(pattern).length;
  work.spend(elements * PRICES.asked);
  const most = Math.min(COPIES_MAX, Math.floor(Math.sqrt(ELEMENTS_MAX / elements)));
  const copies = (length: number): number => Math.max(1, Math.min(most, Math.floor((SHARE * side) / length)));
  const [across, down] = [copies(width), copies(height)];
  if (painted * elements * across * down > DRAWN_MAX) return;
  if (across * down === 1 || attributes.get("overflow") === "visible") return;
  work.spend((across + down) * PRICES.copied);
  const row = repeated(tileOf(pattern), across, [width, 0], newId());
  pattern.children = [repeated(row, down, [0, height], newId())];
  attributes.set("width", String(width * across));
  attributes.set("height", String(height * down));
}

/** Gives ids that no element has. */
function unusedIds(nodes: readonly SvgNode[]): () => string {
  const used = new Set(nodes.map(({ attributes }) => attributes.get("id")));
  let count = 0;
  return () => {
    while (used.has(`tile-${count}`)) count += 1;
    return `tile-${count++}`;
  };
}

/** Returns a group with `node` and copies of it, each moved by `step` from the one before. */
function repeated(node: SvgNode, count: number, [x, y]: [number, number], id: string): SvgNode {
  node.attributes.set("id", id);
  const group = new SvgNode("g", new Map(), null);
  group.children = [node];
  for (let at = 1; at < count; at++) {
    const place = `translate(${x * at} ${y * at})`;
    group.children.push(
      new SvgNode("use", new Map(Object.entries({ href: `#${id}`, transform: place })), group),
    );
  }
  return group;
}

/** Returns the content of a pattern, cut off at the bounds of its tile as patterns are. */
function tileOf({ attributes, children }: SvgNode): SvgNode {
  const [x = "", y = "", width = "", height = ""] = ["x", "y", "width", "height"].map((side) =>
    String(Number.parseFloat(attributes.get(side) ?? "0")),
  );
  const place = { x, y, width, height, viewBox: `${x} ${y} ${width} ${height}` };
  const tile = new SvgNode("svg", new Map(Object.entries(place)), null);
  tile.children = children;
  return tile;
}

const read = (text: string | undefined): number | null => {
  const value = text !== undefined && NUMBER.test(text) ? Number.parseFloat(text) : 0;
  return value > 0 ? value : null;
};
