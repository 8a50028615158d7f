/** Commands for cards: pictures and components that stand in the text. */
import { NodeSelection, Selection, type Command, type EditorState } from "prosemirror-state";
import type { ObjectBlock } from "../portable-text.ts";
import { NODES, objectOf } from "../schema.ts";
import type { Placed } from "./blocks.ts";

/** Inserts a picture or a component after the block of the cursor, in place of an empty one. */
export const insertObject =
  (value: ObjectBlock): Command =>
  (state, dispatch) => {
    if (!dispatch) return true;
    const { tr, doc, selection } = state;
    const { $to } = selection;
    const index = Math.min($to.index(0), doc.childCount - 1);
    const block = doc.child(index);
    const at = doc.children.slice(0, index).reduce((sum, { nodeSize }) => sum + nodeSize, 0);
    const card = NODES.card.create({ value });
    const isEmpty = block.type === NODES.textBlock && block.content.size === 0;
    const place = isEmpty ? at : at + block.nodeSize;
    if (isEmpty) tr.replaceWith(at, at + block.nodeSize, card);
    else tr.insert(place, card);
    const after = place + card.nodeSize;
    // There is always a line to write on below.
    if (after === tr.doc.content.size) tr.insert(after, NODES.textBlock.create());
    tr.setSelection(NodeSelection.create(tr.doc, place));
    dispatch(tr.scrollIntoView());
    return true;
  };

/** Returns the selected card. */
export const selectedCard = ({ selection }: EditorState): Placed | null =>
  selection instanceof NodeSelection && selection.node.type === NODES.card
    ? { node: selection.node, at: selection.from }
    : null;

/** Puts the cursor at an end of the document if a card is selected: the browser does it for text alone. */
export const leaveCard =
  (end: "start" | "end"): Command =>
  (state, dispatch) => {
    if (!selectedCard(state)) return false;
    const selection = end === "start" ? Selection.atStart(state.doc) : Selection.atEnd(state.doc);
    dispatch?.(state.tr.setSelection(selection).scrollIntoView());
    return true;
  };

/** Replaces the object of a card. */
export const changeCard =
  (at: number, value: ObjectBlock): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(at);
    if (node?.type !== NODES.card) return false;
    dispatch?.(state.tr.setNodeAttribute(at, "value", { ...value, _key: objectOf(node)._key }));
    return true;
  };

export const removeCard =
  (at: number): Command =>
  (state, dispatch) => {
    const node = state.doc.nodeAt(at);
    if (node?.type !== NODES.card) return false;
    const { tr } = state;
    if (state.doc.childCount === 1) tr.replaceWith(at, at + node.nodeSize, NODES.textBlock.create());
    else tr.delete(at, at + node.nodeSize);
    dispatch?.(tr);
    return true;
  };
