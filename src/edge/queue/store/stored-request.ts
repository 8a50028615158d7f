/** A request as a job row holds it: JSON, so that a restarted queue, or a newer version of it, can go on with it. */
import type { BuildOrder } from "../../../image/protocol/build.ts";
import { parseVariantFile, variantKey } from "../../../image/model/variant.ts";
import type { VariantFormat } from "../../../image/formats/registry.ts";
import type { AdmitRequest } from "../../messages.ts";

/** The client has a column of its own: the queue counts by it. */
export type StoredRequest = Omit<AdmitRequest, "client" | "lane"> & {
  /** In milliseconds. */
  admittedAt: number;
};

export function writeRequest(request: AdmitRequest, now: number): string {
  const { key, spaceId, mediaId, version, file, masterKey, order, hasRequestedFocalPoint = false } = request;
  return JSON.stringify({
    ...{ key, spaceId, mediaId, version, file, masterKey, order, hasRequestedFocalPoint },
    admittedAt: now,
  } satisfies StoredRequest);
}

/**
 * Reads a row of any version: it may be older than this code, or newer after a roll-back. Null when no build can be
 * made from it.
 */
export function readRequest(json: string): (StoredRequest & { format: VariantFormat }) | null {
  const value = parse(json);
  if (!isObject(value)) return null;
  const { key, spaceId, mediaId, version, file, masterKey, order } = value;
  if (!isText(key) || !isText(spaceId) || !isText(mediaId) || !isText(file) || !isText(masterKey))
    return null;
  if (typeof version !== "number" || !Number.isSafeInteger(version)) return null;
  const format = parseVariantFile(file)?.format;
  if (!format || key !== variantKey({ spaceId, mediaId, version }, file)) return null;
  if (!isObject(order) || !isObject(order["spec"]) || !isObject(order["facts"])) return null;
  if (!isObject(order["plan"]) || typeof order["encoderVersion"] !== "number") return null;
  if (typeof order["sourceBytes"] !== "number" || typeof order["peakBytes"] !== "number") return null;
  const hasRequestedFocalPoint = value["hasRequestedFocalPoint"] === true;
  const admittedAt = Number(value["admittedAt"] ?? 0);
  return {
    ...{ key, spaceId, mediaId, version, file, masterKey, format, hasRequestedFocalPoint, admittedAt },
    order: order as unknown as BuildOrder,
  };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
