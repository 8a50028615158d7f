/** Direct delivery (RULES 7.7): the bytes that the redirect would lead to, in the same answer. */
import { notFound } from "../../errors.ts";
import { CACHE } from "../../limits.ts";
import type { Database } from "../storage/database.ts";
import { dropVariantRow } from "../storage/files.ts";
import { forgetPicture } from "../storage/pictures.ts";
import { isFinal, masterOutcome, outcomeHeaders, type Outcome } from "./outcome.ts";
import { serveFile } from "./serve-file.ts";
import type { TransformState } from "./transform-state.ts";

export interface ServeTools {
  db: Database;
  bucket: R2Bucket;
}

export interface ServedOutcome {
  response: Response;
  /** What the answer says in X-Service-Transform. */
  state: TransformState | null;
}

/** An address that names the present version can never mean other bytes. */
const namesVersion = (versions: string[], { picture }: Outcome): boolean =>
  versions.length === 1 && versions[0] === String(picture.version);

/**
 * @param versions the values of `v`: with the master's present version as its only one, a final answer is immutable
 * @throws ApiError NOT_FOUND when the bytes of the master are gone
 */
export async function serveOutcome(
  request: Request,
  outcome: Outcome,
  versions: string[],
  { db, bucket }: ServeTools,
): Promise<ServedOutcome> {
  const headers = outcomeHeaders(outcome);
  if (isFinal(outcome) && namesVersion(versions, outcome)) {
    headers["Cache-Control"] = `public, max-age=${CACHE.variantSeconds}, immutable`;
  }
  const response = await serveFile(request, bucket, outcome, headers);
  if (response) return { response, state: outcome.state };
  if (outcome.isMaster) throw notFound("The file");
  // The variant's bytes are gone before their row: the row must not say otherwise, and the master answers this time.
  await dropVariantRow(db, outcome.picture, outcome.file);
  forgetPicture(outcome.picture.mediaId);
  const instead = masterOutcome(outcome.picture, "unavailable", outcome.negotiated);
  const master = await serveFile(request, bucket, instead, outcomeHeaders(instead));
  if (!master) throw notFound("The file");
  return { response: master, state: instead.state };
}
