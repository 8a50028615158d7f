/** Hands out ranges of a file while it streams past. */
import { truncated, type ByteFeed, type Parsing } from "../../bytes/byte-feed.ts";
import { InvalidImageError } from "../../bytes/errors.ts";

/** Items that share bytes are rare, and equal ranges are tapped once. More at one place would make a file costly to read. */
const OVERLAPPING_MAX = 16;

export interface Tap {
  /** Offsets in the file. */
  offset: number;
  end: number;
  /** Takes the bytes of the range in order. They are valid until it returns. */
  take(bytes: Uint8Array): void;
}

export class Taps {
  /** Those whose range has not begun, the next one last. */
  #waiting: Tap[] = [];
  #active: Tap[] = [];

  /** Replaces all taps. @param taps in any order; one whose range begins before `position` is left out */
  set(taps: Tap[], position: number): void {
    this.#active = [];
    this.#waiting = taps.filter(({ offset }) => offset >= position).sort((a, b) => b.offset - a.offset);
  }

  /**
   * Passes over the file up to `end`, or to the end of the file if that is Infinity.
   * @throws InvalidImageError when the file ends before, and what the taps throw
   */
  *pass(feed: ByteFeed, end: number, where: string): Parsing<void> {
    while (feed.position < end && (yield* feed.hasMore())) {
      const window = yield* feed.window(where);
      const bytes = window.subarray(0, Math.min(window.length, end - feed.position));
      this.#offer(bytes, feed.position);
      feed.drop(bytes.length);
    }
    if (end !== Infinity && feed.position < end) throw truncated(where);
  }

  #offer(bytes: Uint8Array, start: number): void {
    const end = start + bytes.length;
    while ((this.#waiting.at(-1)?.offset ?? Infinity) < end) {
      const tap = this.#waiting.pop()!;
      this.#active.push(tap);
      const overlapping = this.#active.filter((other) => other.end > tap.offset);
      if (overlapping.length > OVERLAPPING_MAX)
        throw new InvalidImageError("AVIF has items that share their bytes");
    }
    for (const tap of this.#active)
      tap.take(bytes.subarray(Math.max(0, tap.offset - start), tap.end - start));
    this.#active = this.#active.filter((tap) => tap.end > end);
  }
}
