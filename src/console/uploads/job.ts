/** One file on its way to the service. */
import type { Session } from "../session/kept.ts";

export interface Job {
  session: Pick<Session, "space" | "key">;
  file: Blob;
  filename: string;
  /** The item whose file this replaces. */
  mediaId: string | null;
  /** Of an upload in parts that was begun before. */
  uploadId: string | null;
  signal: AbortSignal;
  onProgress: (sentBytes: number) => void;
  /** The upload can be gone on with under this id, after a reload too. */
  onBegun: (uploadId: string) => void;
}
