/** Finds out the parts that the builder draws of a stored drawing, and the work of drawing them. */
import { SVG } from "../../../../limits.ts";
import type { DrawnWork, SvgFacts } from "../../../model/facts.ts";
import { drawingCost } from "./complexity.ts";
import { byId, type CostedElement } from "./costed-element.ts";
import type { Verdict } from "./drawability.ts";
import { costedTree, type DrawnTree } from "./drawn-tree.ts";
import { DrawnWorkCounter } from "./drawn-work.ts";
import { SvgRejectedError } from "../errors.ts";
import { facesWeight } from "../css/font-faces.ts";
import { restyledInPieces, Unresolved } from "../inline-styles/inline-styles.ts";
import type { DrawingSize } from "../size.ts";
import { inOnePiece, type InPieces, pauseIfDue } from "./pieces.ts";
import { PRICES, TooMuchWork, Work } from "./work.ts";

export interface Stored extends Verdict {
  document: string;
  root: CostedElement;
  /** Elements that are drawn. */
  elements: number;
  size: DrawingSize;
}

type DrawnFacts = Pick<SvgFacts["drawing"], "undrawable" | "restyledBytes" | "faces" | "elements" | "work">;

export function* drawnFacts(stored: Stored, work: Work): InPieces<DrawnFacts> {
  const { document, elements, undrawable, mustBeWritten } = stored;
  const asItIs = { undrawable, restyledBytes: null, faces: facesWeight(document) };
  if (undrawable !== null) return { ...asItIs, elements: Math.ceil(elements) };
  if (!mustBeWritten) {
    yield* pauseIfDue(work);
    const counted = countedWork(storedTree(stored), work);
    if (!counted.hasUnseenLayers) return { ...asItIs, ...counted.facts };
    yield* pauseIfDue(work);
  }
  try {
    const drawn = yield* restyledInPieces(document, null, work);
    const restyledBytes = new TextEncoder().encode(drawn).length;
    yield* pauseIfDue(work);
    const tree = yield* costedTree(drawn, work);
    yield* pauseIfDue(work);
    const counted = countedWork(tree, work).facts;
    return { undrawable, restyledBytes, faces: facesWeight(drawn), ...counted };
  } catch (error) {
    if (!(error instanceof Unresolved || error instanceof SvgRejectedError)) throw error;
    return { ...asItIs, undrawable: error.message, elements: Math.ceil(elements) };
  }
}

/**
 * Returns the facts of a drawing that is written out as `drawn`. Its strokes that do not scale are wider or narrower at
 * some sizes than at its own, for which its work was counted.
 * @throws SvgRejectedError when it is too complex
 */
export function factsAsDrawn(facts: SvgFacts, drawn: string): SvgFacts {
  const work = new Work(drawn.length);
  const counted = countedWork(inOnePiece(costedTree(drawn, work)), work).facts;
  return { ...facts, drawing: { ...facts.drawing, ...counted } };
}

interface Counted {
  facts: Pick<DrawnFacts, "elements" | "work"> & { undrawable?: string };
  /** Whether it must be written out without layers that the renderer fails on. */
  hasUnseenLayers: boolean;
}

const storedTree = ({ root, size: { width, height } }: Stored): DrawnTree => ({
  root,
  view: root.look.viewBox ?? { left: 0, top: 0, right: width, bottom: height },
});

/** Counts the work of the tree that is drawn. */
function countedWork({ root, view }: DrawnTree, work: Work): Counted {
  const elements = Math.ceil(drawingCost(root).elements);
  try {
    if (elements > SVG.followedElementsMax) return tooMany(elements);
    work.spend(elements * PRICES.visited);
  } catch (error) {
    if (error instanceof TooMuchWork) return tooMany(elements);
    throw error;
  }
  const counter = new DrawnWorkCounter(byId(root), view);
  const facts = { elements, work: rounded(counter.count(root)) };
  return { facts, hasUnseenLayers: counter.unseenLayers.length > 0 };
}

const tooMany = (elements: number): Counted => ({
  facts: { elements, undrawable: "it draws too many elements" },
  hasUnseenLayers: false,
});

/** Returns numbers that JSON has, with as many digits as an estimate needs. */
function rounded(work: DrawnWork): DrawnWork {
  const entries = Object.entries<number>({ ...work }).map(([name, value]) => [
    name,
    Number.isFinite(value) ? Number(value.toPrecision(4)) : Number.MAX_SAFE_INTEGER,
  ]);
  return Object.fromEntries(entries) as DrawnWork;
}
