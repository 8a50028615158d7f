import { InvalidImageError } from "./errors.ts";

/** A parser in progress. It yields when it needs bytes that have not arrived yet, and returns what it read. */
export type Parsing<T> = Generator<undefined, T, undefined>;

const NOTHING = new Uint8Array(0);

/**
 * The bytes of a file, one chunk at a time. Parsers ask for bytes with `yield*`. The code that drives the parser
 * calls `give` or `end` after each yield. No chunk is held once it has been read: `take` and `peek` return copies,
 * so the caller may reuse or transfer its buffers.
 */
export class ByteFeed {
  #bytes: Uint8Array = NOTHING;
  #at = 0;
  /** Offset in the file of `#bytes[0]`. */
  #offset = 0;
  #ended = false;

  give(given: Uint8Array): void {
    // A plain Uint8Array even for a Node Buffer, whose `slice` does not copy.
    const chunk = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
    const left = this.#bytes.subarray(this.#at);
    this.#offset += this.#at;
    this.#at = 0;
    this.#bytes = left.length === 0 ? chunk : join(left, chunk);
  }

  end(): void {
    this.#ended = true;
  }

  /** Offset in the file of the next byte. */
  get position(): number {
    return this.#offset + this.#at;
  }

  /** Returns whether the file has another byte. */
  *hasMore(): Parsing<boolean> {
    while (this.#at === this.#bytes.length) {
      if (this.#ended) return false;
      yield;
    }
    return true;
  }

  /** Returns the next `size` bytes, or fewer at the end of the file, without consuming them. Keep `size` small. */
  *peek(size: number): Parsing<Uint8Array> {
    while (this.#bytes.length - this.#at < size && !this.#ended) {
      this.#offset += this.#at;
      this.#bytes = this.#bytes.slice(this.#at);
      this.#at = 0;
      yield;
    }
    return this.#bytes.slice(this.#at, this.#at + size);
  }

  /** Returns the next `size` bytes, or fewer at the end of the file. The caller bounds `size`: it is allocated. */
  *takeUpTo(size: number): Parsing<Uint8Array> {
    if (this.#bytes.length - this.#at >= size) {
      this.#at += size;
      return this.#bytes.slice(this.#at - size, this.#at);
    }
    const taken = new Uint8Array(size);
    return taken.subarray(0, yield* this.#copyTo(taken));
  }

  /**
   * Fills `target` with the next bytes.
   * @param where the part being read, as for `take`
   * @throws InvalidImageError when the file ends first
   */
  *fill(target: Uint8Array, where: string): Parsing<Uint8Array> {
    if ((yield* this.#copyTo(target)) < target.length) throw truncated(where);
    return target;
  }

  /** @returns how many bytes there were, up to the length of `target` */
  *#copyTo(target: Uint8Array): Parsing<number> {
    let filled = 0;
    while (filled < target.length && (yield* this.hasMore())) {
      const part = this.#bytes.subarray(this.#at, this.#at + target.length - filled);
      target.set(part, filled);
      filled += part.length;
      this.#at += part.length;
    }
    return filled;
  }

  /**
   * Returns the next `size` bytes. The caller bounds `size`: it is allocated.
   * @param where the part being read, as it reads after "the file ends inside"
   * @throws InvalidImageError when the file ends first
   */
  *take(size: number, where: string): Parsing<Uint8Array> {
    const taken = yield* this.takeUpTo(size);
    if (taken.length < size) throw truncated(where);
    return taken;
  }

  /** @throws InvalidImageError when the file ends first */
  *byte(where: string): Parsing<number> {
    const bytes = yield* this.window(where);
    this.#at += 1;
    return bytes[0]!;
  }

  /**
   * Returns the bytes that are in memory, at least one. They are not consumed: the caller loops over them and then
   * calls `drop`. The result is a view of the current chunk and is valid until the next `yield`. Long data is read with
   * this, because one `yield*` per byte takes a hundred times as long.
   * @throws InvalidImageError when the file has ended
   */
  *window(where: string): Parsing<Uint8Array> {
    if (!(yield* this.hasMore())) throw truncated(where);
    return this.#at === 0 ? this.#bytes : this.#bytes.subarray(this.#at);
  }

  /** Consumes `size` bytes of the last `window`. */
  drop(size: number): void {
    this.#at += size;
  }

  /** @throws InvalidImageError when the file ends first */
  *skip(size: number, where: string): Parsing<void> {
    let left = size;
    while (left > 0) {
      const bytes = yield* this.window(where);
      const step = Math.min(left, bytes.length);
      this.drop(step);
      left -= step;
    }
  }

  /** Skips as many bytes of this value as there are. @throws InvalidImageError when the file ends in them */
  *skipRun(value: number, where: string): Parsing<void> {
    for (;;) {
      const bytes = yield* this.window(where);
      let at = 0;
      while (at < bytes.length && bytes[at] === value) at += 1;
      this.drop(at);
      if (at < bytes.length) return;
    }
  }

  /** Skips to the next byte of this value. @throws InvalidImageError when there is none */
  *skipUntil(value: number, where: string): Parsing<void> {
    for (;;) {
      const at = (yield* this.window(where)).indexOf(value);
      this.drop(at === -1 ? this.#bytes.length - this.#at : at);
      if (at !== -1) return;
    }
  }

  *skipToEnd(): Parsing<void> {
    while (yield* this.hasMore()) this.#at = this.#bytes.length;
  }
}

export function truncated(where: string): InvalidImageError {
  return new InvalidImageError(`the file ends inside ${where}`);
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
