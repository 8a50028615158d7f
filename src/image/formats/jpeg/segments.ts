/** Marker segments of JPEG files: ITU T.81 annex B. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { isFrameMarker } from "./frame-header.ts";

const SOI = 0xd8;
export const EOI = 0xd9;
export const SOS = 0xda;
export const DHP = 0xde;
export const APP1 = 0xe1;
export const APP2 = 0xe2;
const COM = 0xfe;

/** Reads a marker, and any fill bytes FF before it (T.81 section B.1.1.2). @throws InvalidImageError without one */
export function* nextMarker(feed: ByteFeed): Parsing<number> {
  const at = feed.position;
  if ((yield* feed.byte("JPEG, before its EOI marker")) !== 0xff) {
    throw new InvalidImageError(`JPEG has no marker at byte ${at}, where the segment before it ends`);
  }
  yield* feed.skipRun(0xff, "JPEG, before its EOI marker");
  return yield* feed.byte("JPEG, before its EOI marker");
}

/** True for SOF, DHT, DAC, SOS, DQT, DNL, DRI, DHP, EXP, APPn and COM. No file uses JPGn and reserved markers. */
export const hasLength = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xef && !(marker >= 0xd0 && marker <= EOI) && marker !== 0xc8) ||
  marker === COM;

/** The name of a marker in messages: SOI, SOS, APP2, SOF0, or its number in hexadecimal. */
export function nameOf(marker: number): string {
  if (marker === SOI) return "SOI";
  if (marker === SOS) return "SOS";
  if (marker >= 0xe0 && marker <= 0xef) return `APP${marker - 0xe0}`;
  if (isFrameMarker(marker)) return `SOF${marker - 0xc0}`;
  return marker.toString(16).toUpperCase().padStart(2, "0");
}
