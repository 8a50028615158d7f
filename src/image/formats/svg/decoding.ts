/** The properties of the drawing of SVG that plans need, which has no decoder: the renderer draws it at the size that is wanted. */
import type { Size } from "../../geometry/size.ts";
import type { SvgFacts } from "../../model/facts.ts";
import { turned } from "../../model/orientation.ts";
import type { Decoding, MasterDecoding, Wanted } from "../decoding.ts";
import { croppedDrawing } from "./crop.ts";
import { bandRows, drawingBytes, drawingNanoseconds, isDrawnWhole, undrawable } from "./work/cost.ts";

/**
 * The drawing is drawn at the size `drawn`, in bands of `bandRows` rows; with `drawsCrop`, only the crop of it. With
 * `inlinesStyles`, styles that resvg does not know are first written out as attributes.
 */
export interface SvgDecoderPlan {
  name: "resvg";
  bandRows: number;
  inlinesStyles: boolean;
  drawn: Size;
  drawsCrop: boolean;
}

/** Returns the size at which a drawing is drawn: that of the whole if a crop of it cannot be drawn alone. */
const drawnFor = (facts: SvgFacts, wanted: Wanted): Size =>
  wanted.crop && isDrawnWhole(facts) ? croppedDrawing(facts, wanted, wanted.crop).drawn : wanted;

export const svgDecoding: MasterDecoding<SvgFacts, SvgDecoderPlan> = {
  layout: () => "rgba",
  turnsRows: () => false,
  unsupported: (facts, wanted) => undrawable(facts, drawnFor(facts, wanted)),

  decode(facts, sourceBytes, wanted): Decoding<SvgDecoderPlan> {
    const to = turned(wanted, facts.orientation);
    const cropped = wanted.crop && croppedDrawing(facts, to, wanted.crop);
    const drawn = cropped?.drawn ?? { width: to.width, height: to.height };
    const inlinesStyles = Boolean(facts.drawing.restyledBytes);
    const drawsCrop = cropped !== undefined && !isDrawnWhole(facts);
    const rows = bandRows(facts, drawsCrop ? to : drawn);
    return {
      ...drawingBytes(facts, sourceBytes, to, drawn),
      resampler: 0,
      decoder: { name: "resvg", bandRows: rows, inlinesStyles, drawn, drawsCrop },
      resampling: { by: "decoder", to },
      crop: cropped?.rect ?? null,
    };
  },

  nanoseconds: (facts, _sourceBytes, wanted) => drawingNanoseconds(facts, drawnFor(facts, wanted)),
  isExact: () => true,
  isPhotograph: () => false,
  frames: null,
};
