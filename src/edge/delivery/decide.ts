/** Decides which file answers an image request, from what is known about the picture. Pure. */
import { type BuildPlan, effortOf } from "../../image/plan/build-plan.ts";
import { planBuild } from "../../image/plan/plan.ts";
import type { Refused } from "../../image/plan/build-plan.ts";
import { variantFile, type VariantSpec, versionOfEffort } from "../../image/model/variant.ts";
import type { PictureParameters } from "../../image/parameters/parameter.ts";
import type { StoredPicture } from "../storage/pictures/pictures.ts";
import { allowedVariants } from "./choose.ts";
import { framingOf } from "./framing.ts";
import { leniently, type Listed } from "./lenient.ts";
import { acceptedFormats } from "./negotiate.ts";
import { offeredFile } from "./renew.ts";

/** A variant that exists. */
export interface Hit {
  kind: "hit";
  spec: VariantSpec;
  file: string;
}

/** A variant that can be built. */
export interface Cold {
  kind: "cold";
  spec: VariantSpec;
  plan: BuildPlan;
}

/** A variant that the request allows and that cannot be built. */
export interface RefusedVariant extends Pick<Refused, "refusal" | "reason"> {
  file: string;
}

/** The file that answers a request, and the preferred ones that cannot be built. */
export type Decision = (Hit | Cold | { kind: "master"; state: "unavailable" | null }) & {
  refused: readonly RefusedVariant[];
};

/** The parts of a request that the decision depends on. */
export interface DecidingRequest {
  parameters: PictureParameters;
  accept: string | null;
  /** Whether values that the space does not list are replaced instead of refused. */
  isLenient?: boolean;
}

/** Returns the parameters of a request, in terms of what the picture's space lists. */
export const parametersFor = (
  { parameters, isLenient = false }: Pick<DecidingRequest, "parameters" | "isLenient">,
  listed: Listed,
): PictureParameters => (isLenient ? leniently(parameters, listed) : parameters);

/**
 * Decides for the first allowed variant that exists or can be built. If one is over a limit (RULES 9.4, 9.5), the master
 * is the answer.
 * @throws ApiError INVALID_PARAMETER as `framingOf` and `allowedVariants` do
 */
export function decide(picture: StoredPicture, request: DecidingRequest): Decision {
  const { accept } = request;
  const parameters = parametersFor(request, picture);
  const framing = framingOf(parameters, picture);
  const allowed = allowedVariants(picture.facts, parameters, framing, acceptedFormats(accept), picture);
  const refused: RefusedVariant[] = [];
  for (const spec of allowed) {
    const file = offeredFile(picture.variants, spec);
    if (file !== null) return { kind: "hit", spec, file, refused };
    const plan = planBuild(picture.facts, picture.sizeBytes, spec, true);
    if (plan.ok) return { kind: "cold", spec, plan, refused };
    const { refusal, reason } = plan;
    refused.push({ file: variantFile(spec), refusal, reason });
    if (refusal === "over-limit") break;
  }
  return { kind: "master", state: allowed.length > 0 ? "unavailable" : null, refused };
}

/** Returns the name of the file that the plan makes: a variant that is encoded quickly has a name of its own. */
export const fileOf = ({ spec, plan }: Pick<Cold, "spec" | "plan">): string =>
  variantFile(spec, versionOfEffort(effortOf(plan)));
