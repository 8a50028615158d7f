/** Sends one file: in one request when it is small, else in parts that survive a broken line. */
import { PARTED_UPLOAD } from "../../limits.ts";
import type { Media } from "../../client/index.ts";
import { sendInParts } from "./parts.ts";
import type { Job } from "./job.ts";
import { persistently } from "./persistently.ts";
import { send } from "./transport.ts";

function sendWhole({ session, file, filename, mediaId, signal, onProgress }: Job): Promise<Media> {
  const media = `/api/v1/${session.space}/media`;
  return send<Media>({
    method: mediaId === null ? "POST" : "PUT",
    path: mediaId === null ? media : `${media}/${mediaId}/file`,
    key: session.key,
    body: file,
    headers: {
      "Content-Type": file.type.startsWith("image/") ? file.type : "application/octet-stream",
      "X-Filename": encodeURIComponent(filename),
    },
    signal,
    onProgress,
  });
}

/** @throws SilverprintError for a refusal */
export async function runJob(job: Job): Promise<Media> {
  if (job.file.size > PARTED_UPLOAD.wholeMaxBytes || job.uploadId !== null) {
    const media = await sendInParts(job);
    if (media) return media;
  }
  return persistently(job, () => sendWhole(job));
}
