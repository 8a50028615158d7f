/** Every way an image request can end, and the headers that say so (RULES 7.2, 7.3). */
import { masterFile, variantKey, type VariantSpec } from "../../image/model/variant.ts";
import { CACHE } from "../../limits.ts";
import type { FoundPicture } from "../storage/pictures.ts";
import type { ReadFrom } from "../storage/read-database.ts";
import { isOfOlderEncoder } from "./renew.ts";
import type { TransformState } from "./transform-state.ts";

export interface Outcome {
  picture: FoundPicture["picture"];
  /** Where what is known of the picture is from. */
  from: ReadFrom;
  /** R2 key of the file that is the answer. */
  key: string;
  /** Last segment of `key`. */
  file: string;
  /** Bytes of that file; null when they are not known. */
  sizeBytes: number | null;
  /** When the file goes, in milliseconds; null for a master, and for a variant that was built a moment ago. */
  expiresAt: number | null;
  /** Width in pixels of that file. */
  width: number;
  /** Height in pixels of that file. */
  height: number;
  isMaster: boolean;
  /** The file shows a part of the master, which is another part once the focal point is another one. */
  isCrop: boolean;
  /** A variant of an older encoder: another file takes its place once that is built. */
  isOlder: boolean;
  /** Null when the master is the answer by rule. */
  state: TransformState | null;
  /** True when auto=format was asked for: the answer depends on Accept. */
  negotiated: boolean;
}

export function variantOutcome(
  found: FoundPicture,
  { spec, file }: { spec: VariantSpec; file: string },
  state: TransformState,
  negotiated: boolean,
): Outcome {
  const offered = found.picture.variants.get(file);
  return {
    ...found,
    key: variantKey(found.picture, file),
    file,
    sizeBytes: offered?.sizeBytes ?? null,
    expiresAt: offered?.expiresAt ?? null,
    width: spec.width,
    height: spec.height,
    isMaster: false,
    isCrop: spec.crop !== undefined,
    isOlder: isOfOlderEncoder(file, spec),
    state,
    negotiated,
  };
}

/** The master, in place of the variant (`state` says why) or by rule. */
export function masterOutcome(
  found: Pick<FoundPicture, "picture" | "from">,
  state: TransformState | null,
  negotiated: boolean,
): Outcome {
  const { picture, from } = found;
  const { masterKey: key, sizeBytes, facts } = picture;
  const { width, height } = facts;
  return {
    ...{ picture, from, key, file: masterFile(facts.format), sizeBytes, expiresAt: null },
    ...{ width, height, isMaster: true, isCrop: false, isOlder: false, state, negotiated },
  };
}

/** Whether a later request for the same would be answered with the same file: a variant, or the master by rule. */
export const isFinal = ({ isMaster, state }: Outcome): boolean => !isMaster || state === null;

/** Seconds, `most` at most, for which the file of an outcome is sure to be there. */
export const secondsLeft = ({ expiresAt }: Outcome, most: number, now: number): number =>
  expiresAt === null ? most : Math.max(0, Math.min(most, Math.floor((expiresAt - now) / 1000)));

function cacheControl(outcome: Outcome, now: number): string {
  if (isFinal(outcome)) return `public, max-age=${secondsLeft(outcome, CACHE.redirectSeconds, now)}`;
  const { state } = outcome;
  if (state === "queued" || state === "coalesced") return `public, max-age=${CACHE.queuedRedirectSeconds}`;
  return "no-store";
}

/** What a redirect and the bytes themselves say alike. */
export function outcomeHeaders(outcome: Outcome, now: number): Record<string, string> {
  return {
    "X-Service-Width": String(outcome.width),
    "X-Service-Height": String(outcome.height),
    ...(outcome.state && { "X-Service-Transform": outcome.state }),
    ...(outcome.negotiated && { Vary: "Accept" }),
    "Cache-Control": cacheControl(outcome, now),
  };
}
