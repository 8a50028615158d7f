/**
 * The things that the reader would lose with the session, though not by going to another page: uploads under way,
 * changes that wait for the next sign-in, forms in dialogs.
 */
import { useEffect } from "preact/hooks";

const holders = new Set<() => string | null>();

/**
 * @param say returns the thing at risk in a sentence; null while there is none
 * @returns a function that ends this
 */
export function holdSession(say: () => string | null): () => void {
  holders.add(say);
  return () => void holders.delete(say);
}

/** Returns a sentence for each thing that would be lost now, each sentence once. */
export const atRisk = (): string[] => [
  ...new Set([...holders].map((say) => say()).filter((sentence) => sentence !== null)),
];

/** @param sentence the thing at risk; null for nothing */
export function useAtRisk(sentence: string | null): void {
  useEffect(() => (sentence === null ? undefined : holdSession(() => sentence)), [sentence]);
}
