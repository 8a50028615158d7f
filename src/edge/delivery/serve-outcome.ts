/** Direct delivery (RULES 7.7): the bytes that the redirect would lead to, in the same answer. */
import { notFound } from "../../errors.ts";
import { CACHE } from "../../limits.ts";
import type { Database } from "../storage/database.ts";
import { forgetMissingVariant } from "./missing-bytes.ts";
import { isFinal, masterOutcome, outcomeHeaders, type Outcome } from "./outcome.ts";
import { serveFile } from "./serve-file.ts";

export interface ServeTools {
  db: Database;
  bucket: R2Bucket;
  /** Milliseconds. */
  now: number;
}

export interface ServedOutcome {
  response: Response;
  /** What is answered: the master, when the variant's bytes turned out to be gone. */
  outcome: Outcome;
}

/** What the address of a request names. */
export interface NamedInAddress {
  /** The master version; null when it names none. */
  version: number | null;
  /** Whether it names the focal point. */
  hasFocalPoint: boolean;
}

/** An address can never mean other bytes when it names the present version, and for a crop the focal point. */
const meansOneFile = (
  { version, hasFocalPoint }: NamedInAddress,
  { picture, isCrop, isOlder }: Outcome,
): boolean => version === picture.version && (hasFocalPoint || !isCrop) && !isOlder;

/**
 * @param named decides whether a final answer is immutable
 * @throws ApiError NOT_FOUND when the bytes of the master are gone
 */
export async function serveOutcome(
  request: Request,
  outcome: Outcome,
  named: NamedInAddress,
  { db, bucket, now }: ServeTools,
): Promise<ServedOutcome> {
  const headers = outcomeHeaders(outcome, now);
  if (isFinal(outcome) && meansOneFile(named, outcome)) {
    headers["Cache-Control"] = `public, max-age=${CACHE.variantSeconds}, immutable`;
  }
  const response = await serveFile(request, bucket, outcome, headers);
  if (response) return { response, outcome };
  if (outcome.isMaster) throw notFound("The file");
  // The master answers this time.
  await forgetMissingVariant(db, outcome.picture, outcome.file, now);
  const instead = masterOutcome(outcome, "unavailable", outcome.negotiated);
  const master = await serveFile(request, bucket, instead, outcomeHeaders(instead, now));
  if (!master) throw notFound("The file");
  return { response: master, outcome: instead };
}
