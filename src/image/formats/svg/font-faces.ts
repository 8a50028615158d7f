/** Faces of the builder's font: what it gives resvg, and the plan counts. */
export type Face = "regular" | "bold" | "italic";

/** Those that `document`, as it is drawn, needs: none when it holds no text, since each is copied into the memory. */
export function facesOf(document: string): readonly Face[] {
  if (!document.includes("<text")) return [];
  const faces: Face[] = ["regular"];
  if (/\b(?:bold|bolder|[6-9]00)\b/.test(document)) faces.push("bold");
  if (/\b(?:italic|oblique)\b/.test(document)) faces.push("italic");
  return faces;
}
