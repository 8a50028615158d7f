/** The variants that a request may get, by the facts of a master and the query. */
import { allowedVariants } from "../../../../src/edge/delivery/choose.ts";
import { framingOf } from "../../../../src/edge/delivery/framing.ts";
import type { MasterFacts } from "../../../../src/image/model/facts.ts";
import type { PictureParameters } from "../../../../src/image/parameters/parameter.ts";
import { parsePictureParameters } from "../../../../src/image/parameters/read.ts";
import { BACKGROUND, CROP } from "../../../../src/limits.ts";

export const ALL = { avif: true, webp: true };
export const NONE = { avif: false, webp: false };
const PICTURE = {
  aspectRatios: CROP.aspectRatiosDefault,
  backgrounds: BACKGROUND.backgroundsDefault,
  focalPoint: null,
};
export const ask = (facts: MasterFacts, query: string, accepted = NONE) =>
  chosen(facts, parsePictureParameters(new URLSearchParams(query)), accepted);
const chosen = (facts: MasterFacts, asked: PictureParameters, accepted = NONE) =>
  allowedVariants(facts, asked, framingOf(asked, PICTURE), accepted, {
    metadata: "copyright",
    gamut: "srgb",
  });

/** Candidates as `1000x750 webp q80`. */
export function candidates(facts: MasterFacts, query: string, accepted = NONE): string[] | "master" {
  const specs = ask(facts, query, accepted);
  if (specs.length === 0) return "master";
  return specs.map((s) => `${s.width}x${s.height} ${s.format}${s.quality === null ? "" : ` q${s.quality}`}`);
}
