/** The probe of a drawing: the whole file is collected and then sanitized, in pieces. */
import { SVG } from "../../../limits.ts";
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { sanitizedInPieces } from "./safe/sanitize.ts";
import { tooLarge } from "./safe/text.ts";
import type { SafeSvg } from "./safe/safe-svg.ts";
import { Work } from "./work/work.ts";

/**
 * @param head the bytes that were consumed from the feed already
 * @param begin gets the budget of the checking before any of it is spent
 * @throws SvgRejectedError when the sanitizer does, and as soon as the file exceeds the limit
 */
export function* readSvg(
  feed: ByteFeed,
  head: Uint8Array,
  begin: (work: Work) => void = () => undefined,
): Parsing<SafeSvg> {
  // The buffer grows by doubling, so that a client that sends single bytes does not cost one object per byte.
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
  const work = new Work(length);
  begin(work);
  return yield* sanitizedInPieces(bytes.subarray(0, length), work);
}
