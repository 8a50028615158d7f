/** The names of files as they are stored and shown. Pure. */
import { UPLOAD } from "../../limits.ts";

/** Returns the last segment of a path, without control characters: a name for display. Null when nothing is left. */
export function cleanFilename(name: string | null): string | null {
  const last = (name ?? "").split(/[/\\]/).at(-1) ?? "";
  const clean = last.replaceAll(/\p{Cc}|\p{Cs}/gu, "").trim();
  return clean === "" ? null : Array.from(clean).slice(0, UPLOAD.filenameMaxCharacters).join("");
}
