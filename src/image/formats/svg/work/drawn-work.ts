/**
 * Counts what a renderer does to draw a drawing, at any size: how many lines it makes, how many rows they cross, how
 * often it paints the canvas. Elements are followed to where they are drawn, with their transforms.
 */
import { AROUND, AROUND_SIDE, areaOf, CANVAS, grown, isApart, LAYERS, union } from "../geometry/boxes.ts";
import type { DrawnWork } from "../../../model/facts.ts";
import type { CostedElement } from "./costed-element.ts";
import { type Inherited, inheritedBy, START } from "../geometry/inherited.ts";
import { type Look, outlineOf, type Paint } from "../geometry/look.ts";
import {
  after,
  IDENTITY,
  type Matrix,
  moving,
  reachOf,
  scaling,
  sharesOf,
  transformed,
} from "../geometry/matrix.ts";
import type { Box, Outline } from "../geometry/outline.ts";

interface Visit {
  ctm: Matrix;
  from: Inherited;
  /** Whether it is drawn to a layer, which may be up to five canvases wide and high. */
  isInLayer: boolean;
  /** The number of times that it is drawn like this. */
  times: number;
}

/** tiny-skia gives up dashing above this number of dashes per path. */
const DASHES_MAX = 1_000_000;
/** The cost of a layer's part outside the canvas, as a share of the cost inside. */
const UNSEEN_SHARE = 0.1;
const EDGES_PER_DASH = 4;
const EDGES_PER_LETTER = 40;
/** The share of the area around a path that a miter may take, in widths of the stroke. */
const MITER_WIDTHS = 2;
/** Rows that the lines of a letter cross, in sizes of the font. */
const ROWS_PER_LETTER = 8;
/** The filter region where none is stated: ten per cent more on each side. */
const REGION = { x: -0.1, y: -0.1, width: 1.2, height: 1.2 };
/** The height of a flat outline, as a share of the canvas. */
const LEAST_HEIGHT = 1e-3;
const NOT_DRAWN = new Set(
  "defs symbol marker pattern mask clipPath filter linearGradient radialGradient style title desc".split(" "),
);
const VIEWPORTS = new Set(["svg", "symbol", "marker"]);

export class DrawnWorkCounter {
  readonly work: DrawnWork = {
    edges: 0,
    letters: 0,
    dashes: 0,
    rows: 0,
    columns: 0,
    crossings: 0,
    plain: 0,
    shaded: 0,
    layered: 0,
    filtered: 0,
    morphed: 0,
    images: 0,
    decoded: 0,
  };
  readonly #targets: ReadonlyMap<string, CostedElement[]>;
  readonly #view: Box;
  /** The elements that are drawn to a layer, by whether any of their layers lies where the renderer can draw it. */
  readonly #layers = new Map<CostedElement, boolean>();

  /** @param view what of the drawing fills the canvas */
  constructor(targets: ReadonlyMap<string, CostedElement[]>, view: Box) {
    this.#targets = targets;
    this.#view = view;
  }

  /** The elements whose layers the renderer cannot draw, because they lie too far outside the canvas. */
  get unseenLayers(): CostedElement[] {
    return [...this.#layers].filter(([, isSeen]) => !isSeen).map(([element]) => element);
  }

  /** Counts the drawing with this root. References must not lead to themselves. */
  count(root: CostedElement): DrawnWork {
    const { left, top, right, bottom } = this.#view;
    const ctm = after(scaling(1 / (right - left), 1 / (bottom - top)), moving(-left, -top));
    this.#children(root, { ctm, from: inheritedBy(root, START), isInLayer: false, times: 1 });
    return this.work;
  }

  #visit(element: CostedElement, visit: Visit): Box | null {
    const from = inheritedBy(element, visit.from);
    const isLayer = element.isLayer || element.styles.some((style) => style.isLayer);
    const scale = element.styles.reduce((product, style) => product * style.scale, 1);
    const own = element.look.matrix ?? IDENTITY;
    const ctm = after(visit.ctm, scale === 1 ? own : after(scaling(scale), own));
    const inner = { ...visit, ctm, from, isInLayer: visit.isInLayer || isLayer };
    let box = union(this.#shape(element, inner), this.#children(element, inner));
    // A scale by a style moves to where nobody knows.
    if (scale !== 1 && box) box = AROUND;
    const area = box ? areaOf(box, AROUND) : 0;
    this.#references(element, inner, box ?? CANVAS);
    if (isLayer && box) this.#addLayerOf(element, box, visit.times);
    const passes = element.styles.reduce((sum, { once }) => sum + once.passes, element.passes);
    this.work.filtered += visit.times * passes * Math.max(area, areaOf(CANVAS, CANVAS));
    return box;
  }

  #addLayerOf(element: CostedElement, box: Box, times: number): void {
    this.#layers.set(element, (this.#layers.get(element) ?? false) || !isApart(box, LAYERS));
    this.#addLayer(box, times);
  }

  /** Adds a layer, of which only the part on the canvas is composed. */
  #addLayer(box: Box, times: number): void {
    const seen = areaOf(box, CANVAS);
    this.work.layered += times * (seen + UNSEEN_SHARE * (areaOf(box, AROUND) - seen));
  }

  #children(element: CostedElement, visit: Visit): Box | null {
    let box: Box | null = null;
    for (const child of element.children) {
      if (NOT_DRAWN.has(child.name)) continue;
      const inner = child.name === "svg" ? { ...visit, ctm: this.#within(child, visit.ctm, null) } : visit;
      box = union(box, this.#visit(child, inner));
    }
    return box;
  }

  /** Adds the element's own outline or text, filled and stroked. */
  #shape(element: CostedElement, { ctm, from, isInLayer, times }: Visit): Box | null {
    const { work } = this;
    const around = isInLayer ? AROUND : CANVAS;
    const rowsPerEdge = isInLayer ? AROUND_SIDE : 1;
    const add = (paint: Paint, box: Box, edges: number, rows: number): void => {
      if (paint === "none") return;
      work.edges += times * edges;
      const crossed = Math.min(rows, rowsPerEdge * edges);
      work.rows += times * crossed;
      work.crossings +=
        times * crossed * Math.min(edges, crossed / Math.max(box.bottom - box.top, LEAST_HEIGHT));
      work[paint] += times * areaOf(box, around);
    };
    if (element.look.characters > 0) {
      const { characters } = element.look;
      const size = from.fontSize * Math.hypot(ctm[1], ctm[3]);
      work.letters += times * characters;
      const line = { ...CANVAS, bottom: size };
      add("plain", line, EDGES_PER_LETTER * characters, ROWS_PER_LETTER * size * characters);
      return CANVAS;
    }
    const outline = outlineOf(element.name, element.look, this.#view);
    if (!outline || outline.box.right < outline.box.left) return null;
    const box = transformed(ctm, outline.box);
    if (element.name === "image") {
      work.images += times * areaOf(box, around);
      work.decoded += times * element.imagePixels;
      return box;
    }
    add(from.fill, box, outline.edges, reachOf(outline, ctm).rows);
    if (from.stroke === "none") return box;
    return this.#stroke(outline, { ctm, from, isInLayer, times }, add);
  }

  #stroke(
    outline: Outline,
    { ctm, from, isInLayer, times }: Visit,
    add: (paint: Paint, box: Box, edges: number, rows: number) => void,
  ): Box {
    const width = from.strokeWidth;
    const dashes = Math.min(DASHES_MAX, (outline.length * from.dashes.count) / from.dashes.length / 2);
    const inflated = transformed(ctm, grown(outline.box, MITER_WIDTHS * width));
    const { rows, columns } = reachOf(outline, ctm);
    // The ends of each line or dash cross as many rows as the stroke is wide.
    const across = width * Math.hypot(ctm[1], ctm[3]);
    const ends = dashes > 0 ? dashes : outline.edges;
    this.work.dashes += times * dashes;
    this.work.columns += times * Math.min(columns, (isInLayer ? AROUND_SIDE : 1) * outline.edges);
    const edges = 2 * outline.edges + (dashes > 0 ? EDGES_PER_DASH * dashes : 2 * outline.edges);
    add(from.stroke, inflated, edges, 2 * rows + 2 * ends * Math.min(1, across));
    return inflated;
  }

  /** Walks what the element refers to, drawn at its place. */
  #references(element: CostedElement, visit: Visit, box: Box): void {
    const { times } = visit;
    for (const [property, id] of element.uses.concat(...element.styles.map(({ once }) => once.uses))) {
      for (const target of this.#targets.get(id) ?? []) {
        if (target.name.endsWith("Gradient")) continue;
        if (property === "href") this.#use(element, target, visit);
        else if (property === "filter") this.#filter(target, visit, box);
        else if (property.startsWith("marker")) this.#marker(element, target, visit);
        else this.#content(property, target, { ...visit, isInLayer: true, times }, box);
      }
    }
    for (const { perCorner } of element.styles)
      for (const [, id] of perCorner.uses)
        for (const target of this.#targets.get(id) ?? []) this.#marker(element, target, visit);
  }

  #use(element: CostedElement, target: CostedElement, visit: Visit): void {
    if (element.name !== "use") return;
    const [x, y] = [numberOf(element.look, "x"), numberOf(element.look, "y")];
    const ctm = after(visit.ctm, moving(x, y));
    const placed = VIEWPORTS.has(target.name) ? this.#within(target, ctm, element.look) : ctm;
    const box = this.#visit(target, { ...visit, ctm: placed });
    if (element.isLayer && box) this.#addLayerOf(element, box, visit.times);
  }

  /** Adds a pattern, a mask or a clip: its content, and the layer that it is drawn to. */
  #content(property: string, target: CostedElement, visit: Visit, box: Box): void {
    const { look, name } = target;
    const own = look.matrix ?? IDENTITY;
    const isOfBox = look.inBox.has(name === "clipPath" ? "clipPathUnits" : `${name}ContentUnits`);
    // The units of a tile with a viewBox depend on its size: one of them counts as the canvas.
    const isOfTile = name === "pattern" && look.viewBox !== null;
    const ctm = isOfTile ? IDENTITY : after(isOfBox ? sharesOf(box) : visit.ctm, own);
    if (NOT_DRAWN.has(target.name) && target.children.length > 0) {
      this.#children(target, { ...visit, ctm, from: START });
      this.#addLayer(box, visit.times);
      if (property === "mask") this.#addLayer(box, visit.times);
    }
    this.#references(target, visit, box);
  }

  #marker(element: CostedElement, target: CostedElement, visit: Visit): void {
    const { look } = target;
    const width = look.inUserSpace.has("markerUnits") ? 1 : visit.from.strokeWidth;
    const { left, top, right, bottom } = look.viewBox ?? { left: 0, top: 0, right: 3, bottom: 3 };
    const [across, down] = [numberOf(look, "markerWidth", 3), numberOf(look, "markerHeight", 3)];
    const scale = look.viewBox ? Math.max(across / (right - left), down / (bottom - top)) : 1;
    const ctm = after(visit.ctm, scaling(scale * width));
    // Where the corners are does not matter, as long as it is on the canvas.
    const placed = after(moving(0.25 - ctm[4], 0.25 - ctm[5]), after(ctm, moving(-left, -top)));
    this.#visit(target, { ...visit, ctm: placed, from: START, times: visit.times * element.corners });
  }

  #filter(target: CostedElement, { ctm, times }: Visit, box: Box): void {
    const { look } = target;
    const primitives = target.children.flatMap((child) => [child, ...child.children]);
    const passes = primitives.reduce((sum, primitive) => sum + primitive.passes, 0);
    const [x, y] = [numberOf(look, "x", REGION.x), numberOf(look, "y", REGION.y)];
    const [width, height] = [numberOf(look, "width", REGION.width), numberOf(look, "height", REGION.height)];
    const region: Box = { left: x, top: y, right: x + width, bottom: y + height };
    const place = transformed(look.inUserSpace.has("filterUnits") ? ctm : sharesOf(box), region);
    const area = times * areaOf(place, AROUND);
    this.work.filtered += passes * area;
    this.work.morphed += area * target.children.filter((child) => child.name === "feMorphology").length;
    this.#addLayer(place, times);
  }

  /** Returns the transform inside an `svg`, or inside a `symbol` at the place of a `use`. */
  #within({ look, name }: CostedElement, ctm: Matrix, use: Look | null): Matrix {
    const { left, top, right, bottom } = this.#view;
    const side = (of: "width" | "height", whole: number): number => {
      const found = use?.numbers.get(of) ?? look.numbers.get(of);
      return found ? found.value * (found.isShare ? whole : 1) : whole;
    };
    const [width, height] = [side("width", right - left), side("height", bottom - top)];
    const placed = name === "svg" ? after(ctm, moving(numberOf(look, "x"), numberOf(look, "y"))) : ctm;
    if (!look.viewBox) return placed;
    const box = look.viewBox;
    const [across, down] = [width / (box.right - box.left), height / (box.bottom - box.top)];
    return after(after(placed, scaling(Math.max(across, down))), moving(-box.left, -box.top));
  }
}

const numberOf = (look: Look, name: string, missing = 0): number => look.numbers.get(name)?.value ?? missing;
