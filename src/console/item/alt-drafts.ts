/** The alt texts that are typed and not stored yet, by language, and how their saves stand. Pure. */
import type { SaveState } from "../lib/use-autosave.ts";

interface AltDraft {
  text: string;
  state: SaveState;
}

/** Drafts by the codes of languages; "" in a space without languages. */
export type AltDrafts = Readonly<Record<string, AltDraft>>;

export const withTyped = (drafts: AltDrafts, code: string, text: string): AltDrafts => ({
  ...drafts,
  [code]: { text, state: "saving" },
});

/** Returns the drafts after the save of `text` has ended. A later text of the language is still to be saved. */
export function withEnded(drafts: AltDrafts, code: string, text: string, isStored: boolean): AltDrafts {
  if (drafts[code]?.text !== text) return drafts;
  return { ...drafts, [code]: { text, state: isStored ? "saved" : "failed" } };
}

/** Returns the text that the field of a language begins with: the draft until it is stored. */
export function textIn(drafts: AltDrafts, code: string, stored: string): string {
  const draft = drafts[code];
  return draft && draft.state !== "saved" ? draft.text : stored;
}

const ORDER: readonly SaveState[] = ["failed", "saving", "saved"];

/** Returns the state of all drafts together: a text that could not be saved is told in every language. */
export function stateOf(drafts: AltDrafts): SaveState {
  const states = new Set(Object.values(drafts).map(({ state }) => state));
  return ORDER.find((state) => states.has(state)) ?? "idle";
}
