/** Reads an upload from a request: the file itself as the body, or one part of a form (RULES 4.1). */
import { ApiError } from "../../errors.ts";
import { type FocalPoint, parseFocalPoint } from "../../image/geometry/focal-point.ts";
import { megabytes, UPLOAD } from "../../limits.ts";
import { chunksOf, contentLengthOf, passOverRest } from "../http/requests/request-body.ts";
import { cleanFilename } from "./filename.ts";
import { filePart } from "./multipart.ts";
import type { Upload } from "./upload.ts";

/**
 * Hands the upload of a request to a function that stores it. If that fails, the rest of the body is read, so that its
 * sender reads the answer (RULES 10.4).
 * @throws ApiError INVALID_UPLOAD, PAYLOAD_TOO_LARGE (by Content-Length, before anything is read), and what `store` throws
 */
export async function withUpload<T>(request: Request, store: (upload: Upload) => Promise<T>): Promise<T> {
  const upload = await uploadOf(request);
  try {
    return await store(upload);
  } catch (error) {
    await passOverRest(upload.body);
    throw error;
  }
}

async function uploadOf(request: Request): Promise<Upload> {
  const { headers } = request;
  const body = request.body as ReadableStream<Uint8Array> | null;
  if (!body)
    throw new ApiError("INVALID_UPLOAD", "The request has no body: send the file itself, or a form.");
  const contentType = headers.get("Content-Type") ?? "";
  const isForm = /^multipart\/form-data\b/i.test(contentType);
  // Only an early exit: the limit itself applies to the bytes that are received.
  const announcedBytes = contentLengthOf(request);
  if (!isForm && (announcedBytes ?? 0) > UPLOAD.maxBytes) {
    throw new ApiError("PAYLOAD_TOO_LARGE", `A file may have at most ${megabytes(UPLOAD.maxBytes)}.`);
  }
  const focalPoint = focalPointIn(headers.get("X-Focal-Point"));
  const chunks = chunksOf(body);
  if (isForm) {
    const part = await filePart(chunks, contentType);
    return { filename: cleanFilename(part.filename), focalPoint, body: part.body, announcedBytes };
  }
  const filename = cleanFilename(decodedFilename(headers.get("X-Filename")));
  return { filename, focalPoint, body: chunks, announcedBytes };
}

function focalPointIn(header: string | null): FocalPoint | null {
  if (header === null) return null;
  const point = parseFocalPoint(header.trim());
  if (point) return point;
  throw new ApiError("INVALID_UPLOAD", "X-Focal-Point must be two numbers from 0 to 1, such as 0.25,0.75.");
}

function decodedFilename(header: string | null): string | null {
  if (header === null) return null;
  try {
    return decodeURIComponent(header);
  } catch (cause) {
    throw new ApiError("INVALID_UPLOAD", "X-Filename must be percent-encoded UTF-8.", { cause });
  }
}
