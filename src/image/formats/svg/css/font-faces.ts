/** The faces of the builder's fonts. The builder gives them to resvg, and the plan counts their memory. */
import { neededFor } from "../work/glyphs.ts";

export type Face = "regular" | "bold" | "italic" | "symbols";

/** Returns the faces that a document needs. Each takes memory, so a document without text has none. */
export function facesOf(document: string): readonly Face[] {
  if (!document.includes("<text")) return [];
  const faces: Face[] = ["regular"];
  if (/\b(?:bold|bolder|[6-9]00)\b/.test(document)) faces.push("bold");
  if (/\b(?:italic|oblique)\b/.test(document)) faces.push("italic");
  if (neededFor(document).symbols) faces.push("symbols");
  return faces;
}

/** The memory of a face as a multiple of that of a plain face: that of the symbols has 1,004,120 bytes. */
const WEIGHTS: Record<Face, number> = { regular: 1, bold: 1, italic: 1, symbols: 2 };

/** Returns the memory that the faces of a document take, in plain faces. */
export const facesWeight = (document: string): number =>
  facesOf(document).reduce((sum, face) => sum + WEIGHTS[face], 0);
