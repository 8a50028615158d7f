/** A drawing in the probe: gathered whole, since it is written anew, then made safe. */
import { SVG } from "../../../limits.ts";
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { sanitizeSvg } from "./sanitize.ts";
import { tooLarge } from "./text.ts";
import type { SafeSvg } from "./safe-svg.ts";

/**
 * @param head what was taken from the feed already
 * @throws SvgRejectedError as the sanitizer does, and for a file over the limit before it has all come
 */
export function* readSvg(feed: ByteFeed, head: Uint8Array): Parsing<SafeSvg> {
  // Grown by doubling: a client that sends byte by byte must not cost an object a byte.
  let bytes = new Uint8Array(Math.max(2 * head.length, 1024));
  bytes.set(head);
  let length = head.length;
  while (yield* feed.hasMore()) {
    const part = yield* feed.window("the drawing");
    if (length + part.length > SVG.maxBytes) throw tooLarge();
    if (length + part.length > bytes.length) {
      const larger = new Uint8Array(Math.min(SVG.maxBytes, 2 * (length + part.length)));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(part, length);
    length += part.length;
    feed.drop(part.length);
  }
  return sanitizeSvg(bytes.subarray(0, length));
}
