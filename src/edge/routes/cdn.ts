/** Immutable files: masters under /cdn/m, variants under /cdn/v (completion §5). */
import { notFound } from "../../errors.ts";
import { matchesEtag, parseRange } from "../delivery/range.ts";
import { MIME_OF } from "../../image/model/facts.ts";
import {
  masterFile,
  masterKey,
  parseVariantFile,
  variantKey,
  type MasterAddress,
  type ParsedVariantFile,
} from "../../image/model/variant.ts";
import { MASTER_FORMATS } from "../../image/model/facts.ts";
import { CACHE } from "../../limits.ts";
import type { AppContext } from "../http/context.ts";
import type { App } from "../http/endpoint.ts";
import { describeEndpoint } from "../http/openapi.ts";
import { dropVariantRow, findFile, type StoredFile } from "../storage/files.ts";
import { forgetPicture } from "../storage/pictures.ts";

const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const CONTENT_TYPE_OF_FILE = new Map(
  MASTER_FORMATS.map((format) => [masterFile(format).split(".")[1], MIME_OF[format]]),
);

function addressOf(c: AppContext): MasterAddress {
  const version = c.req.param("version") ?? "";
  if (!/^[1-9]\d{0,9}$/.test(version)) throw notFound("The file");
  return {
    spaceId: c.req.param("spaceId") ?? "",
    mediaId: c.req.param("mediaId") ?? "",
    version: Number(version),
  };
}

/** Headers that every answer about this file carries, 304 and 416 included. */
function fileHeaders(file: string, etag: string): Record<string, string> {
  const extension = file.split(".").at(-1) ?? "";
  return {
    "Cache-Control": `public, max-age=${CACHE.variantSeconds}, immutable`,
    "Content-Type": CONTENT_TYPE_OF_FILE.get(extension) ?? "application/octet-stream",
    ETag: etag,
    "Accept-Ranges": "bytes",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",
    ...(extension === "svg" && { "Content-Security-Policy": SVG_POLICY }),
  };
}

/** The stored bytes, or null when R2 has none under this key. */
async function serve(c: AppContext, key: string, file: string, stored: StoredFile): Promise<Response | null> {
  // The bytes under a key never change, so its name is a strong validator.
  const etag = `"${key}"`;
  const headers = fileHeaders(file, etag);
  if (matchesEtag(c.req.header("If-None-Match") ?? null, etag)) return c.body(null, 304, headers);
  const ifRange = c.req.header("If-Range");
  const wantsRange = ifRange === undefined || ifRange === etag;
  const range = parseRange(wantsRange ? (c.req.header("Range") ?? null) : null, stored.sizeBytes);
  if (range.kind === "unsatisfiable") {
    return c.body(null, 416, {
      ...headers,
      "Content-Range": `bytes */${stored.sizeBytes}`,
      "Cache-Control": "no-store",
    });
  }
  const length = range.kind === "part" ? range.length : stored.sizeBytes;
  headers["Content-Length"] = String(length);
  if (c.req.method === "HEAD") {
    return (await c.env.BUCKET.head(key)) && c.body(null, 200, headers);
  }
  const object = await c.env.BUCKET.get(key, range.kind === "part" ? { range } : {});
  if (!object) return null;
  if (range.kind === "whole") return c.body(fixed(object.body, length), 200, headers);
  const last = range.offset + range.length - 1;
  headers["Content-Range"] = `bytes ${range.offset}-${last}/${stored.sizeBytes}`;
  return c.body(fixed(object.body, length), 206, headers);
}

/** Without a known length the runtime would send the body in chunks and drop Content-Length. */
const fixed = (body: ReadableStream, length: number): ReadableStream =>
  body.pipeThrough(new FixedLengthStream(length));

/** Where an expired variant's picture is asked for: the same variant, to be built again. */
function pictureUrl(
  spaceName: string,
  mediaId: string,
  { width, quality, format }: ParsedVariantFile,
): string {
  const query = new URLSearchParams({ w: String(width) });
  if (quality !== null) query.set("q", String(quality));
  if (format !== "gif") query.set("fm", format);
  return `/api/v1/${spaceName}/pictures/${mediaId}?${query.toString()}`;
}

export function mountCdn(app: App): void {
  const described = {
    method: "get",
    tag: "Image delivery",
    access: "public",
    errors: ["NOT_FOUND"],
  } as const;
  const answers = {
    200: { description: "The file; immutable, with ETag and Content-Length" },
    206: { description: "One byte range of it" },
    304: { description: "If-None-Match names it" },
    416: { description: "The range is outside the file" },
  };
  const masterPath = "/cdn/m/:spaceId/:mediaId/:version/:file";
  const variantPath = "/cdn/v/:spaceId/:mediaId/:version/:file";
  describeEndpoint(app, {
    ...described,
    path: masterPath,
    summary: "A master, byte for byte",
    answers,
    errors: [...described.errors],
  });
  describeEndpoint(app, {
    ...described,
    path: variantPath,
    summary: "A variant",
    answers: { ...answers, 302: { description: "It expired: back to its picture URL" } },
    errors: [...described.errors],
  });

  app.get(masterPath, async (c) => {
    const address = addressOf(c);
    const file = c.req.param("file");
    const found = await findFile(c.get("db"), address, file, "master", Date.now());
    if (found.kind !== "file") throw notFound("The file");
    const response = await serve(c, masterKey(address, file), file, found.file);
    if (!response) throw notFound("The file");
    return response;
  });

  app.get(variantPath, async (c) => {
    const address = addressOf(c);
    const file = c.req.param("file");
    const parsed = parseVariantFile(file);
    if (!parsed) throw notFound("The file");
    const found = await findFile(c.get("db"), address, file, "variant", Date.now());
    if (found.kind === "unknown") throw notFound("The file");
    if (found.kind === "file") {
      const response = await serve(c, variantKey(address, file), file, found.file);
      if (response) return response;
      // The bytes are gone before their row (a lifecycle rule, a hand in the bucket): the row must not say otherwise.
      await dropVariantRow(c.get("db"), address, file);
      forgetPicture(address.mediaId);
    }
    const spaceName = found.kind === "file" ? found.file.spaceName : found.spaceName;
    return c.body(null, 302, {
      Location: pictureUrl(spaceName, address.mediaId, parsed),
      "Cache-Control": "no-store",
    });
  });
}
