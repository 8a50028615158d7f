/** Finds out what the builder draws of a stored drawing, and what that takes. */
import { SVG } from "../../../../limits.ts";
import type { DrawnWork, SvgFacts } from "../../../model/facts.ts";
import { drawingCost } from "./complexity.ts";
import { byId, type CostedElement } from "./costed-element.ts";
import type { Verdict } from "./drawability.ts";
import { costedTree } from "./drawn-tree.ts";
import { DrawnWorkCounter } from "./drawn-work.ts";
import { SvgRejectedError } from "../errors.ts";
import { facesWeight } from "../css/font-faces.ts";
import { restyled, Unresolved } from "../inline-styles/inline-styles.ts";
import type { Box } from "../outline.ts";
import type { DrawingSize } from "../size.ts";
import { TooMuchWork, Work } from "./work.ts";

export interface Stored extends Verdict {
  document: string;
  root: CostedElement;
  /** Elements that are drawn. */
  elements: number;
  size: DrawingSize;
}

type DrawnFacts = Pick<SvgFacts["drawing"], "undrawable" | "restyledBytes" | "faces" | "elements" | "work">;

export function drawnFacts(stored: Stored, work: Work): DrawnFacts {
  const { document, elements, undrawable, mustBeWritten } = stored;
  const asItIs = { undrawable, restyledBytes: null, faces: facesWeight(document) };
  if (undrawable !== null) return { ...asItIs, elements: Math.ceil(elements) };
  if (!mustBeWritten) return { ...asItIs, ...countedWork(storedTree(stored), work) };
  try {
    const drawn = restyled(document, null, work);
    const restyledBytes = new TextEncoder().encode(drawn).length;
    const counted = countedWork(costedTree(drawn, work), work);
    return { undrawable, restyledBytes, faces: facesWeight(drawn), ...counted };
  } catch (error) {
    if (!(error instanceof Unresolved || error instanceof SvgRejectedError)) throw error;
    return { ...asItIs, undrawable: error.message, elements: Math.ceil(elements) };
  }
}

/**
 * The facts of a drawing that is written out as `drawn`. Its strokes that do not scale are wider or narrower at some
 * sizes than at its own, for which its work was counted.
 * @throws SvgRejectedError when it is too complex
 */
export function factsAsDrawn(facts: SvgFacts, drawn: string): SvgFacts {
  const work = new Work(drawn.length);
  const counted = countedWork(costedTree(drawn, work), work);
  return { ...facts, drawing: { ...facts.drawing, ...counted } };
}

/** The price of following one element to where it is drawn. */
const VISIT_UNITS = 40;

type Counted = Pick<DrawnFacts, "elements" | "work"> & { undrawable?: string };

interface Tree {
  root: CostedElement;
  /** The part of it that fills the canvas. */
  view: Box;
}

const storedTree = ({ root, size: { width, height } }: Stored): Tree => ({
  root,
  view: root.look.viewBox ?? { left: 0, top: 0, right: width, bottom: height },
});

/** Counts the work of the tree that is drawn. */
function countedWork({ root, view }: Tree, work: Work): Counted {
  const elements = Math.ceil(drawingCost(root).elements);
  try {
    if (elements > SVG.followedElementsMax) return { elements, undrawable: TOO_MANY };
    work.spend(elements * VISIT_UNITS);
  } catch (error) {
    if (error instanceof TooMuchWork) return { elements, undrawable: TOO_MANY };
    throw error;
  }
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
