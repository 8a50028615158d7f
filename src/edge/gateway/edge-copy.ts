/**
 * How long the edge keeps an answer, apart from how long browsers do (RULES 7.8). What is kept for long is purged by
 * its tags when it is no longer true, so only what the primary said in this very request is kept: a replica or the
 * memory of an isolate may be older than the purge.
 */
import { CACHE } from "../../limits.ts";
import { isFinal, secondsLeft, type Outcome } from "../delivery/outcome.ts";
import type { MasterAddress } from "../../image/model/variant.ts";
import { mediaTag, spaceTag } from "../storage/purge-tags.ts";
import type { ReadFrom } from "../storage/read-database.ts";

export interface EdgeCopy {
  /** For how long, in the words of Cache-Control. */
  control: string;
  /** What purges it. */
  tags: string[];
  /** It would be kept if the primary said the same. */
  isWorthAsking: boolean;
}

export const NOT_KEPT: EdgeCopy = { control: "no-store", tags: [], isWorthAsking: false };

const tagsOf = ({ spaceId, mediaId }: MasterAddress): string[] => [mediaTag(mediaId), spaceTag(spaceId)];

const ifOfPrimary = (from: ReadFrom, copy: EdgeCopy): EdgeCopy =>
  from === "primary" ? copy : { ...NOT_KEPT, isWorthAsking: from !== "held" };

/** Of a redirect, or of the bytes that it would lead to. */
export function copyOfOutcome(outcome: Outcome, now: number): EdgeCopy {
  const tags = tagsOf(outcome.picture);
  if (isFinal(outcome)) {
    // Another file takes the place of an older encoder's, and nothing is purged then.
    const [mostFresh, mostStale] = outcome.isOlder
      ? [CACHE.redirectSeconds, CACHE.redirectSeconds]
      : [CACHE.edgeSeconds, CACHE.edgeStaleSeconds];
    const fresh = secondsLeft(outcome, mostFresh, now);
    const stale = secondsLeft(outcome, fresh + mostStale, now) - fresh;
    const control = `public, max-age=${fresh}, stale-while-revalidate=${stale}`;
    return ifOfPrimary(outcome.from, { control, tags, isWorthAsking: false });
  }
  const { state } = outcome;
  // Short enough for the variant to be seen soon, and for whatever memory it is from.
  const isUnderWay = state === "queued" || state === "coalesced";
  if (!isUnderWay) return NOT_KEPT;
  return { control: `public, max-age=${CACHE.edgeUnderWaySeconds}`, tags, isWorthAsking: false };
}

/** Of an immutable file. */
export const copyOfFile = (address: MasterAddress, from: ReadFrom): EdgeCopy =>
  ifOfPrimary(from, {
    control: `public, max-age=${CACHE.variantSeconds}`,
    tags: tagsOf(address),
    isWorthAsking: false,
  });
