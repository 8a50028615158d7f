/** Immutable files: masters under /cdn/m, variants under /cdn/v (RULES 7.6). */
import { notFound } from "../../errors.ts";
import { MASTER_FORMATS } from "../../image/model/facts.ts";
import {
  masterFile,
  masterKey,
  parseVariantFile,
  variantKey,
  type MasterAddress,
} from "../../image/model/variant.ts";
import { CACHE } from "../../limits.ts";
import { pictureAddress } from "../delivery/expired.ts";
import { serveFile } from "../delivery/serve-file.ts";
import type { AppContext } from "../http/context.ts";
import { describeEndpoint } from "../http/describe.ts";
import type { EndpointDescription } from "../http/description.ts";
import type { App } from "../http/endpoint.ts";
import { checkFlood } from "./flood.ts";
import { isUlid } from "../http/ids.ts";
import { dropVariantRow, findFile, type StoredFile } from "../storage/files.ts";
import { forgetPicture } from "../storage/pictures.ts";
import { readDatabase } from "../storage/read-database.ts";

const MASTER_FILES = new Set(MASTER_FORMATS.map(masterFile));

/** @throws ApiError NOT_FOUND for what no file can have, before anything is asked */
function addressOf(c: AppContext): MasterAddress {
  const version = c.req.param("version") ?? "";
  const spaceId = c.req.param("spaceId") ?? "";
  const mediaId = c.req.param("mediaId") ?? "";
  if (!/^[1-9]\d{0,9}$/.test(version) || !isUlid(spaceId) || !isUlid(mediaId)) throw notFound("The file");
  return { spaceId, mediaId, version: Number(version) };
}

const find = (c: AppContext, address: MasterAddress, file: string, kind: "master" | "variant") =>
  findFile(readDatabase(c.env.DB, c.get("queryCount")), address, file, kind, Date.now());

const serve = (c: AppContext, key: string, file: string, { sizeBytes }: StoredFile) =>
  serveFile(
    c.req.raw,
    c.env.BUCKET,
    { key, file, sizeBytes },
    { "Cache-Control": `public, max-age=${CACHE.variantSeconds}, immutable` },
  );

export function mountCdn(app: App): void {
  const described = {
    method: "get",
    tag: "Image delivery",
    access: "public",
    errors: ["NOT_FOUND", "IMAGE_DELIVERY_RATE_LIMITED"],
    headers: ["If-None-Match", "Range"],
  } as const;
  const answers = {
    200: {
      description: "The file; immutable, with ETag and Content-Length",
      headers: ["ETag", "Cache-Control", "Accept-Ranges"],
    },
    206: { description: "One byte range of it", headers: ["ETag", "Content-Range"] },
    304: { description: "If-None-Match names it" },
    416: { description: "The range is outside the file", headers: ["Content-Range"] },
  } satisfies EndpointDescription["answers"];
  const masterPath = "/cdn/m/:spaceId/:mediaId/:version/:file";
  const variantPath = "/cdn/v/:spaceId/:mediaId/:version/:file";
  describeEndpoint(app, {
    ...described,
    path: masterPath,
    operationId: "getMasterFile",
    summary: "A master, byte for byte",
    answers,
    errors: [...described.errors],
  });
  describeEndpoint(app, {
    ...described,
    path: variantPath,
    operationId: "getVariantFile",
    summary: "A variant",
    answers: { ...answers, 302: { description: "It expired: back to its picture URL" } },
    errors: [...described.errors],
  });

  app.get(masterPath, async (c) => {
    await checkFlood(c, "FILE_FLOOD");
    const address = addressOf(c);
    const file = c.req.param("file");
    if (!MASTER_FILES.has(file)) throw notFound("The file");
    const found = await find(c, address, file, "master");
    if (found.kind !== "file") throw notFound("The file");
    const response = await serve(c, masterKey(address, file), file, found.file);
    if (!response) throw notFound("The file");
    return response;
  });

  app.get(variantPath, async (c) => {
    await checkFlood(c, "FILE_FLOOD");
    const address = addressOf(c);
    const file = c.req.param("file");
    const parsed = parseVariantFile(file);
    if (!parsed) throw notFound("The file");
    const found = await find(c, address, file, "variant");
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
      Location: pictureAddress(spaceName, address.mediaId, parsed),
      "Cache-Control": "no-store",
    });
  });
}
