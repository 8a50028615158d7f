/** The routes of media items: upload, list, read, change, replace the file, delete (RULES 4.1 to 4.3). */
import * as z from "zod";
import { ApiError, notFound } from "../../../errors.ts";
import { cdnBaseOf, publicBaseOf } from "../../http/addresses.ts";
import type { AppContext } from "../../http/context.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { textSchema } from "../../../content/text/text.ts";
import {
  countedListOf,
  countParameter,
  oneOf,
  pageQuery,
  searchParameter,
} from "../../http/answers/pages.ts";
import { isFilterParameter } from "../../lists/asked-filters.ts";
import { MEDIA_FILTERS, MEDIA_SORTS, openMediaList } from "../../lists/media-list.ts";
import { spaceQueue } from "../../config.ts";
import { megabytes, UPLOAD } from "../../../limits.ts";
import { mediaObject } from "../../media/media-object.ts";
import { focalPointOf } from "../../../image/geometry/focal-point.ts";
import { deleteMedia } from "../../media/trash.ts";
import { cleanFilename } from "../../media/filename.ts";
import { uploadOf } from "../../media/upload-request.ts";
import { replaceFile, uploadMedia, type UploadTools } from "../../media/upload.ts";
import type { Space } from "../../spaces/authorize.ts";
import { changeMedia, readMedia, type MediaWithMaster } from "../../storage/media/media.ts";
import { forgetPicture } from "../../storage/pictures/pictures.ts";
import { filterParameter } from "../records/filter-parameter.ts";
import { purgeCopies } from "../purging.ts";
import { deleteQuery } from "../records/record-schema.ts";
import { deletedSchema, focalPointSchema, mediaSchema, UPLOAD_ERRORS } from "./media-schema.ts";
import { payerOfSpace } from "../records/payer.ts";

const tag = "Media";
const STREAMED = ["image/*", "multipart/form-data"];
const listQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .string()
    .optional()
    .meta({
      description: `Up to 3 of ${MEDIA_SORTS.join(", ")}; \`-\` before a name sorts descending`,
      default: "-createdAt",
    }),
  search: searchParameter("file name and alt text together"),
  count: countParameter,
  filter: filterParameter(`On ${MEDIA_FILTERS.join(", ")}, as for records`),
});

export const viewOf = (c: AppContext, space: Space, row: MediaWithMaster) =>
  mediaObject(space, row.media, row.master, { publicBase: publicBaseOf(c), cdnBase: cdnBaseOf(c) });

export const toolsOf = (c: AppContext): UploadTools => ({
  db: c.get("db"),
  bucket: c.env.BUCKET,
  now: Date.now,
});

/** Tells the queue about a new master while the answer is sent. If that fails, the sweep tells it. */
export function announceMaster(c: AppContext, space: Space): void {
  const announced = spaceQueue(c.env, space.id).makePlaceholders(space.id);
  c.executionCtx.waitUntil(announced.catch(() => undefined));
}

export function respondWithNewMedia(c: AppContext, space: Space, row: MediaWithMaster): Response {
  const location = `${publicBaseOf(c)}/api/v1/${space.name}/media/${row.media.id}`;
  return respond(c, viewOf(c, space, row), { status: 201, headers: { Location: location } });
}

async function respondWithMedia(c: AppContext, space: Space): Promise<Response> {
  const row = await readMedia(c.get("db"), space.id, c.req.param("mediaId") ?? "");
  if (!row) throw notFound("The media item");
  return respond(c, viewOf(c, space, row));
}

export function mountMedia(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/media",
      access: "write",
      streamedBody: STREAMED,
      doc: {
        operationId: "uploadMedia",
        headers: ["X-Filename", "X-Focal-Point"],
        tag,
        summary: "Upload a picture",
        description:
          "The body is the file itself (its name percent-encoded in `X-Filename`), or a form with one part named `file`. " +
          `The format is detected from the content: JPEG, PNG, GIF, WebP, AVIF or SVG, at most ${megabytes(UPLOAD.maxBytes)}. ` +
          "Send a large file in parts: the platform's plans take no body of 100 MB, and a part may be sent again.",
        answers: {
          201: { description: "The media object", schema: oneOf(mediaSchema), headers: ["Location"] },
        },
        errors: [...UPLOAD_ERRORS],
      },
    },
    async ({ c, space }) => {
      const row = await uploadMedia(space, await uploadOf(c.req.raw), toolsOf(c));
      announceMaster(c, space);
      return respondWithNewMedia(c, space, row);
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/media",
      access: "read",
      query: listQuery,
      isOwnParameter: isFilterParameter,
      doc: {
        operationId: "listMedia",
        tag,
        summary: "List media, newest first",
        answers: {
          200: { description: "A page of media objects", schema: countedListOf(mediaSchema) },
        },
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, space, query }) => {
      const filters = [...new URL(c.req.url).searchParams].filter(([name]) => isFilterParameter(name));
      const payer = payerOfSpace(space);
      const reading = { db: c.get("db"), spaceId: space.id, secret: c.env.CURSOR_SECRET, payer };
      const { items, meta } = await openMediaList(reading, query, filters);
      return respond(
        c,
        items.map((row) => viewOf(c, space, row)),
        { meta },
      );
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/media/:mediaId",
      access: "read",
      doc: {
        operationId: "getMedia",
        tag,
        summary: "Read a media object",
        answers: {
          200: { description: "The media object", schema: oneOf(mediaSchema) },
        },
        errors: [],
      },
    },
    ({ c, space }) => respondWithMedia(c, space),
  );

  endpoint(
    app,
    {
      method: "patch",
      path: "/api/v1/:spaceName/media/:mediaId",
      access: "write",
      body: z.strictObject({
        filename: textSchema(UPLOAD.filenameMaxCharacters).optional(),
        alt: textSchema(UPLOAD.altMaxCharacters).optional(),
        focalPoint: focalPointSchema.nullable().optional(),
      }),
      doc: {
        operationId: "updateMedia",
        tag,
        summary: "Change a media item's filename, alt text or focal point",
        answers: {
          200: { description: "The media object", schema: oneOf(mediaSchema) },
        },
        errors: [],
      },
    },
    async ({ c, space, body }) => {
      const filename = body.filename === undefined ? undefined : cleanFilename(body.filename);
      if (filename === null) {
        const details = [{ path: "filename", message: "must have a visible character" }];
        throw new ApiError("VALIDATION_FAILED", "The body does not fit; see details.", { details });
      }
      const id = c.req.param("mediaId") ?? "";
      const focalPoint = body.focalPoint && focalPointOf(body.focalPoint);
      const change = { filename, alt: body.alt, focalPoint };
      if (!(await changeMedia(c.get("db"), space.id, id, change, Date.now())))
        throw notFound("The media item");
      c.set("changesCopies", true);
      if (focalPoint !== undefined) {
        forgetPicture(id);
        purgeCopies(c);
      }
      return respondWithMedia(c, space);
    },
  );

  endpoint(
    app,
    {
      method: "put",
      path: "/api/v1/:spaceName/media/:mediaId/file",
      access: "write",
      streamedBody: STREAMED,
      doc: {
        operationId: "replaceMediaFile",
        headers: ["X-Filename", "X-Focal-Point"],
        tag,
        summary: "Replace the file: a new master version under the same id",
        answers: {
          200: { description: "The media object", schema: oneOf(mediaSchema) },
        },
        errors: [...UPLOAD_ERRORS, "CONFLICT"],
      },
    },
    async ({ c, space }) => {
      await replaceFile(space, c.req.param("mediaId") ?? "", await uploadOf(c.req.raw), toolsOf(c));
      purgeCopies(c);
      announceMaster(c, space);
      return respondWithMedia(c, space);
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/:spaceName/media/:mediaId",
      access: "write",
      query: deleteQuery,
      doc: {
        operationId: "deleteMedia",
        tag,
        summary: "Move a media item to the trash",
        answers: {
          200: {
            description: "Trashed, or removed if the plan keeps no trash",
            schema: oneOf(deletedSchema),
          },
        },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, space, query }) => {
      const conditions = { now: Date.now(), ifUnreferenced: query.ifUnreferenced === "true" };
      const deleted = await deleteMedia(c.get("db"), space, c.req.param("mediaId") ?? "", conditions);
      purgeCopies(c);
      return respond(c, deleted);
    },
  );
}
