/** The answer to a request for a picture of another server: a redirect to a file of ours, or to the address (RULES 13.2). */
import { CACHE, SECOND_MS } from "../../limits.ts";
import { cacheControlOf, isFinal, outcomeHeaders, type Outcome } from "../delivery/outcome.ts";
import type { RemoteOutcome } from "../remote/deliver-remote.ts";
import { spaceTag } from "../storage/invalidation/tags.ts";
import type { Answered } from "./answered.ts";
import { copyOfOutcome, copyOfUnfetched, type EdgeCopy } from "./edge-copy.ts";

interface AnswerTools {
  /** The base of immutable files. */
  base: string;
  /** Whether the answer depends on `Accept`. */
  negotiated: boolean;
  /** The present time in milliseconds. */
  now: number;
}

export function remoteAnswer(remote: RemoteOutcome, { base, negotiated, now }: AnswerTools): Answered {
  const { url, state, outcome } = remote;
  const Location = url ?? `${base}/${outcome?.key}`;
  const headers = outcome
    ? outcomeHeaders(outcome, now)
    : {
        ...(state && { "X-Service-Transform": state }),
        ...(negotiated && { Vary: "Accept" }),
        "Cache-Control": cacheControlOf(state),
      };
  return {
    response: new Response(null, { status: 302, headers: { Location, ...headers } }),
    state,
    isFinal: outcome ? isFinal(outcome) : state === null,
    copy: outcome
      ? freshCopy(copyOfOutcome({ ...outcome, from: remote.from }, now), outcome, now)
      : copyOfUnfetched(remote, [spaceTag(remote.spaceId)]),
  };
}

/** Keeps a copy no longer than its file counts as fresh, so that a file that has changed is noticed. */
function freshCopy(copy: EdgeCopy, { picture }: Outcome, now: number): EdgeCopy {
  const freshMs = (picture.remote?.freshUntil ?? 0) - now;
  const freshSeconds = Math.max(CACHE.redirectSeconds, Math.floor(freshMs / SECOND_MS));
  const control = copy.control
    .replace(/max-age=(\d+)/, (_, seconds: string) => `max-age=${Math.min(Number(seconds), freshSeconds)}`)
    .replace(/, stale-while-revalidate=\d+/, "");
  return { ...copy, control };
}
