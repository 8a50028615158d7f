/** Decides what an image request asks for: the master by rule, or variants in order of preference. Pure. */
import { ApiError } from "../../errors.ts";
import { nearestRatio, parseRatio } from "../../image/geometry/aspect-ratio.ts";
import { cropOf } from "../../image/geometry/crop.ts";
import { gridWidth, heightAt, widthForHeight } from "../../image/geometry/grid.ts";
import type { MasterFacts } from "../../image/model/facts.ts";
import type { Size } from "../../image/geometry/size.ts";
import {
  DEFAULT_QUALITY,
  takesQuality,
  type VariantFormat,
  type VariantSpec,
} from "../../image/model/variant.ts";
import { NO_VARIANTS, wantedVariants, type WantedVariants } from "../../image/model/wanted-variants.ts";
import type { PictureParameters } from "../../image/parameters/parameter.ts";
import { isTransformed } from "../../image/parameters/table.ts";
import type { Framing } from "./framing.ts";
import type { AcceptedFormats } from "./negotiate.ts";

export type Choice =
  /** The master is the answer by rule: no transformation was asked for, or none exists for this kind. */
  | { kind: "master" }
  /** Candidates in order of preference, at least one. The first one that can be built is used (RULES 5.5). */
  | { kind: "variants"; candidates: VariantSpec[] };

const MASTER: Choice = { kind: "master" };

/**
 * Applies RULES 5.3 to 6.5 to a master and the parameters of a request.
 * @throws ApiError INVALID_PARAMETER for an animation asked for in a format that would lose its frames (RULES 6.2)
 */
export function choose(
  facts: MasterFacts,
  asked: PictureParameters,
  framing: Framing,
  accepted: AcceptedFormats,
): Choice {
  if (!isTransformed(asked)) return MASTER;
  const formats = facts.animated
    ? animatedFormats(facts, asked, accepted)
    : stillFormats(facts, asked, accepted);
  if (formats.length === 0) return MASTER;
  return { kind: "variants", candidates: formats.map((format) => specOf(facts, asked, framing, format)) };
}

/**
 * Which variants can be the answer, as far as is known before the picture is.
 * @param listed the ratios that its space allows
 */
export function wantedOf(asked: PictureParameters, listed: readonly string[]): WantedVariants {
  if (!isTransformed(asked)) return NO_VARIANTS;
  const { width, height, focalPoint } = asked;
  const isBox = width !== null && height !== null;
  const text = asked.ratio ?? (isBox ? nearestRatio(listed, { width, height }) : null);
  const ratio = text === null ? null : parseRatio(text);
  return wantedVariants({ width, height, ratio, focalPoint, quality: asked.quality ?? DEFAULT_QUALITY });
}

function negotiated(accepted: AcceptedFormats): VariantFormat[] {
  return [...(accepted.avif ? (["avif"] as const) : []), ...(accepted.webp ? (["webp"] as const) : [])];
}

function stillFormats(
  facts: MasterFacts,
  asked: PictureParameters,
  accepted: AcceptedFormats,
): VariantFormat[] {
  if (asked.format) return [asked.format];
  if (facts.format === "svg") return asked.auto ? negotiated(accepted) : [];
  return asked.auto ? unique([...negotiated(accepted), facts.format]) : [facts.format];
}

/** GIF → GIF or WebP, animated WebP → WebP, APNG → WebP. An animated AVIF is not converted (RULES 6.1, 6.2). */
function animatedFormats(
  facts: MasterFacts,
  asked: PictureParameters,
  accepted: AcceptedFormats,
): VariantFormat[] {
  const holdsFrames = asked.format === "webp" || (facts.format === "avif" && asked.format === "avif");
  if (asked.format && !holdsFrames) {
    throw new ApiError(
      "INVALID_PARAMETER",
      `This picture is an animation and would lose its frames as ${asked.format}. ` +
        "Use fm=webp, or leave fm out to keep its own format.",
      { details: [{ path: "fm", message: "an animation cannot be converted to jpeg, png or avif" }] },
    );
  }
  if (facts.format === "avif") return [];
  if (asked.format === "webp") return ["webp"];
  const own: VariantFormat[] = facts.format === "gif" || facts.format === "webp" ? [facts.format] : [];
  return asked.auto && accepted.webp ? unique(["webp", ...own]) : own;
}

const unique = (formats: VariantFormat[]): VariantFormat[] => [...new Set(formats)];

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
  const width = facts.format === "svg" ? wanted : Math.min(wanted, shown.width);
  return {
    width,
    height: heightAt(width, crop?.ratio ?? facts),
    format,
    quality: takesQuality(format) ? (asked.quality ?? DEFAULT_QUALITY) : null,
    animated: facts.animated,
    ...(crop && { crop }),
  };
}

/** The width of the grid; null when neither side is requested. */
function askedWidth({ width, height }: PictureParameters, ratio: Size): number | null {
  if (width !== null) return gridWidth(width);
  return height === null ? null : widthForHeight(height, ratio);
}
