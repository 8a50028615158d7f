/** Decides which variants of a known picture an image request allows. Pure. */
import { ApiError } from "../../errors.ts";
import { nearestRatio, parseRatio } from "../../image/geometry/aspect-ratio.ts";
import { cropOf } from "../../image/geometry/crop.ts";
import { gridWidth, heightAt, widthForHeight, widthInside } from "../../image/geometry/grid.ts";
import { canvasWidth, isUnpadded, padOf } from "../../image/geometry/pad.ts";
import { hasBars, namedBackground } from "../../image/model/background.ts";
import { extrasOf, type ExtrasSettings } from "../../image/model/extras.ts";
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
import { askedSides } from "../../image/parameters/asked-sides.ts";
import type { PictureParameters } from "../../image/parameters/parameter.ts";
import { isNegotiated, isTransformed, treatmentOf } from "../../image/parameters/table.ts";
import { oncePerObject } from "../../remembered.ts";
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
  settings: ExtrasSettings,
): VariantSpec[] {
  if (!isTransformed(asked)) return [];
  return formatsFor(facts, asked, accepted).map((format) => {
    const spec = specOf(facts, asked, framing, format);
    return { ...spec, ...extrasOf(facts, settings, spec) };
  });
}

/**
 * Names the variants that can be the answer, as far as is known before the picture is.
 * @param listed the ratios that its space allows
 */
export function wantedOf(asked: PictureParameters, listed: readonly string[]): WantedVariants {
  const { width, height, ratio, fit } = asked;
  const isBox = ratio === null && width !== null && height !== null && fit !== "inside";
  return isBox ? wantedIn(asked, nearestRatio(listed, { width, height })) : wantedWhereverListed(asked);
}

/** Names the variants of a request that does not depend on what its space lists. Requests share their parameters. */
const wantedWhereverListed = oncePerObject((asked: PictureParameters) => wantedIn(asked, asked.ratio));

function wantedIn(asked: PictureParameters, ratio: string | null): WantedVariants {
  if (!isTransformed(asked)) return NO_VARIANTS;
  const { focalPoint, fit } = asked;
  return wantedVariants({
    ...{ ...askedSides(asked), fit, focalPoint, treatment: treatmentOf(asked) },
    ratio: ratio === null ? null : parseRatio(ratio),
  });
}

/**
 * Returns the formats that the request allows, in order of preference; none if the master is the answer by rule.
 * @throws ApiError INVALID_PARAMETER for a format that would lose the frames of an animation (RULES 6.2)
 */
function formatsFor(
  facts: MasterFacts,
  asked: PictureParameters,
  accepted: AcceptedFormats,
): VariantFormat[] {
  if (asked.format !== null) return requested(facts, asked.format);
  const negotiated = isNegotiated(asked) ? negotiatedFormats(facts).filter((one) => accepted[one]) : [];
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
  const { isVector } = FORMATS[facts.format];
  const isPadded = asked.fit === "pad" && ratio !== null;
  const crop = isPadded ? null : ratio && cropOf(facts, ratio, focalPoint);
  const own = isPadded ? canvasWidth(facts, ratio) : (crop?.rect ?? facts).width;
  const wanted = askedWidth(asked, facts, ratio) ?? own;
  // A vector may be enlarged (RULES 5.4).
  const width = isVector ? wanted : Math.min(wanted, own);
  const canvas = isPadded ? padOf(facts, ratio, width, isVector) : null;
  const background = namedBackground(format, asked.background);
  const { hasAlpha } = variantTraits(format);
  // A picture that covers the canvas is padded all the same if it is composed on a colour for it.
  const isComposed = hasAlpha && facts.hasAlpha && background !== null;
  const pad = canvas && (isComposed || !isUnpadded(facts, canvas, width)) ? canvas : null;
  const spec: VariantSpec = {
    width,
    height: heightAt(width, canvas?.ratio ?? crop?.ratio ?? facts),
    format,
    ...treatmentIn(format, treatmentOf(asked)),
    animated: facts.animated,
    ...(crop && { crop }),
    ...(pad && { pad }),
  };
  const isBelow = facts.hasAlpha && (pad !== null || !hasAlpha);
  return { ...spec, background: isBelow || hasBars(spec) ? background : null };
}

/** Returns the width of the grid; null when neither side is requested. */
function askedWidth(asked: PictureParameters, facts: Size, ratio: Size | null): number | null {
  const { width, height } = askedSides(asked);
  if (asked.fit === "inside" && width !== null && height !== null)
    return widthInside({ width, height }, facts);
  if (width !== null) return gridWidth(width);
  return height === null ? null : widthForHeight(height, ratio ?? facts);
}
