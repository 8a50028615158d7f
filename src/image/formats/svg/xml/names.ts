/** Names and characters of XML 1.0 (fifth edition) and of its namespaces (third edition). */

/** The places in a name at which a character of ASCII may stand, by its code. */
const START = 1;
const INNER = 2;
const ASCII = new Uint8Array(128);
for (let code = 0; code < ASCII.length; code++) {
  const character = String.fromCharCode(code);
  if (/[A-Z_a-z:]/.test(character)) ASCII[code] = START | INNER;
  else if (/[-.0-9]/.test(character)) ASCII[code] = INNER;
}

const STARTS = String.raw`A-Z_a-z:\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}`;
const NAME = new RegExp(String.raw`[${STARTS}][-${STARTS}.0-9\xb7\u0300-\u036f\u203f\u2040]*`, "uy");

/** Returns where the name ends that begins at `at`; `at` itself if none does. */
export function endOfName(text: string, at: number): number {
  let end = at;
  let code = text.charCodeAt(end);
  if (code < ASCII.length && !(ASCII[code]! & START)) return at;
  while (code < ASCII.length && ASCII[code]! & INNER) code = text.charCodeAt(++end);
  if (!(code >= ASCII.length)) return end;
  NAME.lastIndex = at;
  return NAME.test(text) ? NAME.lastIndex : at;
}

/** Characters that a document may not have: controls, and two that are no characters. */
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/;

/** Returns where the first character stands that a document may not have; -1 if there is none. */
export const forbiddenAt = (text: string): number => (text.isWellFormed() ? text.search(FORBIDDEN) : 0);

/** Returns whether a reference may stand for the code point. */
export const isCharacter = (code: number): boolean =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff);

/** Returns whether the code is that of a space, where no line ends in a CR any more. */
export const isSpace = (code: number): boolean => code === 0x20 || code === 0xa || code === 0x9;
