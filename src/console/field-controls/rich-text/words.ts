/** Counts words in any language: the browser knows where they begin where no space says so. */
import type { Node } from "prosemirror-model";

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** The words of blocks that were counted before. Nodes never change, so a change counts its own blocks alone. */
const counted = new WeakMap<Node, number>();

function wordsOf(block: Node): number {
  const known = counted.get(block);
  if (known !== undefined) return known;
  let words = 0;
  for (const { isWordLike } of segmenter.segment(block.textContent)) if (isWordLike) words++;
  counted.set(block, words);
  return words;
}

export const wordsIn = (document: Node): number =>
  document.children.reduce((sum, block) => sum + wordsOf(block), 0);
