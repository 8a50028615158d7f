/** A crop of a drawing: it is drawn larger than what is seen of it. */
import { placed, type Crop } from "../../model/crop.ts";
import type { SvgFacts } from "../../model/facts.ts";
import type { Rect, Size } from "../../model/size.ts";

export interface CroppedDrawing {
  /** The size that the whole is drawn at. */
  drawn: Size;
  /** What is seen of that. */
  rect: Rect;
}

/** How the whole is drawn for a crop of it to have the size `out`: a vector is not rounded to its own pixels. */
export function croppedDrawing(facts: SvgFacts, out: Size, { ratio, focus }: Crop): CroppedDrawing {
  const isWider = facts.width * ratio.height >= facts.height * ratio.width;
  const width = isWider ? Math.round((out.height * facts.width) / facts.height) : out.width;
  const height = isWider ? out.height : Math.round((out.width * facts.height) / facts.width);
  const drawn = { width: Math.max(out.width, width), height: Math.max(out.height, height) };
  const left = placed(focus, out.width, drawn.width).at;
  const top = placed(focus, out.height, drawn.height).at;
  return { drawn, rect: { left, top, width: out.width, height: out.height } };
}
