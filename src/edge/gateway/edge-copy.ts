/**
 * Decides how long the edge keeps an answer, which browsers may keep for another time (RULES 7.8). An answer that is
 * kept for long is invalidated by its tags when it becomes wrong. So it must come from the primary in this request: a
 * replica or the memory of an isolate may be older than the invalidation.
 */
import { CACHE } from "../../limits.ts";
import type { TransformState } from "../delivery/build-cold.ts";
import { isFinal, secondsLeft, type Outcome } from "../delivery/outcome.ts";
import type { MasterAddress } from "../../image/model/variant.ts";
import { mediaTag, spaceTag } from "../storage/invalidation/tags.ts";
import type { ReadFrom } from "../storage/database/read-database.ts";

export interface EdgeCopy {
  /** The value of the edge's Cache-Control. */
  control: string;
  /** The tags that invalidate it. */
  tags: string[];
  /** Whether the edge would keep the answer if it came from the primary. */
  isWorthAsking: boolean;
}

export const NOT_KEPT: EdgeCopy = { control: "no-store", tags: [], isWorthAsking: false };

const tagsOf = ({ spaceId, mediaId }: MasterAddress): string[] => [mediaTag(mediaId), spaceTag(spaceId)];

const ifOfPrimary = (from: ReadFrom, copy: EdgeCopy): EdgeCopy =>
  from === "primary" ? copy : { ...NOT_KEPT, isWorthAsking: from !== "held" };

/** Returns the edge copy of a redirect, or of the bytes of direct delivery. */
export function copyOfOutcome(outcome: Outcome, now: number): EdgeCopy {
  const tags = tagsOf(outcome.picture);
  if (isFinal(outcome)) {
    // The file of an older encoder is replaced without an invalidation.
    const [mostFresh, mostStale] = outcome.isOlder
      ? [CACHE.redirectSeconds, CACHE.redirectSeconds]
      : [CACHE.edgeSeconds, CACHE.edgeStaleSeconds];
    const fresh = secondsLeft(outcome, mostFresh, now);
    const stale = secondsLeft(outcome, fresh + mostStale, now) - fresh;
    const control = `public, max-age=${fresh}, stale-while-revalidate=${stale}`;
    return ifOfPrimary(outcome.from, { control, tags, isWorthAsking: false });
  }
  const { state } = outcome;
  // Kept so briefly that the variant is seen soon, and that the source of the answer does not matter.
  const isUnderWay = state === "queued" || state === "coalesced";
  if (!isUnderWay) return NOT_KEPT;
  return { control: `public, max-age=${CACHE.edgeUnderWaySeconds}`, tags, isWorthAsking: false };
}

/** Returns the edge copy of a redirect to the address of a picture that is not here. */
export function copyOfUnfetched(
  { state, from }: { state: TransformState | null; from: ReadFrom },
  tags: string[],
): EdgeCopy {
  // A drawing that is fetched meanwhile takes its place without an invalidation.
  const seconds = state === null ? CACHE.redirectSeconds : CACHE.edgeUnderWaySeconds;
  if (state !== null && state !== "queued") return NOT_KEPT;
  const copy = { control: `public, max-age=${seconds}`, tags, isWorthAsking: false };
  return state === null ? ifOfPrimary(from, copy) : copy;
}

/** Returns the edge copy of an immutable file. */
export const copyOfFile = (address: MasterAddress, from: ReadFrom): EdgeCopy =>
  ifOfPrimary(from, {
    control: `public, max-age=${CACHE.variantSeconds}`,
    tags: tagsOf(address),
    isWorthAsking: false,
  });
