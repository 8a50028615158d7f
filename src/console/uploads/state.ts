/** The states of an upload, and what the list of uploads says of them together. */
import { counted } from "../lib/format.ts";

export type UploadState = "waiting" | "converting" | "sending" | "paused" | "done" | "failed";

interface WithState {
  state: UploadState;
}

export const isRunning = ({ state }: WithState): boolean => state === "converting" || state === "sending";

/** Whether it is lost, or starts anew, when the page goes. */
export const isUnderWay = (upload: WithState): boolean => upload.state === "waiting" || isRunning(upload);

/** Whether nothing more comes of it unless somebody asks. What is paused waits to go on. */
export const isOver = ({ state }: WithState): boolean => state === "done" || state === "failed";

/** "Uploading 2 files" while one is under way; afterwards which did not arrive, or how many did. */
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
