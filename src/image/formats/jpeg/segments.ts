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

/** The marker that must stand here, with any number of fill bytes FF before it (T.81 section B.1.1.2). */
export function* nextMarker(feed: ByteFeed): Parsing<number> {
  const at = feed.position;
  if ((yield* feed.byte("JPEG, before its EOI marker")) !== 0xff) {
    throw new InvalidImageError(`JPEG has no marker at byte ${at}, where the segment before it ends`);
  }
  yield* feed.skipRun(0xff, "JPEG, before its EOI marker");
  return yield* feed.byte("JPEG, before its EOI marker");
}

/** SOF, DHT, DAC, SOS, DQT, DNL, DRI, DHP, EXP, APPn and COM. JPGn and reserved markers are in no file in use. */
export const hasLength = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xef && !(marker >= 0xd0 && marker <= EOI) && marker !== 0xc8) ||
  marker === COM;

/** As messages name a marker: SOI, SOS, APP2, SOF0, or its number. */
export function nameOf(marker: number): string {
  if (marker === SOI) return "SOI";
  if (marker === SOS) return "SOS";
  if (marker >= 0xe0 && marker <= 0xef) return `APP${marker - 0xe0}`;
  if (isFrameMarker(marker)) return `SOF${marker - 0xc0}`;
  return marker.toString(16).toUpperCase().padStart(2, "0");
}
