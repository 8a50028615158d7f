/** Variants that are served although they are to be rebuilt while the queue is idle (RULES 9.7). */
import { asNamedBy, ENCODER_VERSION, variantFile, type VariantSpec } from "../../image/model/variant.ts";
import { CACHE, VARIANT } from "../../limits.ts";
import type { AdmitRequest } from "../messages.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import type { OfferedVariant } from "../storage/pictures/pictures.ts";
import type { ColdTools } from "./build-cold.ts";

type Offered = ReadonlyMap<string, OfferedVariant>;

/** Returns the file for `spec`: that of the present encoder, else that of the latest earlier one; null when there is none. */
export function offeredFile(variants: Offered, spec: VariantSpec): string | null {
  for (let version = ENCODER_VERSION; version >= 1; version--) {
    const file = variantFile(asNamedBy(spec, version), version);
    if (variants.has(file)) return file;
  }
  return null;
}

export const isOfOlderEncoder = (file: string, spec: VariantSpec): boolean => file !== variantFile(spec);

/**
 * Returns whether an older encoder made the file, or the present one with the quick effort, or it expires within the
 * next days.
 */
export function isToBeRenewed(variants: Offered, file: string, spec: VariantSpec, now: number): boolean {
  if (isOfOlderEncoder(file, spec)) return true;
  const expiresAt = variants.get(file)?.expiresAt ?? null;
  return expiresAt !== null && expiresAt <= now + VARIANT.renewBeforeMs;
}

/** The keys for which this isolate has lately told a queue. */
const told = new ExpiringMap<true>(CACHE.renewalMs, CACHE.admissionsMaxEntries);

/**
 * Tells the queue to rebuild a variant, beside the answer, and once per isolate and 5 minutes. If that fails, a later
 * request tells it again.
 * @param requestOf returns null for a variant that cannot be built any more
 */
export function renewWhenIdle(key: string, requestOf: () => AdmitRequest | null, tools: ColdTools): void {
  const now = tools.now();
  if (told.get(key, now)) return;
  told.set(key, true, now);
  const request = requestOf();
  if (!request) return;
  const telling = tools.queueOf(request.spaceId).buildWhenIdle(request);
  tools.waitUntil(
    telling.catch((cause: unknown) => tools.log({ event: "queue-call-failed", reason: String(cause) })),
  );
}
