/** Decides which variants of a known picture an image request allows. Pure. */
import { ApiError } from "../../errors.ts";
import { nearestRatio, parseRatio } from "../../image/geometry/aspect-ratio.ts";
import { cropOf } from "../../image/geometry/crop.ts";
import { gridWidth, heightAt, widthForHeight } from "../../image/geometry/grid.ts";
import type { MasterFacts } from "../../image/model/facts.ts";
import type { Size } from "../../image/geometry/size.ts";
import { treatmentIn, type VariantSpec } from "../../image/model/variant.ts";
import {
  FORMATS,
  OUTPUT_FORMATS,
  type OutputFormat,
  type VariantFormat,
  variantTraits,
} from "../../image/formats/registry.ts";
import {
  isAnsweredItself,
  keepsFrames,
  negotiatedFormats,
  ownFormat,
} from "../../image/model/variant-formats.ts";
import { NO_VARIANTS, wantedVariants, type WantedVariants } from "../../image/model/wanted-variants.ts";
import type { PictureParameters } from "../../image/parameters/parameter.ts";
import { isTransformed, treatmentOf } from "../../image/parameters/table.ts";
import type { Framing } from "./framing.ts";
import type { AcceptedFormats } from "./negotiate.ts";

/**
 * Applies RULES 5.3 to 6.5 to a master and the parameters of a request.
 * @returns the variants that may be the answer, in order of preference. The first one that can be built is used
 * (RULES 5.5). None if the master is the answer by rule: no variant was requested, or none exists for this kind.
 * @throws ApiError INVALID_PARAMETER for an animation asked for in a format that would lose its frames (RULES 6.2)
 */
export function allowedVariants(
  facts: MasterFacts,
  asked: PictureParameters,
  framing: Framing,
  accepted: AcceptedFormats,
): VariantSpec[] {
  if (!isTransformed(asked)) return [];
  return formatsFor(facts, asked, accepted).map((format) => specOf(facts, asked, framing, format));
}

/**
 * Names the variants that can be the answer, as far as is known before the picture is.
 * @param listed the ratios that its space allows
 */
export function wantedOf(asked: PictureParameters, listed: readonly string[]): WantedVariants {
  if (!isTransformed(asked)) return NO_VARIANTS;
  const { width, height, focalPoint } = asked;
  const isBox = width !== null && height !== null;
  const text = asked.ratio ?? (isBox ? nearestRatio(listed, { width, height }) : null);
  const ratio = text === null ? null : parseRatio(text);
  return wantedVariants({ width, height, ratio, focalPoint, treatment: treatmentOf(asked) });
}

/**
 * Returns the formats that the request allows, in order of preference; none if the master is the answer by rule.
 * @throws ApiError INVALID_PARAMETER for a format that would lose the frames of an animation (RULES 6.2)
 */
function formatsFor(
  facts: MasterFacts,
  { format, auto }: PictureParameters,
  accepted: AcceptedFormats,
): VariantFormat[] {
  if (format !== null) return requested(facts, format);
  const negotiated = auto ? negotiatedFormats(facts).filter((one) => accepted[one]) : [];
  return [...new Set([...negotiated, ...ownFormat(facts)])];
}

function requested(facts: MasterFacts, format: OutputFormat): VariantFormat[] {
  const isKept = isAnsweredItself(facts) && format === facts.format;
  if (!isKept && !keepsFrames(facts, format)) throw losesFrames(format);
  return isAnsweredItself(facts) ? [] : [format];
}

function losesFrames(format: OutputFormat): ApiError {
  const moving = OUTPUT_FORMATS.filter((one) => variantTraits(one).holdsFrames);
  const still = OUTPUT_FORMATS.filter((one) => !variantTraits(one).holdsFrames);
  const message =
    `This picture is an animation and would lose its frames as ${format}. ` +
    `Use ${listed(moving.map((one) => `fm=${one}`))}, or leave fm out to keep its own format.`;
  const details = [{ path: "fm", message: `an animation cannot be converted to ${listed(still)}` }];
  return new ApiError("INVALID_PARAMETER", message, { details });
}

/** Writes `a, b or c`. */
const listed = (words: readonly string[]): string => words.join(", ").replace(/, ([^,]*)$/, " or $1");

function specOf(
  facts: MasterFacts,
  asked: PictureParameters,
  { ratio, focalPoint }: Framing,
  format: VariantFormat,
): VariantSpec {
  const crop = ratio && cropOf(facts, ratio, focalPoint);
  const shown = crop?.rect ?? facts;
  const wanted = askedWidth(asked, ratio ?? facts) ?? shown.width;
  // A vector may be enlarged (RULES 5.4).
  const width = FORMATS[facts.format].isVector ? wanted : Math.min(wanted, shown.width);
  return {
    width,
    height: heightAt(width, crop?.ratio ?? facts),
    format,
    ...treatmentIn(format, treatmentOf(asked)),
    animated: facts.animated,
    ...(crop && { crop }),
  };
}

/** Returns the width of the grid; null when neither side is requested. */
function askedWidth({ width, height }: PictureParameters, ratio: Size): number | null {
  if (width !== null) return gridWidth(width);
  return height === null ? null : widthForHeight(height, ratio);
}
