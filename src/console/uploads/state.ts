/** The states of an upload, and the sentences about all uploads together. */
import { counted } from "../lib/format.ts";

export type UploadState = "waiting" | "converting" | "sending" | "paused" | "done" | "failed";

interface WithState {
  state: UploadState;
}

export const isRunning = ({ state }: WithState): boolean => state === "converting" || state === "sending";

/** Returns whether closing the page would lose the upload or start it anew. */
export const isUnderWay = (upload: WithState): boolean => upload.state === "waiting" || isRunning(upload);

/** Returns whether the upload has ended, unless the editor starts it again. A paused one has not ended. */
export const isOver = ({ state }: WithState): boolean => state === "done" || state === "failed";

/** Returns a sentence about the uploads that end with the session; null if all have ended. */
export function unfinishedWords(uploads: readonly WithState[]): string | null {
  const unfinished = uploads.filter((upload) => !isOver(upload)).length;
  if (unfinished === 0) return null;
  return `${counted(unfinished, "file")} ${unfinished === 1 ? "is" : "are"} not uploaded yet.`;
}

/** Returns "Uploading 2 files" while one is under way; afterwards which did not arrive, or how many did. */
export function titleOf(uploads: readonly WithState[]): string {
  const files = (state: UploadState): number => uploads.filter((upload) => upload.state === state).length;
  const under = uploads.filter(isUnderWay).length;
  if (under > 0) return `Uploading ${counted(under, "file")}`;
  const [paused, failed] = [files("paused"), files("failed")];
  if (paused > 0 && failed > 0) return `${counted(paused, "file")} paused, ${failed} not uploaded`;
  if (paused > 0) return `${counted(paused, "file")} paused`;
  if (failed > 0) return `${counted(failed, "file")} not uploaded`;
  return `${counted(uploads.length, "file")} uploaded`;
}
