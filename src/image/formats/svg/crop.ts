/** The crop of a drawing: the whole is scaled so that the crop has the size of the output. */
import { placed, type Crop } from "../../geometry/crop.ts";
import type { SvgFacts } from "../../model/facts.ts";
import type { Rect, Size } from "../../geometry/size.ts";

export interface CroppedDrawing {
  /** The size of the whole drawing. */
  drawn: Size;
  /** The part of it that is shown. */
  rect: Rect;
}

/**
 * Returns the size of the whole drawing at which a crop of it has the size `out`. A vector has no pixels to round to.
 */
export function croppedDrawing(facts: SvgFacts, out: Size, { ratio, focus }: Crop): CroppedDrawing {
  const isWider = facts.width * ratio.height >= facts.height * ratio.width;
  const width = isWider ? Math.round((out.height * facts.width) / facts.height) : out.width;
  const height = isWider ? out.height : Math.round((out.width * facts.height) / facts.width);
  const drawn = { width: Math.max(out.width, width), height: Math.max(out.height, height) };
  const left = placed(focus, out.width, drawn.width).at;
  const top = placed(focus, out.height, drawn.height).at;
  return { drawn, rect: { left, top, width: out.width, height: out.height } };
}
