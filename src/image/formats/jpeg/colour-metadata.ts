/** Reads the ICC profile of a JPEG from the APP2 segments before the first scan (ICC.1:2022, annex B.4). */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { startsWith, u16be } from "../../bytes/numbers.ts";
import { APP2, hasLength, nextMarker, SOS } from "./segments.ts";

const ICC_IDENTIFIER = "ICC_PROFILE\0";
/** The identifier, the number of the part (counted from 1), and the number of parts. */
const ICC_HEAD_BYTES = ICC_IDENTIFIER.length + 2;

export function* readJpegColour(feed: ByteFeed, maxBytes: number): Parsing<{ icc?: Uint8Array }> {
  const parts = new ProfileParts(maxBytes);
  yield* feed.skip(2, "JPEG");
  for (;;) {
    const marker = yield* nextMarker(feed);
    if (marker === SOS || !hasLength(marker)) break;
    const size = u16be(yield* feed.take(2, "JPEG"), 0) - 2;
    if (marker === APP2 && size >= ICC_HEAD_BYTES) parts.add(yield* feed.take(size, "JPEG"));
    else yield* feed.skip(size, "JPEG");
  }
  const icc = parts.whole();
  return icc ? { icc } : {};
}

/** The parts of a profile, in any order. A profile whose parts contradict each other is ignored. */
class ProfileParts {
  readonly #parts = new Map<number, Uint8Array>();
  #count = 0;
  #bytes = 0;
  #isBroken = false;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(segment: Uint8Array): void {
    if (!startsWith(segment, ICC_IDENTIFIER) || this.#isBroken) return;
    const [number, count] = segment.subarray(ICC_IDENTIFIER.length) as unknown as [number, number];
    this.#bytes += segment.length - ICC_HEAD_BYTES;
    this.#isBroken =
      number === 0 ||
      number > count ||
      this.#parts.has(number) ||
      (this.#count !== 0 && count !== this.#count) ||
      this.#bytes > this.#maxBytes;
    this.#count = count;
    if (this.#isBroken) this.#parts.clear();
    // Copied, because all chunks of the file may be read into the same buffer.
    else this.#parts.set(number, segment.slice(ICC_HEAD_BYTES));
  }

  /** Returns the parts in order; null when one is missing. */
  whole(): Uint8Array | null {
    if (this.#parts.size === 0 || this.#parts.size !== this.#count) return null;
    const whole = new Uint8Array(this.#bytes);
    let end = 0;
    for (let number = 1; number <= this.#count; number++) {
      const part = this.#parts.get(number) as Uint8Array;
      whole.set(part, end);
      end += part.length;
    }
    return whole;
  }
}
