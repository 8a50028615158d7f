/** The outcomes of an image request, and the headers that report them (RULES 7.2, 7.3). */
import { masterFile, variantKey, type VariantSpec } from "../../image/model/variant.ts";
import { CACHE } from "../../limits.ts";
import type { FoundPicture } from "../storage/pictures/pictures.ts";
import type { ReadFrom } from "../storage/database/read-database.ts";
import { isOfOlderEncoder } from "./renew.ts";
import type { TransformState } from "./build-cold.ts";

export interface Outcome {
  picture: FoundPicture["picture"];
  /** The source of what is known about the picture. */
  from: ReadFrom;
  /** The R2 key of the file that is the answer. */
  key: string;
  /** The last segment of `key`. */
  file: string;
  /** The length of the file in bytes; null when it is not known. */
  sizeBytes: number | null;
  /** When the file expires, in milliseconds; null for a master, and for a variant that was built a moment ago. */
  expiresAt: number | null;
  /** The width of the file in pixels. */
  width: number;
  /** The height of the file in pixels. */
  height: number;
  isMaster: boolean;
  /** Whether the file shows a part of the master, which changes with the focal point. */
  isCrop: boolean;
  /** Whether an older encoder made the variant, so that another file will replace it. */
  isOlder: boolean;
  /** Null when the master is the answer by rule. */
  state: TransformState | null;
  /** Whether the request has auto=format, so that the answer depends on Accept. */
  negotiated: boolean;
}

/** Makes the outcome in which a variant is the answer. */
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

/** Makes the outcome in which the master is the answer: in place of a variant (`state` says why), or by rule. */
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

/** Returns whether later requests will get the same file: it is a variant, or the master by rule. */
export const isFinal = ({ isMaster, state }: Outcome): boolean => !isMaster || state === null;

/** Returns the number of seconds, at most `most`, for which the file of an outcome is guaranteed to exist. */
export const secondsLeft = ({ expiresAt }: Outcome, most: number, now: number): number =>
  expiresAt === null ? most : Math.max(0, Math.min(most, Math.floor((expiresAt - now) / 1000)));

const cacheControl = (outcome: Outcome, now: number): string =>
  isFinal(outcome)
    ? `public, max-age=${secondsLeft(outcome, CACHE.redirectSeconds, now)}`
    : cacheControlOf(outcome.state);

/** Returns the caching of a redirect to the master, in place of a variant (`state` says why) or by rule. */
export function cacheControlOf(state: TransformState | null): string {
  if (state === null) return `public, max-age=${CACHE.redirectSeconds}`;
  if (state === "queued" || state === "coalesced") return `public, max-age=${CACHE.queuedRedirectSeconds}`;
  return "no-store";
}

/** Returns the headers that redirects and direct delivery share. */
export function outcomeHeaders(outcome: Outcome, now: number): Record<string, string> {
  return {
    "X-Service-Width": String(outcome.width),
    "X-Service-Height": String(outcome.height),
    "X-Service-File": outcome.isMaster ? "master" : "variant",
    ...(outcome.state && { "X-Service-Transform": outcome.state }),
    ...(outcome.negotiated && { Vary: "Accept" }),
    "Cache-Control": cacheControl(outcome, now),
  };
}
