/** One attempt of a delivery (RULES 15.4): a POST, and what its answer means. */
import { WEBHOOKS } from "../../limits.ts";
import type { Attempt } from "../storage/webhooks/rows.ts";
import { signatureHeaders } from "./signature.ts";
import { readTarget, type TargetRules } from "./target.ts";

export interface AttemptTools {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The present time in milliseconds. */
  now: () => number;
  rules: TargetRules;
}

/** A delivery that is ready to be sent. */
export interface Outgoing {
  id: string;
  url: string;
  body: string;
  /** Each signs. Null if none can be read. */
  secrets: readonly string[] | null;
}

const GONE = 410;

/** The outcome of an attempt. */
export interface Tried {
  attempt: Attempt;
  /** Whether the receiver wants nothing more. */
  isGone: boolean;
}

/** Sends a delivery once. Throws nothing. */
export async function attempt({ id, url, body, secrets }: Outgoing, tools: AttemptTools): Promise<Tried> {
  const at = tools.now();
  const failed = (error: string, status: number | null = null): Tried => ({
    attempt: {
      at,
      status,
      ms: Math.max(0, tools.now() - at),
      error: error.slice(0, WEBHOOKS.errorMaxCharacters),
    },
    isGone: status === GONE,
  });
  if (secrets === null || secrets.length === 0)
    return failed('The signing secret cannot be read. Make another with PATCH {"secret": "rotate"}.');
  // The rules may have changed since the address was given.
  if (readTarget(url, tools.rules) === null) return failed("Nothing is sent to such an address any more.");
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), WEBHOOKS.answerMaxMs);
  try {
    const timestamp = Math.floor(at / 1000);
    const response = await tools.fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Silverprint-Webhooks",
        ...(await signatureHeaders(secrets, { id, timestamp, body })),
      },
      body,
      redirect: "manual",
      signal: ending.signal,
    });
    await response.body?.cancel().catch(() => undefined);
    const { status } = response;
    if (status >= 200 && status < 300)
      return { attempt: { at, status, ms: Math.max(0, tools.now() - at), error: null }, isGone: false };
    if (status >= 300 && status < 400)
      return failed("The receiver redirects. Give the webhook the address to which it leads.", status);
    return failed(`The receiver answered ${status}.`, status);
  } catch {
    if (ending.signal.aborted) return failed(`No answer within ${WEBHOOKS.answerMaxMs / 1000} seconds.`);
    return failed("The connection to the receiver failed, or broke off.");
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the time of the next attempt after a failed one; null if it was the last.
 * @param tries the failed attempts before
 * @param random a number from 0 to below 1
 */
export function nextAttemptAt(tries: number, now: number, random: number): number | null {
  const waitMs = WEBHOOKS.retryMs[tries];
  if (waitMs === undefined) return null;
  return now + Math.round(waitMs * (1 + WEBHOOKS.jitterShare * (2 * random - 1)));
}
