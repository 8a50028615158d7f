/** The drawing is refused (RULES 6.4). The message names the limit that it exceeds, or what is wrong with it. */
export class SvgRejectedError extends Error {
  override readonly name = "SvgRejectedError";
}

/** @param what the counted things, in the plural @throws SvgRejectedError if there are more than `limit` of them */
export function holdTo(limit: number, count: number, what: string): void {
  if (count > limit) throw new SvgRejectedError(`the drawing has more than ${limit} ${what}`);
}
