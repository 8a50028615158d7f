/** The file claims to be an image of a known kind, but its structure is invalid. */
export class InvalidImageError extends Error {
  override readonly name = "InvalidImageError";
}

/** Kinds that are recognised only so that the error can name them. */
export type RefusedKind = "heic";

/** The file is not one of the kinds that are stored. */
export class UnsupportedMediaError extends Error {
  override readonly name = "UnsupportedMediaError";
  /** The kind that was recognised; null when none was. */
  readonly kind: RefusedKind | null;

  constructor(message: string, kind: RefusedKind | null = null) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Makes a function that counts the parts of a file, one per call. Without a limit, a file of 100 MB that consists of
 * the smallest possible parts would take seconds to parse.
 * @param what the plural of the part for the message ("JPEG segments")
 * @returns a function that throws InvalidImageError from call `limit + 1` on
 */
export function countUpTo(limit: number, what: string): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > limit) throw new InvalidImageError(`more than ${limit} ${what}`);
  };
}
