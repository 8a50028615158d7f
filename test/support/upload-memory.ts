/** A memory of uploads with bounds of a few bytes, and its refusals. */
import { ApiError } from "../../src/errors.ts";
import { UploadMemory } from "../../src/edge/media/upload-memory.ts";

/** Returns the error of an act. @throws Error if the act is not refused */
export function refusal(act: () => void): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error("nothing was refused");
}

/** Returns a memory of `totalBytes`. Its clock stands still if none is given. */
export const memoryOf = (totalBytes: number, perSpaceBytes = totalBytes, now = () => 0): UploadMemory =>
  new UploadMemory({ totalBytes, perSpaceBytes }, now);
