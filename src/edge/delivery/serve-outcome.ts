/** Direct delivery (RULES 7.7): answers with the bytes to which the redirect would lead. */
import { notFound } from "../../errors.ts";
import { parseVariantFile, QUICK_ENCODER_VERSION } from "../../image/model/variant.ts";
import { CACHE } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import { forgetMissingVariant } from "./missing-bytes.ts";
import { isFinal, masterOutcome, outcomeHeaders, type Outcome } from "./outcome.ts";
import { serveFile } from "./serve-file.ts";

export interface ServeTools {
  /** Opens the database of the picture's space. */
  db: () => Promise<Database>;
  bucket: R2Bucket;
  /** The present time in milliseconds. */
  now: number;
}

export interface ServedOutcome {
  response: Response;
  /** The outcome that was served: the master if the bytes of the variant were missing. */
  outcome: Outcome;
}

/** The parts of a request's address that determine how long its answer holds. */
export interface NamedInAddress {
  /** The master version; null if the address has none. */
  version: number | null;
  /** Whether the address has a focal point. */
  hasFocalPoint: boolean;
}

/**
 * Returns whether a variant was encoded with the quick effort. The first visitors may keep it: it looks the same as the
 * thorough one, and is little larger.
 */
const isQuick = (file: string): boolean => parseVariantFile(file)?.encoderVersion === QUICK_ENCODER_VERSION;

/**
 * Returns whether the address always means the same picture: it has the present version and, for a crop, a focal point.
 */
const meansOneFile = (
  { version, hasFocalPoint }: NamedInAddress,
  { picture, isCrop, isOlder, file }: Outcome,
): boolean => version === picture.version && (hasFocalPoint || !isCrop) && (!isOlder || isQuick(file));

/**
 * Serves the file of an outcome.
 * @param named determines whether a final answer is immutable
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
  // The master is the answer this time.
  await forgetMissingVariant(db, outcome.picture, outcome.file, now);
  const instead = masterOutcome(outcome, "unavailable", outcome.negotiated);
  const master = await serveFile(request, bucket, instead, outcomeHeaders(instead, now));
  if (!master) throw notFound("The file");
  return { response: master, outcome: instead };
}
