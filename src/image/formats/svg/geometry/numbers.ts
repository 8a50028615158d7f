/** Scans numbers of SVG without a pattern: path data of a megabyte have a few hundred thousand. */

const ZERO = "0".charCodeAt(0);
const PLUS = "+".charCodeAt(0);
const MINUS = "-".charCodeAt(0);
const DOT = ".".charCodeAt(0);
const E = "e".charCodeAt(0);
const Z = "z".charCodeAt(0);
/** The bit by which a small letter differs from its capital. */
const SMALL = 0x20;

// Any comparison with the NaN past the end of a text is false.
const isDigit = (code: number): boolean => code >= ZERO && code <= ZERO + 9;
const isSign = (code: number): boolean => code === PLUS || code === MINUS;

/** Returns where the number ends that begins at `at`, such as `-.5e3`; `at` itself if none does. */
export function endOfNumber(text: string, at: number): number {
  let end = isSign(text.charCodeAt(at)) ? at + 1 : at;
  const whole = end;
  while (isDigit(text.charCodeAt(end))) end += 1;
  let digits = end - whole;
  if (text.charCodeAt(end) === DOT && (digits > 0 || isDigit(text.charCodeAt(end + 1)))) {
    const fraction = ++end;
    while (isDigit(text.charCodeAt(end))) end += 1;
    digits += end - fraction;
  }
  if (digits === 0) return at;
  if ((text.charCodeAt(end) | SMALL) !== E) return end;
  let exponent = end + 1;
  if (isSign(text.charCodeAt(exponent))) exponent += 1;
  if (!isDigit(text.charCodeAt(exponent))) return end;
  while (isDigit(text.charCodeAt(exponent))) exponent += 1;
  return exponent;
}

/** Returns the most corners that path data or points may have: as many as they have numbers, and closed subpaths. */
export function cornersOf(text: string): number {
  let corners = 0;
  let wasDigit = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isNow = isDigit(code);
    if ((isNow && !wasDigit) || (code | SMALL) === Z) corners += 1;
    wasDigit = isNow;
  }
  return corners;
}
