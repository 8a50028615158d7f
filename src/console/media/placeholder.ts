/** The stand-in for a picture until it has loaded: its ThumbHash, or its dominant colour. */
import { bmpOf } from "./bmp.ts";
import { pixelsOf } from "./thumb-hash.ts";

const KEPT_MAX = 2000;
const made = new Map<string, string>();

/** Returns a `data:` address of the hash as a picture of some 16 pixels. */
export function thumbHashAddress(hash: string): string {
  const known = made.get(hash);
  if (known !== undefined) return known;
  const bytes = Uint8Array.from(atob(hash), (character) => character.charCodeAt(0));
  const address = `data:image/bmp;base64,${btoa(String.fromCharCode(...bmpOf(pixelsOf(bytes))))}`;
  if (made.size >= KEPT_MAX) made.clear();
  made.set(hash, address);
  return address;
}
