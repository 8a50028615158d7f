/** The file says that it is an image of a known kind, and its structure does not hold. */
export class InvalidImageError extends Error {
  override readonly name = "InvalidImageError";
}

/** Kinds that are recognised in order to be refused by name. */
export type RefusedKind = "heic";

/** The file is not one of the kinds that are stored. */
export class UnsupportedMediaError extends Error {
  override readonly name = "UnsupportedMediaError";
  /** What the file was recognised as; null when it was not recognised. */
  readonly kind: RefusedKind | null;

  constructor(message: string, kind: RefusedKind | null = null) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Counts parts of a file and refuses more than `limit` of them: a file of 100 MB made of the smallest parts
 * would otherwise cost seconds of parsing.
 * @param what plural, as it reads in the message ("JPEG segments")
 */
export function tally(limit: number, what: string): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > limit) throw new InvalidImageError(`more than ${limit} ${what}`);
  };
}
