/**
 * Computes what a drawing costs to draw from its tree and its references, without drawing it (RULES 6.4: excessive
 * complexity).
 *
 * Every figure is an upper bound: an element that a style sheet may match is assumed to match.
 */
import { SVG } from "../../../../limits.ts";
import { byId, type CostedElement } from "./costed-element.ts";
import { holdTo, SvgRejectedError } from "../errors.ts";

export interface DrawingCost {
  /** Elements that are drawn; one that is referred to counts once per reference. */
  elements: number;
  /** Intermediate pictures, each at most as large as the drawing, that exist at the same time. */
  layers: number;
  /** Filter primitives that run, weighted by their cost. */
  passes: number;
  imagePixels: number;
  scale: number;
}

type Measured = DrawingCost & { nesting: number };

const nothing = (): Measured => ({ elements: 0, layers: 0, passes: 0, imagePixels: 0, scale: 1, nesting: 0 });

/**
 * Computes the cost with every reference followed, because a drawing of a few lines may expand to millions of elements.
 * @throws SvgRejectedError for a drawing over the limits, or one that refers to itself
 */
export function drawingCost(root: CostedElement): DrawingCost {
  const targets = byId(root);
  const known = new Map<CostedElement, Measured | null>();

  /** @param nesting references that lead to the element, one within the other: a chain of them is as deep as it is long */
  const measure = (element: CostedElement, nesting: number): Measured => {
    const before = known.get(element);
    if (before) return before;
    if (before === null) throw new SvgRejectedError(`the element ${element.name} refers to itself`);
    known.set(element, null);
    const sum = nothing();
    sum.elements = element.weight;
    sum.imagePixels = element.imagePixels;
    for (const child of element.children) add(sum, measure(child, nesting), 1);
    for (const id of element.references) add(sum, measureId(id, nesting + 1), 1);
    for (const id of element.markers) add(sum, measureId(id, nesting + 1), element.corners);
    for (const { once, perCorner, scale } of element.styles) {
      add(sum, measure(once, nesting), 1);
      add(sum, measure(perCorner, nesting), element.corners);
      sum.scale *= scale;
    }
    sum.passes += element.passes;
    sum.layers += (isLayer(element) ? 1 : 0) + element.results;
    sum.scale *= element.scale;
    assertLimits(sum);
    known.set(element, sum);
    return sum;
  };
  // The total of all elements with an id is computed once, because thousands of elements may refer to thousands.
  const byTarget = new Map<string, Measured>();
  const measureId = (id: string, nesting: number): Measured => {
    const before = byTarget.get(id);
    if (before) return before;
    holdToNesting(nesting);
    const sum = nothing();
    for (const target of targets.get(id) ?? []) {
      const measured = measure(target, nesting);
      add(sum, measured, 1);
      sum.nesting = Math.max(sum.nesting, measured.nesting + 1);
    }
    byTarget.set(id, sum);
    return sum;
  };
  return measure(root, 0);
}

const isLayer = (element: CostedElement): boolean =>
  element.isLayer || element.styles.some((style) => style.isLayer);

/** Adds a part of a drawing that is drawn so many times. The total is changed, because there may be 50,000 parts. */
function add(total: Measured, part: Measured, times: number): void {
  total.elements += part.elements * times;
  total.layers = Math.max(total.layers, part.layers);
  total.passes += part.passes * times;
  total.imagePixels += part.imagePixels * times;
  total.scale = Math.max(total.scale, part.scale);
  total.nesting = Math.max(total.nesting, part.nesting);
}

const holdToNesting = (nesting: number): void =>
  holdTo(
    SVG.referencesNestedMax,
    nesting,
    "references nested in one another; make them refer to less deep ones",
  );

function assertLimits(cost: Measured): void {
  holdTo(SVG.drawnElementsMax, cost.elements, "elements to be drawn once its references are followed");
  holdToNesting(cost.nesting);
  holdTo(SVG.filterPassesMax, cost.passes, "filter primitives to be run");
  holdTo(SVG.embeddedDrawnMaxPixels, cost.imagePixels, "pixels of embedded images to be drawn");
}
