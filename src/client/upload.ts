/** Uploads files of any size in parts. An interrupted upload can be resumed. */
import { bodyOf, SilverprintError } from "./error.ts";
import { partOf } from "./path.ts";
import type { UploadOptions } from "./interface.ts";
import type { Media } from "./models.ts";
import type { components } from "./schema.ts";

type Upload = components["schemas"]["Upload"];

/** A request to a path below the space's `media/uploads`. */
export type SendUpload = (
  method: string,
  path: string,
  body: Blob | object | undefined,
  signal: AbortSignal | undefined,
) => Promise<Response>;

/** Tries per part. More would only delay the error. */
const TRIES_MAX = 4;
const FIRST_PAUSE_MS = 500;

/**
 * Returns whether another try may succeed: after a failure or a slow stretch of the network, an error of the service,
 * or half an answer.
 */
const isPassing = (error: unknown): boolean =>
  !(error instanceof SilverprintError) ||
  (error.status >= 500 && error.code !== "STORAGE_FULL") ||
  error.status < 400 ||
  error.code === "REQUEST_TOO_SLOW";

async function persistently<T>(call: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      if (tries === TRIES_MAX || !isPassing(error) || signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (tries - 1)));
    }
  }
}

/** @throws SilverprintError, what `fetch` throws, the signal's reason */
export async function uploadInParts(file: Blob, options: UploadOptions, send: SendUpload): Promise<Media> {
  const { uploadId, onProgress, signal, ...about } = options;
  const ask = <T>(method: string, path: string, body?: Blob | object): Promise<T> =>
    persistently(
      async () => (await bodyOf<{ data: T }>(await send(method, path, body, signal))).data,
      signal,
    );
  const upload =
    uploadId !== undefined
      ? await ask<Upload>("GET", `/${partOf("uploadId", uploadId)}`)
      : await ask<Upload>("POST", "", { ...about, sizeBytes: file.size });
  const { id, parts, partBytes, sizeBytes } = upload;
  if (sizeBytes !== file.size) {
    throw new TypeError(`The upload is of a file of ${sizeBytes} bytes; this one has ${file.size}.`);
  }
  const received = new Set(upload.received);
  let sent = 0;
  for (let n = 1; n <= parts; n++) {
    const part = file.slice((n - 1) * partBytes, n * partBytes);
    if (!received.has(n)) await ask("PUT", `/${id}/parts/${n}`, part);
    sent += part.size;
    onProgress?.({ uploadId: id, sentBytes: sent, totalBytes: file.size });
  }
  return ask<Media>("POST", `/${id}/complete`);
}
