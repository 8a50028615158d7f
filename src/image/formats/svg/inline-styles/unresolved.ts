/** What a drawing's styles ask for is beyond what can be written in attributes: it has no raster. */
export class Unresolved extends Error {
  override readonly name = "Unresolved";
}
