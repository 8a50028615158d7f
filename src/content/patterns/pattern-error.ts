/** What is wrong with a pattern. `message` goes after "pattern": "has a look-around". */
export class PatternError extends Error {
  override readonly name = "PatternError";
}
