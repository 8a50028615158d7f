/** Serves a stored file over HTTP: conditions, one range, HEAD (RULES 7.6; RFC 9110 §13, §14). */
import { MASTER_FORMATS, MIME_OF } from "../../image/model/facts.ts";
import { masterFile } from "../../image/model/variant.ts";
import { openObject, sizeOfObject } from "../storage/media/objects.ts";
import { matchesEtag, parseRange } from "./range.ts";
import { SVG_POLICY } from "./svg-policy.ts";

const extensionOf = (file: string): string => file.split(".").at(-1) ?? "";

const CONTENT_TYPE_OF_EXTENSION = new Map(
  MASTER_FORMATS.map((format) => [extensionOf(masterFile(format)), MIME_OF[format]]),
);

export interface ServedFile {
  /** The R2 key. Its bytes never change, so it is also a strong validator. */
  key: string;
  /** The last segment of `key`. */
  file: string;
  /** The length in bytes; null when it is not known, so that R2 is asked. */
  sizeBytes: number | null;
}

/** The headers of every answer about this file, 304 and 416 included. */
function fileHeaders(file: string, etag: string): Record<string, string> {
  const extension = extensionOf(file);
  return {
    "Content-Type": CONTENT_TYPE_OF_EXTENSION.get(extension) ?? "application/octet-stream",
    ETag: etag,
    "Accept-Ranges": "bytes",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",
    ...(extension === "svg" && { "Content-Security-Policy": SVG_POLICY }),
  };
}

/**
 * The answer for the file; null when R2 does not have it. HEAD has the answer of a GET without Range, without the bytes.
 *
 * @param extra headers beside those of the file, Cache-Control among them
 */
export async function serveFile(
  request: Request,
  bucket: R2Bucket,
  { key, file, sizeBytes }: ServedFile,
  extra: Record<string, string>,
): Promise<Response | null> {
  const etag = `"${key}"`;
  const headers = { ...fileHeaders(file, etag), ...extra };
  if (matchesEtag(request.headers.get("If-None-Match"), etag)) {
    return new Response(null, { status: 304, headers });
  }
  const total = sizeBytes ?? (await sizeOfObject(bucket, key));
  if (total === null) return null;
  const ifRange = request.headers.get("If-Range");
  // Range is defined for GET alone (RFC 9110 section 14.2).
  const wantsRange = request.method === "GET" && (ifRange === null || ifRange === etag);
  const range = parseRange(wantsRange ? request.headers.get("Range") : null, total);
  if (range.kind === "unsatisfiable") {
    const unsatisfied = { "Content-Range": `bytes */${total}`, "Cache-Control": "no-store" };
    return new Response(null, { status: 416, headers: { ...headers, ...unsatisfied } });
  }
  const part = range.kind === "part" ? range : undefined;
  const length = part?.length ?? total;
  const init = {
    status: part ? 206 : 200,
    headers: {
      ...headers,
      "Content-Length": String(length),
      ...(part && { "Content-Range": `bytes ${part.offset}-${part.offset + length - 1}/${total}` }),
    },
  };
  if (request.method === "HEAD") {
    const isThere = sizeBytes === null || (await sizeOfObject(bucket, key)) !== null;
    return isThere ? new Response(null, init) : null;
  }
  const body = await openObject(bucket, key, part);
  return body && new Response(withLength(body, length), init);
}

/** A body with a known length. Without one, the runtime would send it in chunks and drop Content-Length. */
const withLength = (body: ReadableStream<Uint8Array>, length: number): ReadableStream<Uint8Array> =>
  body.pipeThrough(new FixedLengthStream(length));
