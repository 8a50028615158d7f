/** Every way an image request can end, and the headers that say so (RULES 7.2, 7.3). */
import { masterFile, variantFile, variantKey, type VariantSpec } from "../../image/model/variant.ts";
import { CACHE } from "../../limits.ts";
import type { Picture } from "../storage/pictures.ts";
import type { TransformState } from "./transform-state.ts";

export interface Outcome {
  picture: Picture;
  /** R2 key of the file that is the answer. */
  key: string;
  /** Last segment of `key`. */
  file: string;
  /** Bytes of that file; null when they are not known. */
  sizeBytes: number | null;
  /** Width in pixels of that file. */
  width: number;
  isMaster: boolean;
  /** Null when the master is the answer by rule. */
  state: TransformState | null;
  /** True when auto=format was asked for: the answer depends on Accept. */
  negotiated: boolean;
}

export function variantOutcome(
  picture: Picture,
  spec: VariantSpec,
  state: TransformState,
  negotiated: boolean,
): Outcome {
  const file = variantFile(spec);
  const sizeBytes = picture.variants.get(file) ?? null;
  const key = variantKey(picture, file);
  return { picture, key, file, sizeBytes, width: spec.width, isMaster: false, state, negotiated };
}

/** The master, in place of the variant (`state` says why) or by rule. */
export function masterOutcome(picture: Picture, state: TransformState | null, negotiated: boolean): Outcome {
  const { masterKey: key, sizeBytes, facts } = picture;
  const file = masterFile(facts.format);
  return { picture, key, file, sizeBytes, width: facts.width, isMaster: true, state, negotiated };
}

/** Whether a later request for the same would be answered with the same file: a variant, or the master by rule. */
export const isFinal = ({ isMaster, state }: Outcome): boolean => !isMaster || state === null;

export function cacheControl(outcome: Outcome): string {
  if (isFinal(outcome)) return `public, max-age=${CACHE.redirectSeconds}`;
  const { state } = outcome;
  if (state === "queued" || state === "coalesced") return `public, max-age=${CACHE.queuedRedirectSeconds}`;
  return "no-store";
}

/** What a redirect and the bytes themselves say alike. */
export function outcomeHeaders(outcome: Outcome): Record<string, string> {
  return {
    "X-Service-Width": String(outcome.width),
    ...(outcome.state && { "X-Service-Transform": outcome.state }),
    ...(outcome.negotiated && { Vary: "Accept" }),
    "Cache-Control": cacheControl(outcome),
  };
}
