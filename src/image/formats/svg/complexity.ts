/**
 * What a drawing costs to draw, from its tree and the references in it, never by drawing it
 * (RULES 6.4: excessive complexity).
 *
 * Every figure is an upper bound: an element that a style sheet may match is taken to be matched.
 */
import { SVG } from "../../../limits.ts";
import { holdTo, SvgRejectedError } from "./errors.ts";

/** An element as far as its cost goes. */
export interface CostedElement {
  name: string;
  id: string | null;
  children: CostedElement[];
  /** What it counts for itself, in elements. */
  weight: number;
  /** Ids of what is drawn once for it. */
  references: Set<string>;
  /** Ids of what is drawn at each of its corners. */
  markers: Set<string>;
  /** What style sheets add to it, shared by all elements that they add it to. */
  styles: StyleCost[];
  corners: number;
  /** Whether it is drawn apart and then laid over what is below: opacity, mask, clip, filter, blending. */
  isLayer: boolean;
  /** Of a filter: its primitives, weighted by what they cost. */
  passes: number;
  /** Of a filter: results that are held at once. */
  results: number;
  imagePixels: number;
  /** How much larger it draws what is in it. */
  scale: number;
}

/** What the rules of a style sheet that name a class, an id or a type add to an element. */
export interface StyleCost {
  /** In the guise of an element, so that what it refers to is measured once. */
  once: CostedElement;
  perCorner: CostedElement;
  /** As of the element that it is added to. */
  isLayer: boolean;
  scale: number;
}

export interface DrawingCost {
  /** Elements drawn, references followed. */
  elements: number;
  /** Pictures of up to the whole size that are held at once, the drawing itself not counted. */
  layers: number;
  /** Filter primitives run, weighted. */
  passes: number;
  imagePixels: number;
  scale: number;
}

type Measured = DrawingCost & { nesting: number };

const NOTHING: Measured = { elements: 0, layers: 0, passes: 0, imagePixels: 0, scale: 1, nesting: 0 };

/**
 * Follows every reference, so that a drawing of a few lines that unfolds to millions is seen for what it is.
 * @throws SvgRejectedError for a drawing over the limits, or one that refers to itself
 */
export function drawingCost(root: CostedElement): DrawingCost {
  const targets = byId(root);
  const known = new Map<CostedElement, Measured | null>();

  const measure = (element: CostedElement): Measured => {
    const before = known.get(element);
    if (before) return before;
    if (before === null) throw new SvgRejectedError(`the element ${element.name} refers to itself`);
    known.set(element, null);
    let sum: Measured = { ...NOTHING, elements: element.weight, imagePixels: element.imagePixels };
    for (const child of element.children) sum = add(sum, measure(child), 1);
    for (const id of element.references) sum = add(sum, measureId(id), 1);
    for (const id of element.markers) sum = add(sum, measureId(id), element.corners);
    for (const { once, perCorner, scale } of element.styles) {
      sum = add(add(sum, measure(once), 1), measure(perCorner), element.corners);
      sum.scale *= scale;
    }
    sum.passes += element.passes;
    sum.layers += (isLayer(element) ? 1 : 0) + element.results;
    sum.scale *= element.scale;
    assertLimits(sum);
    known.set(element, sum);
    return sum;
  };
  // All that share an id, once: thousands of elements may refer to thousands.
  const byTarget = new Map<string, Measured>();
  const measureId = (id: string): Measured => {
    const before = byTarget.get(id);
    if (before) return before;
    let sum = NOTHING;
    for (const target of targets.get(id) ?? []) {
      const measured = measure(target);
      sum = add(sum, { ...measured, nesting: measured.nesting + 1 }, 1);
    }
    byTarget.set(id, sum);
    return sum;
  };
  return measure(root);
}

const isLayer = (element: CostedElement): boolean =>
  element.isLayer || element.styles.some((style) => style.isLayer);

function add(a: Measured, b: Measured, times: number): Measured {
  return {
    elements: a.elements + b.elements * times,
    layers: Math.max(a.layers, b.layers),
    passes: a.passes + b.passes * times,
    imagePixels: a.imagePixels + b.imagePixels * times,
    scale: Math.max(a.scale, b.scale),
    nesting: Math.max(a.nesting, b.nesting),
  };
}

function assertLimits(cost: Measured): void {
  holdTo(SVG.drawnElementsMax, cost.elements, "elements to be drawn once its references are followed");
  holdTo(SVG.referencesNestedMax, cost.nesting, "references nested in one another");
  holdTo(SVG.filterPassesMax, cost.passes, "filter primitives to be run");
  holdTo(SVG.embeddedDrawnMaxPixels, cost.imagePixels, "pixels of embedded images to be drawn");
}

/** Elements by their id: all of those that share one, since renderers differ in which they take. */
function byId(root: CostedElement): Map<string, CostedElement[]> {
  const found = new Map<string, CostedElement[]>();
  const visit = (element: CostedElement): void => {
    if (element.id !== null) {
      const same = found.get(element.id);
      if (same) same.push(element);
      else found.set(element.id, [element]);
    }
    element.children.forEach(visit);
  };
  visit(root);
  return found;
}
