/** Simplifies CSS values for renderers of SVG 1.1: substitutes variables, evaluates sums, converts colours. */
import { calculated, MATH_FUNCTIONS } from "./calc.ts";
import { COLOUR_FUNCTIONS, legacyColour } from "./colours.ts";
import { Unresolved } from "./unresolved.ts";

/** The longest value. Variables that each contain the next one several times would grow exponentially. */
export const LONGEST_CHARACTERS = 8192;
const ROUNDS_MAX = 64;

const VAR = /(?<![\w-])var\(/i;
const MATH = new RegExp(`(?<![\\w-])(?:${MATH_FUNCTIONS})\\(`, "i");
const LIGHT_DARK = /(?<![\w-])light-dark\(/i;
const COLOUR = new RegExp(`(?<![\\w-])(${COLOUR_FUNCTIONS})\\(([^()]*)\\)`, "gi");
const BEYOND = /(?<![\w-])(?:color-mix|env|attr)\(/i;

/**
 * Returns `value` with its variables substituted. Null if one is missing and has no fallback, which makes the whole
 * declaration invalid (CSS Variables 1, section 3.1).
 */
export function withVariables(value: string, lookUp: (name: string) => string | undefined): string | null {
  let text = value;
  for (let round = 0; VAR.test(text); round++) {
    if (round === ROUNDS_MAX || text.length > LONGEST_CHARACTERS)
      throw new Unresolved("its variables go on and on");
    const { before, inside, after } = call(text, VAR);
    const comma = inside.indexOf(",");
    const name = (comma < 0 ? inside : inside.slice(0, comma)).trim();
    const found = lookUp(name) ?? (comma < 0 ? null : inside.slice(comma + 1).trim());
    if (found === null) return null;
    text = `${before}${found}${after}`;
  }
  return text;
}

/**
 * Returns `value`, whose variables are substituted already, in terms of SVG 1.1. Null if it is invalid, so that
 * browsers ignore the declaration too.
 * @throws Unresolved for a value that browsers support and this function does not
 */
export function plainValue(value: string, isDark: boolean): string | null {
  let text = value;
  for (let round = 0; LIGHT_DARK.test(text); round++) {
    if (round > ROUNDS_MAX) throw new Unresolved("its colours are nested too deep");
    const { before, inside, after } = call(text, LIGHT_DARK);
    const [light, dark, ...more] = topLevelParts(inside);
    if (light === undefined || dark === undefined || more.length > 0) return null;
    text = `${before}${isDark ? dark : light}${after}`;
  }
  for (let round = 0; MATH.test(text); round++) {
    if (round > ROUNDS_MAX) throw new Unresolved("it has sums without end");
    const { before, name, inside, after } = call(text, MATH);
    text = `${before}${calculated(`${name}${inside})`)}${after}`;
  }
  if (BEYOND.test(text)) throw new Unresolved(`it asks for ${text.slice(0, 80)}`);
  const colours = [...text.matchAll(COLOUR)].map(([, name = "", list = ""]) => {
    // Relative colours are computed from other colours: `rgb(from ...)`.
    if (/^\s*from\s/i.test(list)) throw new Unresolved(`it asks for ${text.slice(0, 80)}`);
    return legacyColour(name.toLowerCase(), list);
  });
  if (colours.includes(null)) return null;
  return text.replace(COLOUR, () => colours.shift() ?? "");
}

interface Call {
  before: string;
  /** The name with its opening bracket. */
  name: string;
  inside: string;
  after: string;
}

/** Returns the first call of a function. Its brackets are balanced, because the sanitizer wrote them. */
function call(text: string, opening: RegExp): Call {
  const { index, 0: name } = opening.exec(text)!;
  const start = index + name.length;
  let depth = 1;
  let end = start;
  for (; end < text.length && depth > 0; end++) {
    if (text[end] === "(") depth++;
    else if (text[end] === ")") depth--;
  }
  return { before: text.slice(0, index), name, inside: text.slice(start, end - 1), after: text.slice(end) };
}

/** Splits arguments at the commas that are not inside brackets. */
export const topLevelParts = (text: string): string[] => apart(text, /,/).map((part) => part.trim());

/** Splits a text at the spaces that are not inside brackets. */
export const topLevelWords = (text: string): string[] => apart(text, /\s/).filter(Boolean);

function apart(text: string, at: RegExp): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === "(") depth++;
    if (text[i] === ")") depth--;
    if (i < text.length && (depth > 0 || !at.test(text[i] ?? ""))) continue;
    parts.push(text.slice(start, i));
    start = i + 1;
  }
  return parts;
}
