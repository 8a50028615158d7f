/** An element of a drawing, as far as its cost depends on it. */
import type { Look } from "../geometry/look.ts";

/** The properties of an element that determine its cost. */
export interface CostedElement {
  name: string;
  id: string | null;
  children: CostedElement[];
  /** The cost of the element itself, in elements. */
  weight: number;
  /** The properties that its work depends on, and the ids that it refers to, by property. */
  look: Look;
  uses: [property: string, id: string][];
  /** Ids of elements that are drawn once for it. */
  references: Set<string>;
  /** Ids of elements that are drawn at each of its corners. */
  markers: Set<string>;
  /** Costs that style sheets add to it. All elements that a rule may match share the same object. */
  styles: StyleCost[];
  corners: number;
  /** Whether it is drawn to a picture of its own, which is then composed: opacity, mask, clip, filter, blending. */
  isLayer: boolean;
  /** For a filter: its primitives, weighted by their cost. */
  passes: number;
  /** For a filter: results that exist at the same time. */
  results: number;
  imagePixels: number;
  /** By which factor it enlarges its content. */
  scale: number;
}

/** The cost that the rules for one class, id or type add to an element. */
export interface StyleCost {
  /** Represented as an element, so that its references are measured only once. */
  once: CostedElement;
  perCorner: CostedElement;
  /** Whether the rules make the element a layer. */
  isLayer: boolean;
  scale: number;
}

/**
 * Returns elements by id. If several share an id, all of them count, because renderers differ in which one they use.
 */
export function byId(root: CostedElement): Map<string, CostedElement[]> {
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
