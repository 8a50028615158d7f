/** Writes names and strings of selectors (CSSOM, "serialize an identifier"). They are only compared, never resolved. */

const PLAIN = /^(?:-?[A-Za-z_]|--|[^\0-\x7f])(?:[\w-]|[^\0-\x7f])*$/;
const PUNCTUATION = "!#$%&'()*+,./:;=?@[]^`{|}~";

const inHex = (character: string): string => `\\${character.codePointAt(0)!.toString(16)} `;

/**
 * Characters that no name of a class or id has. Escaped it is harmless, but a program that reads the file without
 * understanding escapes must find no address and no code in it either.
 */
const DISGUISED = /\/\/|url\(|javascript:|expression\(|@(?:import|font-face|keyframes|namespace)/i;

export const isDisguise = (name: string): boolean => DISGUISED.test(name);

/**
 * Writes a name. Characters that would end it, or mean something in markup, are escaped. Design tools write names with
 * such signs.
 */
export function ident(name: string): string {
  if (PLAIN.test(name)) return name;
  const written = name.replace(/[\0-\x2c./:-@[-^`{-\x7f]/g, (sign) =>
    PUNCTUATION.includes(sign) ? `\\${sign}` : inHex(sign),
  );
  // A name begins with a letter: a digit is escaped, also after a hyphen; a single hyphen is escaped too.
  return written.replace(/^-?\d|^-$/, (start) => start.slice(0, -1) + inHex(start.at(-1)!));
}

/** Writes a string, in which everything but letters, digits and a few signs is escaped. */
export const selectorString = (value: string): string =>
  `"${value.replace(/[^\w\s#.,+\-%*/=!?&|~^$[\]']|[\0-\x1f]/g, (sign) => (sign > "\x7f" ? sign : inHex(sign)))}"`;
