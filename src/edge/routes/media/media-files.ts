/** The routes that take the file of a media item whole: a new item, and a new file of one (RULES 4.1, 4.3). */
import { megabytes, UPLOAD } from "../../../limits.ts";
import { hasDigest } from "../../exchange/import/media-row.ts";
import { digestIn, receiveWaiting } from "../../exchange/import/receive-waiting.ts";
import type { AppContext } from "../../http/context.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { oneOf } from "../../http/answers/pages.ts";
import { replaceFile, uploadMedia } from "../../media/upload.ts";
import { withUpload } from "../../media/upload-request.ts";
import type { Caller, Space } from "../../spaces/authorize.ts";
import { checkMediaChange } from "../../spaces/gate.ts";
import { mediaOf } from "../../storage/exchange/media.ts";
import { invalidateCopies } from "../invalidation.ts";
import { announceMaster, respondWithMedia, respondWithNewMedia, toolsOf, viewOf } from "./media-answers.ts";
import { mediaSchema, UPLOAD_ERRORS } from "./media-schema.ts";

const tag = "Media";
const STREAMED = ["image/*", "multipart/form-data"];

/** Reads a body to its end, so that its sender reads the answer. */
async function passedOver(body: AsyncIterable<Uint8Array>): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  while ((await chunks.next()).done !== true);
}

/**
 * Takes the file of a media item of an import (RULES 18.5), and passes over a file that the item has already: it is sent
 * again where its sender has not read the answer. Null for any other file.
 */
async function takeWaiting(
  c: AppContext,
  { space, caller, id }: { space: Space; caller: Caller; id: string },
  file: Parameters<typeof receiveWaiting>[2],
): Promise<Response | null> {
  const db = c.get("db");
  const isTaken = await receiveWaiting(space, id, file, toolsOf(c, caller));
  const digest = digestIn(file.contentDigest);
  if (!isTaken && digest === null) return null;
  const row = (await mediaOf(db, space.id, [id])).get(id);
  if (!row || (!isTaken && !hasDigest(row.master, digest ?? ""))) return null;
  if (isTaken) {
    invalidateCopies(c);
    announceMaster(c, space);
  } else await passedOver(file.body);
  return respond(c, viewOf(c, caller, row));
}

export function mountUpload(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/media",
      access: "write",
      reaches: "media",
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
    async ({ c, caller, space }) => {
      const row = await withUpload(c.req.raw, (upload) => uploadMedia(space, upload, toolsOf(c, caller)));
      announceMaster(c, space);
      return respondWithNewMedia(c, caller, row);
    },
  );
}

export function mountReplacement(app: App): void {
  endpoint(
    app,
    {
      method: "put",
      path: "/api/v1/:spaceName/media/:mediaId/file",
      access: "write",
      reaches: "media",
      streamedBody: STREAMED,
      doc: {
        operationId: "replaceMediaFile",
        headers: ["X-Filename", "X-Focal-Point"],
        tag,
        description:
          "The file of a media item of an import, which waits for it, is sent with the `Content-Digest` of the SHA-256 that " +
          "its line names. With the digest of the file that is there already, nothing changes.",
        summary: "Replace the file: a new master version under the same id",
        answers: {
          200: { description: "The media object", schema: oneOf(mediaSchema) },
        },
        errors: [...UPLOAD_ERRORS, "CONFLICT"],
      },
    },
    async ({ c, space, caller }) => {
      checkMediaChange(caller.scopes, space);
      const id = c.req.param("mediaId") ?? "";
      const contentDigest = c.req.header("Content-Digest") ?? null;
      return withUpload(c.req.raw, async (upload) => {
        const waited = await takeWaiting(c, { space, caller, id }, { ...upload, contentDigest });
        if (waited) return waited;
        await replaceFile(space, id, upload, toolsOf(c, caller));
        invalidateCopies(c);
        announceMaster(c, space);
        return respondWithMedia(c, caller);
      });
    },
  );
}
