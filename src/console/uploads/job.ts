/** A file on its way to the service. */
import type { Session } from "../session/kept.ts";
import type { Renewed } from "../session/session.ts";

/** The session of uploads. Each request reads the key anew, since the next sign-in changes it. */
export interface UploadSession extends Pick<Session, "space" | "key"> {
  renewed: Renewed;
}

export interface Job {
  session: UploadSession;
  file: Blob;
  filename: string;
  /** The item whose file this replaces. */
  mediaId: string | null;
  /** The id of an upload in parts that was begun before. */
  uploadId: string | null;
  signal: AbortSignal;
  onProgress: (sentBytes: number) => void;
  /** The upload can be gone on with under this id, after a reload too. */
  onBegun: (uploadId: string) => void;
}
