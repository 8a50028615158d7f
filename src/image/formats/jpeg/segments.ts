/** Marker segments of JPEG files: ITU T.81 annex B. */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { isFrameMarker } from "./frame-header.ts";

const TEM = 0x01;
export const DHT = 0xc4;
const SOI = 0xd8;
export const EOI = 0xd9;
export const SOS = 0xda;
export const DRI = 0xdd;
export const DHP = 0xde;
export const APP1 = 0xe1;
export const APP2 = 0xe2;
const COM = 0xfe;

const WHERE = "JPEG, before its EOI marker";

/**
 * Reads the next marker. Bytes before it that are no marker are skipped, as every decoder does: some cameras and
 * download tools leave them between segments. So are superfluous restart markers and TEM, which have no content.
 * @throws InvalidImageError when the file ends before
 */
export function* nextMarker(feed: ByteFeed): Parsing<number> {
  for (;;) {
    yield* feed.skipUntil(0xff, WHERE);
    yield* feed.skipRun(0xff, WHERE);
    const code = yield* feed.byte(WHERE);
    if (code !== 0 && code !== TEM && !isRestart(code)) return code;
  }
}

export const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;

/**
 * Returns true for SOF, DHT, DAC, SOS, DQT, DNL, DRI, DHP, EXP, APPn and COM. No file uses JPGn and reserved markers.
 */
export const hasLength = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xef && !(marker >= 0xd0 && marker <= EOI) && marker !== 0xc8) ||
  marker === COM;

/** Returns the name of a marker in messages: SOI, SOS, APP2, SOF0, or its number in hexadecimal. */
export function nameOf(marker: number): string {
  if (marker === SOI) return "SOI";
  if (marker === SOS) return "SOS";
  if (marker >= 0xe0 && marker <= 0xef) return `APP${marker - 0xe0}`;
  if (isFrameMarker(marker)) return `SOF${marker - 0xc0}`;
  return marker.toString(16).toUpperCase().padStart(2, "0");
}
