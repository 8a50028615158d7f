/** The routes of uploads in parts (RULES 4.7). */
import * as z from "zod";
import { ApiError, notFound } from "../../../errors.ts";
import { focalPointOf } from "../../../image/geometry/focal-point.ts";
import { megabytes, PARTED_UPLOAD, UPLOAD } from "../../../limits.ts";
import { textSchema } from "../../../content/text/text.ts";
import { publicBaseOf } from "../../http/addresses.ts";
import type { AppContext } from "../../http/context.ts";
import { contentLengthOf } from "../../http/requests/request-body.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { isUlid } from "../../http/requests/ids.ts";
import { oneOf } from "../../http/answers/pages.ts";
import {
  abandonUpload,
  beginUpload,
  completeUpload,
  findUpload,
  receivedParts,
  receivePart,
  type PartedTools,
} from "../../media/parted-upload.ts";
import { checkMediaChange } from "../../spaces/gate.ts";
import { cleanFilename } from "../../media/filename.ts";
import { partCount } from "../../storage/media/upload-parts.ts";
import type { Caller } from "../../spaces/authorize.ts";
import type { UploadRow } from "../../storage/media/uploads.ts";
import { announceMaster, respondWithNewMedia, toolsOf } from "./media-answers.ts";
import { focalPointSchema, mediaSchema, UPLOAD_ERRORS } from "./media-schema.ts";
import { invalidateCopies } from "../invalidation.ts";

const tag = "Media";
const PATH = "/api/v1/:spaceName/media/uploads";

const uploadSchema = z
  .object({
    id: z.string(),
    filename: z.string(),
    sizeBytes: z.int().meta({ description: "Bytes of the whole file" }),
    partBytes: z.int().meta({ description: "Bytes of every part but the last" }),
    parts: z.int().meta({ description: "Number of parts; the first part is 1" }),
    received: z.array(z.int()).meta({ description: "Numbers of the parts received so far" }),
    mediaId: z.string().nullable().meta({
      description: "The item whose file is replaced; after completion, the new item",
    }),
    expiresAt: z.iso.datetime().meta({ description: "When the upload is removed" }),
  })
  .meta({ id: "Upload" });

const newUploadSchema = z.strictObject({
  filename: textSchema(UPLOAD.filenameMaxCharacters).transform((name, context) => {
    const clean = cleanFilename(name);
    if (clean !== null) return clean;
    context.addIssue({ code: "custom", message: "must have a visible character" });
    return z.NEVER;
  }),
  sizeBytes: z
    .int()
    .min(1)
    .meta({ description: `At most ${megabytes(UPLOAD.maxBytes)}` }),
  alt: textSchema(UPLOAD.altMaxCharacters).optional(),
  focalPoint: focalPointSchema.nullable().optional(),
  mediaId: z.string().optional().meta({ description: "The item whose file is replaced" }),
});

const partedToolsOf = (c: AppContext, caller: Caller): PartedTools => ({
  ...toolsOf(c, caller),
  waitUntil: (work) => c.executionCtx.waitUntil(work),
});

const viewOf = (upload: UploadRow, received: number[]) => ({
  id: upload.id,
  filename: upload.filename,
  sizeBytes: upload.sizeBytes,
  partBytes: PARTED_UPLOAD.partBytes,
  parts: partCount(upload),
  received,
  mediaId: upload.mediaId,
  expiresAt: new Date(upload.expiresAt).toISOString(),
});

/** Returns the id in the path. @throws ApiError NOT_FOUND if it cannot be the id of an upload */
function uploadIdOf(c: AppContext): string {
  const id = c.req.param("uploadId") ?? "";
  if (!isUlid(id)) throw notFound("The upload");
  return id;
}

function partNumberOf(c: AppContext): number {
  const n = c.req.param("part") ?? "";
  if (!/^[1-9]\d{0,3}$/.test(n)) throw new ApiError("NOT_FOUND", "Parts are numbered from 1.");
  return Number(n);
}

export function mountUploads(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: PATH,
      access: "write",
      reaches: "media work",
      body: newUploadSchema,
      doc: {
        operationId: "createUpload",
        tag,
        summary: "Begin an upload in parts",
        description:
          `Send the file in parts of ${megabytes(PARTED_UPLOAD.partBytes)}, in any order; a part may be sent again. ` +
          "`complete` makes the media item. An upload that is not completed within 24 hours is removed.",
        answers: {
          201: { description: "The upload", schema: oneOf(uploadSchema), headers: ["Location"] },
        },
        errors: [],
      },
    },
    async ({ c, caller, space, body }) => {
      if (body.mediaId !== undefined || body.alt !== undefined) checkMediaChange(caller.scopes, space);
      const { filename, sizeBytes, alt = null, mediaId = null } = body;
      const focalPoint = body.focalPoint ? focalPointOf(body.focalPoint) : null;
      const upload = await beginUpload(
        space,
        { filename, sizeBytes, alt, focalPoint, mediaId },
        toolsOf(c, caller),
      );
      const location = `${publicBaseOf(c)}/api/v1/${space.name}/media/uploads/${upload.id}`;
      return respond(c, viewOf(upload, []), { status: 201, headers: { Location: location } });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: `${PATH}/:uploadId`,
      access: "read",
      reaches: "media work",
      doc: {
        operationId: "getUpload",
        tag,
        summary: "Read which parts of an upload have arrived",
        answers: { 200: { description: "The upload", schema: oneOf(uploadSchema) } },
        errors: [],
      },
    },
    async ({ c, caller, space }) => {
      const tools = toolsOf(c, caller);
      const upload = await findUpload(space, uploadIdOf(c), tools);
      return respond(c, viewOf(upload, await receivedParts(upload, tools)));
    },
  );

  endpoint(
    app,
    {
      method: "put",
      path: `${PATH}/:uploadId/parts/:part`,
      access: "write",
      reaches: "media work",
      streamedBody: ["application/octet-stream"],
      doc: {
        operationId: "putUploadPart",
        tag,
        summary: "Send one part of an upload",
        description: "The body is the part itself. A part that is sent again replaces the earlier one.",
        answers: {
          200: {
            description: "The part is stored",
            schema: oneOf(z.object({ part: z.int(), sizeBytes: z.int() })),
          },
        },
        errors: ["INVALID_UPLOAD", "PAYLOAD_TOO_LARGE", "REQUEST_TOO_SLOW", "CONFLICT", "UNAVAILABLE"],
      },
    },
    async ({ c, caller, space }) => {
      const { raw } = c.req;
      const part = partNumberOf(c);
      // An empty body has no stream. Parts are never empty.
      const body = (raw.body ?? new Blob([]).stream()) as ReadableStream<Uint8Array>;
      const sent = { body, lengthBytes: contentLengthOf(raw) };
      const sizeBytes = await receivePart(space, uploadIdOf(c), part, sent, toolsOf(c, caller));
      return respond(c, { part, sizeBytes });
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: `${PATH}/:uploadId/complete`,
      access: "write",
      reaches: "media work",
      doc: {
        operationId: "completeUpload",
        tag,
        summary: "Complete an upload: make the media item from its parts",
        description:
          "A repeated call answers with the same item. A file that a direct upload would refuse ends the upload.",
        answers: {
          201: { description: "The media object", schema: oneOf(mediaSchema), headers: ["Location"] },
        },
        errors: [...UPLOAD_ERRORS, "UPLOAD_INCOMPLETE", "CONFLICT"],
      },
    },
    async ({ c, caller, space }) => {
      const row = await completeUpload(space, uploadIdOf(c), partedToolsOf(c, caller));
      announceMaster(c, space);
      if (row.master.version > 1) invalidateCopies(c);
      return respondWithNewMedia(c, caller, row);
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: `${PATH}/:uploadId`,
      access: "write",
      reaches: "media work",
      doc: {
        operationId: "deleteUpload",
        tag,
        summary: "Cancel an upload",
        description: "The media item of a completed upload stays.",
        answers: {
          200: {
            description: "Removed",
            schema: oneOf(z.object({ id: z.string(), state: z.literal("removed") })),
          },
        },
        errors: [],
      },
    },
    async ({ c, caller, space }) => {
      const id = uploadIdOf(c);
      await abandonUpload(space, id, partedToolsOf(c, caller));
      return respond(c, { id, state: "removed" });
    },
  );
}
