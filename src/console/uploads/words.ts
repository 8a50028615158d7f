/** The reasons why a file was refused, in words for the editor that chose it. */
import { SilverprintError } from "../../client/index.ts";
import { megabytes, UPLOAD } from "../../limits.ts";

const WORDS: Partial<Record<SilverprintError["code"], string>> = {
  UNSUPPORTED_MEDIA: "This is not a JPEG, PNG, GIF, WebP, AVIF or SVG.",
  INVALID_IMAGE: "The file is damaged, or not the picture that it says it is.",
  PAYLOAD_TOO_LARGE: `The file is larger than ${megabytes(UPLOAD.maxBytes)}.`,
  FORBIDDEN: "Your key may read, but not upload. A key with the role write may.",
  NOT_FOUND: "The item, or the upload, is no longer there.",
};

/** The errors of the file itself, for which another try would be refused, too. */
const OF_FILE: readonly SilverprintError["code"][] = [
  "UNSUPPORTED_MEDIA",
  "INVALID_IMAGE",
  "SVG_REJECTED",
  "PAYLOAD_TOO_LARGE",
];

export const mayTryAgain = (error: unknown): boolean =>
  !(error instanceof SilverprintError && OF_FILE.includes(error.code));

export function refusalOf(error: unknown): string {
  if (!(error instanceof SilverprintError)) return error instanceof Error ? error.message : String(error);
  const words = WORDS[error.code];
  // A drawing is refused for many reasons, and the service names the one.
  return words ?? error.message;
}

/** Returns the reason for which the service will refuse a file, before a byte is sent; null when there is none. */
export function refusalBefore(file: File): string | null {
  if (file.size === 0) return "The file is empty.";
  if (file.size > UPLOAD.maxBytes) return `The file is larger than ${megabytes(UPLOAD.maxBytes)}.`;
  return null;
}
