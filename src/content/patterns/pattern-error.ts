/** The fault of a pattern. Its `message` continues the word "pattern": "has a look-around". */
export class PatternError extends Error {
  override readonly name = "PatternError";
}
