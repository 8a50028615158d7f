/** Differences of texts, and their words about both sides. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffWords, type Piece } from "../../../src/console/lib/diff.ts";

const textOf = (pieces: readonly Piece[], ...kinds: Piece["kind"][]): string =>
  pieces
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ text }) => text)
    .join("");

describe("differences word by word", () => {
  it("names the words that came and went", () => {
    expect(diffWords("the old house by the sea", "the new house by the lake")).toEqual([
      { kind: "same", text: "the " },
      { kind: "removed", text: "old" },
      { kind: "added", text: "new" },
      { kind: "same", text: " house by the " },
      { kind: "removed", text: "sea" },
      { kind: "added", text: "lake" },
    ]);
  });

  it("says nothing of equal texts but that they are equal", () => {
    expect(diffWords("as it was", "as it was")).toEqual([{ kind: "same", text: "as it was" }]);
    expect(diffWords("", "")).toEqual([]);
  });

  it("leads from one text to the other, whatever they are", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c", " ", "\n", "é")).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = diffWords(before, after);
        expect(textOf(pieces, "same", "removed")).toBe(before);
        expect(textOf(pieces, "same", "added")).toBe(after);
      }),
    );
  });

  it("shows texts that are too long to compare as two pieces", () => {
    const words = (letter: string): string =>
      Array.from({ length: 1001 }, (_, at) => `${letter}${at}`).join(" ");
    expect(diffWords(words("a"), words("b")).map(({ kind }) => kind)).toEqual(["removed", "added"]);
  });
});
