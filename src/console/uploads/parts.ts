/**
 * An upload in parts: each part that arrived stays, so that a break costs a part and not the file. The upload is known
 * by its id; a tab that knows it goes on with it.
 */
import { type Media, SilverprintError } from "../../client/index.ts";
import type { Job } from "./job.ts";
import { persistently } from "./persistently.ts";
import { send } from "./transport.ts";

interface Begun {
  id: string;
  partBytes: number;
  parts: number;
  /** Numbers of the parts that have arrived, from 1. */
  received: number[];
}

const AT_ONCE_MAX = 2;
const GONE = [404, 405];

const isGone = (error: unknown): boolean => error instanceof SilverprintError && GONE.includes(error.status);

async function call<Data>(job: Job, method: "GET" | "POST", path: string, body?: object): Promise<Data> {
  const { session, signal } = job;
  const response = await fetch(`/api/v1/${session.space}/media/uploads${path}`, {
    method,
    headers: { Authorization: `Bearer ${session.key}`, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new SilverprintError(503, { message: String(cause) });
  });
  const json = (await response.json().catch(() => ({}))) as {
    data: Data;
    error?: ConstructorParameters<typeof SilverprintError>[1];
  };
  if (!response.ok) throw new SilverprintError(response.status, json.error ?? {});
  return json.data;
}

/** Returns where an upload stands: one begun before, or a new one. Null when the service takes no uploads in parts. */
async function begin(job: Job): Promise<Begun | null> {
  const { uploadId, filename, file, mediaId } = job;
  if (uploadId !== null) {
    try {
      return await call<Begun>(job, "GET", `/${uploadId}`);
    } catch (error) {
      // Swept meanwhile: from the start.
      if (!isGone(error)) throw error;
    }
  }
  try {
    const sizeBytes = file.size;
    return await call<Begun>(job, "POST", "", { filename, sizeBytes, ...(mediaId !== null && { mediaId }) });
  } catch (error) {
    if (isGone(error) && mediaId === null) return null;
    throw error;
  }
}

/** Sends a file in parts. Null when the service takes no uploads in parts. */
export async function sendInParts(job: Job): Promise<Media | null> {
  const { file, session, signal, onProgress, onBegun } = job;
  const begun = await persistently(job, () => begin(job));
  if (!begun) return null;
  onBegun(begun.id);
  const { id, partBytes, parts } = begun;
  const sizeOf = (part: number): number => Math.min(partBytes, file.size - (part - 1) * partBytes);
  const sent = new Map(begun.received.map((part) => [part, sizeOf(part)]));
  const report = (): void => onProgress([...sent.values()].reduce((sum, bytes) => sum + bytes, 0));
  report();
  const due = Array.from({ length: parts }, (_, at) => at + 1).filter((part) => !sent.has(part));
  const sendParts = async (): Promise<void> => {
    for (let part = due.shift(); part !== undefined; part = due.shift()) {
      const number = part;
      const start = (number - 1) * partBytes;
      await persistently(job, () =>
        send({
          method: "PUT",
          path: `/api/v1/${session.space}/media/uploads/${id}/parts/${number}`,
          key: session.key,
          body: file.slice(start, start + sizeOf(number)),
          headers: { "Content-Type": "application/octet-stream" },
          signal,
          onProgress: (bytes) => {
            sent.set(number, bytes);
            report();
          },
        }),
      );
      sent.set(number, sizeOf(number));
      report();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE_MAX }, sendParts));
  return persistently(job, () => call<Media>(job, "POST", `/${id}/complete`));
}
