/**
 * The differences between two texts, word by word: the longest common subsequence, inside the parts that both ends
 * share. Pure.
 */

export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Above so many pairs of words, the part that differs is shown as one piece on each side. */
const PAIRS_MAX = 1_000_000;

const wordsOf = (text: string): string[] => text.split(/(\s+)/).filter((word) => word !== "");

/** Joins neighbours of one kind to one piece. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const { kind, text } of pieces) {
    const last = result.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text !== "") result.push({ kind, text });
  }
  return result;
}

const all = (kind: Piece["kind"], words: readonly string[]): Piece => ({ kind, text: words.join("") });

function between(before: readonly string[], after: readonly string[]): Piece[] {
  const [rows, columns] = [before.length, after.length];
  if (rows * columns > PAIRS_MAX) return [all("removed", before), all("added", after)];
  // The number of common words from a row and a column on.
  const width = columns + 1;
  const common = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--) {
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pieces: Piece[] = [];
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    if (before[row] === after[column]) {
      pieces.push({ kind: "same", text: before[row] ?? "" });
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      pieces.push({ kind: "removed", text: before[row++] ?? "" });
    } else {
      pieces.push({ kind: "added", text: after[column++] ?? "" });
    }
  }
  return [...pieces, all("removed", before.slice(row)), all("added", after.slice(column))];
}

export function diffWords(before: string, after: string): Piece[] {
  const [was, is] = [wordsOf(before), wordsOf(after)];
  const shorter = Math.min(was.length, is.length);
  let start = 0;
  while (start < shorter && was[start] === is[start]) start += 1;
  let end = 0;
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  return joined([
    all("same", was.slice(0, start)),
    ...between(was.slice(start, was.length - end), is.slice(start, is.length - end)),
    all("same", was.slice(was.length - end)),
  ]);
}
