/** Commands for blocks of text: the effects of the toolbar, the keys and the shortcuts on the document. */
import {
  chainCommands,
  createParagraphNear,
  deleteSelection,
  joinBackward,
  liftEmptyBlock,
  newlineInCode,
  selectNodeBackward,
  splitBlockAs,
} from "prosemirror-commands";
import type { Node } from "prosemirror-model";
import { NodeSelection, Selection, TextSelection, type Command, type EditorState } from "prosemirror-state";
import { LEVELS_MAX, NORMAL } from "../portable-text.ts";
import { attributesOf, NODES, type TextAttributes } from "../schema.ts";

export interface Placed {
  node: Node;
  at: number;
}

/** Returns the text blocks that the selection touches. */
export function textBlocksIn({ doc, selection }: EditorState): Placed[] {
  const blocks: Placed[] = [];
  doc.nodesBetween(selection.from, selection.to, (node, at) => {
    if (node.type === NODES.textBlock) blocks.push({ node, at });
    return false;
  });
  return blocks;
}

/** Puts the cursor to the beginning of the block at a place, and scrolls to it. */
export const goToBlock =
  (at: number): Command =>
  (state, dispatch) => {
    if (at >= state.doc.content.size) return false;
    const selection = Selection.near(state.doc.resolve(at + 1));
    dispatch?.(state.tr.setSelection(selection).scrollIntoView());
    return true;
  };

/** Sets attributes of the selected text blocks. */
const setBlocks =
  (to: (attributes: TextAttributes) => Partial<TextAttributes>): Command =>
  (state, dispatch) => {
    const blocks = textBlocksIn(state);
    if (blocks.length === 0) return false;
    if (!dispatch) return true;
    const { tr } = state;
    for (const { node, at } of blocks)
      tr.setNodeMarkup(at, null, { ...node.attrs, ...to(attributesOf(node)) }, node.marks);
    dispatch(tr.scrollIntoView());
    return true;
  };

export const setStyle = (style: string): Command => setBlocks(() => ({ style }));

/** Makes list items of the selected blocks, or paragraphs if all of them are such items. */
export const toggleList =
  (kind: string): Command =>
  (state, dispatch) => {
    const isAll = textBlocksIn(state).every(({ node }) => attributesOf(node).listItem === kind);
    return setBlocks(({ level }) =>
      isAll ? { listItem: null, level: null } : { listItem: kind, level: level ?? 1 },
    )(state, dispatch);
  };

/** Moves list items to another level. */
export const shiftLevel =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    const items = textBlocksIn(state).filter(({ node }) => attributesOf(node).listItem !== null);
    const canMove = items.some(({ node }) => {
      const level = (attributesOf(node).level ?? 1) + by;
      return level >= 1 && level <= LEVELS_MAX;
    });
    if (!canMove) return false;
    return setBlocks(({ listItem, level }) =>
      listItem === null ? {} : { level: Math.min(LEVELS_MAX, Math.max(1, (level ?? 1) + by)) },
    )(state, dispatch);
  };

/** Moves the selected card, or the block of the cursor, up or down. */
export const moveBlock =
  (by: 1 | -1): Command =>
  (state, dispatch) => {
    const { doc, selection, tr } = state;
    const from = selection.$from.index(0);
    const to = selection instanceof NodeSelection ? from : selection.$to.index(0);
    const other = by < 0 ? from - 1 : to + 1;
    if (other < 0 || other >= doc.childCount || from >= doc.childCount) return false;
    if (!dispatch) return true;
    const positions = doc.children.map((_, index) =>
      doc.children.slice(0, index).reduce((sum, { nodeSize }) => sum + nodeSize, 0),
    );
    const neighbour = doc.child(other);
    const at = positions[other] ?? 0;
    // The neighbour moves to the other side, so the selection stays where its text is.
    const place =
      by < 0 ? (positions[to] ?? 0) + doc.child(to).nodeSize - neighbour.nodeSize : (positions[from] ?? 0);
    tr.delete(at, at + neighbour.nodeSize).insert(place, neighbour);
    const shift = by < 0 ? -neighbour.nodeSize : neighbour.nodeSize;
    tr.setSelection(
      selection instanceof NodeSelection
        ? NodeSelection.create(tr.doc, selection.from + shift)
        : TextSelection.create(tr.doc, selection.anchor + shift, selection.head + shift),
    );
    dispatch(tr.scrollIntoView());
    return true;
  };

/** Ends a list, or lifts its item, if Enter is pressed in an item without text. */
const leaveList: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type !== NODES.textBlock || $from.parent.content.size > 0) return false;
  const { listItem, level } = attributesOf($from.parent);
  if (listItem === null) return false;
  return (level ?? 1) > 1 ? shiftLevel(-1)(state, dispatch) : toggleList(listItem)(state, dispatch);
};

/** Ends a block. After a heading or a quotation comes a paragraph; after a list item, the next one. */
const split = splitBlockAs((node, isAtEnd) => {
  if (node.type !== NODES.textBlock) return { type: NODES.textBlock };
  const { style, listItem, level, origin } = attributesOf(node);
  const attrs: TextAttributes = {
    key: null,
    style: isAtEnd && listItem === null ? NORMAL : style,
    listItem,
    level,
    origin: isAtEnd ? null : origin,
  };
  return { type: NODES.textBlock, attrs };
});

export const enter = chainCommands(newlineInCode, leaveList, createParagraphNear, liftEmptyBlock, split);

export const insertBreak: Command = (state, dispatch) => {
  if (state.selection instanceof NodeSelection) return false;
  dispatch?.(state.tr.replaceSelectionWith(NODES.lineBreak.create()).scrollIntoView());
  return true;
};

/** Takes away the level of a block, its list and its style, and then joins it, for Backspace at its start. */
const plainer: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0 || $from.parent.type !== NODES.textBlock) return false;
  const { style, listItem, level } = attributesOf($from.parent);
  if (listItem !== null)
    return (level ?? 1) > 1 ? shiftLevel(-1)(state, dispatch) : toggleList(listItem)(state, dispatch);
  if (style !== NORMAL && $from.parent.content.size === 0) return setStyle(NORMAL)(state, dispatch);
  return false;
};

export const backspace = chainCommands(deleteSelection, plainer, joinBackward, selectNodeBackward);
