/** Attributes cannot express the styles of a drawing, so the drawing cannot be rasterised. The message says why. */
export class Unresolved extends Error {
  override readonly name = "Unresolved";
}
