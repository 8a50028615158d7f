/** Finds out what the builder draws of a stored drawing, and what that takes. */
import { SVG } from "../../../limits.ts";
import type { DrawnWork, SvgFacts } from "../../model/facts.ts";
import { drawingCost } from "./complexity.ts";
import { byId, type CostedElement } from "./costed-element.ts";
import { costedTree } from "./drawn-tree.ts";
import { DrawnWorkCounter } from "./drawn-work.ts";
import { SvgRejectedError } from "./errors.ts";
import { facesOf } from "./font-faces.ts";
import { restyled, Unresolved } from "./inline-styles/inline-styles.ts";
import type { DrawingSize } from "./size.ts";
import { TooMuchWork, type Work } from "./work.ts";

export interface Stored {
  document: string;
  root: CostedElement;
  /** Elements that are drawn. */
  elements: number;
  size: DrawingSize;
  /** Why the builder cannot draw it; null if it can. */
  undrawable: string | null;
  /** Whether it can be drawn only with its styles written out, or is drawn better so. */
  needsInlineStyles: boolean;
  hasUnsupportedDetail: boolean;
}

type DrawnFacts = Pick<SvgFacts["drawing"], "undrawable" | "restyledBytes" | "faces" | "elements" | "work">;

export function drawnFacts(stored: Stored, work: Work): DrawnFacts {
  const { document, elements, undrawable, needsInlineStyles, hasUnsupportedDetail } = stored;
  const asItIs = { undrawable, restyledBytes: null, faces: facesOf(document).length };
  if (undrawable !== null) return { ...asItIs, elements: Math.ceil(elements) };
  if (!needsInlineStyles && !hasUnsupportedDetail)
    return { ...asItIs, ...countedWork(stored, stored.root, work) };
  try {
    const drawn = restyled(document, work);
    const restyledBytes = new TextEncoder().encode(drawn).length;
    const counted = countedWork(stored, costedTree(drawn, work), work);
    return { undrawable, restyledBytes, faces: facesOf(drawn).length, ...counted };
  } catch (error) {
    if (!(error instanceof Unresolved || error instanceof SvgRejectedError)) throw error;
    if (!needsInlineStyles) return { ...asItIs, ...countedWork(stored, stored.root, work) };
    return { ...asItIs, undrawable: error.message, elements: Math.ceil(elements) };
  }
}

/** The price of following one element to where it is drawn. */
const VISIT_UNITS = 40;

/** Counts the work of the tree `root`, which is drawn in place of the stored one. */
function countedWork(
  { size, root: { look } }: Stored,
  root: CostedElement,
  work: Work,
): Pick<DrawnFacts, "elements" | "work"> & { undrawable?: string } {
  const elements = Math.ceil(drawingCost(root).elements);
  const { width, height } = size;
  try {
    if (elements > SVG.followedElementsMax) return { elements, undrawable: TOO_MANY };
    work.spend(elements * VISIT_UNITS);
  } catch (error) {
    if (error instanceof TooMuchWork) return { elements, undrawable: TOO_MANY };
    throw error;
  }
  const view = look.viewBox ?? { left: 0, top: 0, right: width, bottom: height };
  return { elements, work: rounded(new DrawnWorkCounter(byId(root), view).count(root)) };
}

const TOO_MANY = "it draws too many elements";

/** Numbers that JSON has, with as many digits as an estimate needs. */
function rounded(work: DrawnWork): DrawnWork {
  const entries = Object.entries<number>({ ...work }).map(([name, value]) => [
    name,
    Number.isFinite(value) ? Number(value.toPrecision(4)) : Number.MAX_SAFE_INTEGER,
  ]);
  return Object.fromEntries(entries) as DrawnWork;
}
