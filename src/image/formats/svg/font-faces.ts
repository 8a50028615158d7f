/** The faces of the builder's font. The builder gives them to resvg, and the plan counts their memory. */
export type Face = "regular" | "bold" | "italic";

/** The faces that a document needs. Each takes memory, so a document without text has none. */
export function facesOf(document: string): readonly Face[] {
  if (!document.includes("<text")) return [];
  const faces: Face[] = ["regular"];
  if (/\b(?:bold|bolder|[6-9]00)\b/.test(document)) faces.push("bold");
  if (/\b(?:italic|oblique)\b/.test(document)) faces.push("italic");
  return faces;
}
