/** Keeps the document in order by itself: keys are unique, and numbered lists count. */
import { Plugin, type EditorState, type Transaction } from "prosemirror-state";
import { Decoration, DecorationSet } from "prosemirror-view";
import type { Node } from "prosemirror-model";
import { newKey } from "./portable-text.ts";
import { attributesOf, NODES, objectOf } from "./schema.ts";

const keyOf = (node: Node): string | null =>
  node.type === NODES.card ? objectOf(node)._key : attributesOf(node).key;

/** Gives blocks that were made, split or copied keys of their own. The first block of two keeps its key. */
function withKeys(state: EditorState): Transaction | null {
  const taken = new Set<string>();
  const { tr } = state;
  state.doc.forEach((node, at) => {
    const key = keyOf(node);
    if (key && !taken.has(key)) {
      taken.add(key);
      return;
    }
    const fresh = newKey();
    taken.add(fresh);
    if (node.type === NODES.card) tr.setNodeAttribute(at, "value", { ...objectOf(node), _key: fresh });
    else tr.setNodeAttribute(at, "key", fresh);
  });
  return tr.docChanged ? tr : null;
}

export const uniqueKeys = new Plugin({
  appendTransaction: (transactions, _, state) =>
    transactions.some(({ docChanged }) => docChanged) ? withKeys(state) : null,
});

/** Returns the number of each item of a numbered list, by its place. Items of deeper levels do not interrupt a count. */
export function numbersOf(document: Node): Map<number, number> {
  const numbers = new Map<number, number>();
  let counts: { kind: string; count: number }[] = [];
  document.forEach((node, at) => {
    const { listItem, level } =
      node.type === NODES.card ? { listItem: null, level: null } : attributesOf(node);
    if (listItem === null) {
      counts = [];
      return;
    }
    const depth = (level ?? 1) - 1;
    counts = counts.slice(0, depth + 1);
    const before = counts[depth];
    const count = before?.kind === listItem ? before.count + 1 : 1;
    counts[depth] = { kind: listItem, count };
    if (listItem === "number") numbers.set(at, count);
  });
  return numbers;
}

function numbered(document: Node): DecorationSet {
  const numbers = [...numbersOf(document)].filter(([, number]) => number > 1);
  return DecorationSet.create(
    document,
    numbers.map(([at, number]) =>
      Decoration.node(at, at + document.nodeAt(at)!.nodeSize, { start: String(number) }),
    ),
  );
}

export const listNumbers: Plugin<DecorationSet> = new Plugin<DecorationSet>({
  state: {
    init: (_, { doc }) => numbered(doc),
    apply: (tr, known) => (tr.docChanged ? numbered(tr.doc) : known),
  },
  props: { decorations: (state) => listNumbers.getState(state) },
});
