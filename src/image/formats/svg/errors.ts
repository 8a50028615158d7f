/** The drawing is refused as a whole (RULES 6.4): its reason names the limit that it broke. */
export class SvgRejectedError extends Error {
  override readonly name = "SvgRejectedError";
}

/** @throws SvgRejectedError for more than `limit` of `what`, which reads in the plural */
export function holdTo(limit: number, count: number, what: string): void {
  if (count > limit) throw new SvgRejectedError(`the drawing has more than ${limit} ${what}`);
}
