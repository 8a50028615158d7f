/** Checks the selectors of a style sheet, writes them anew, and finds out which elements they may match. */
import { HashType, TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { ident, isDisguise, selectorString } from "./css-names.ts";
import { SVG } from "../../../../limits.ts";
import { holdTo } from "../errors.ts";
import { PSEUDO_CLASSES } from "../safe/vocabulary.ts";
import { PRICES, type Work } from "../work/work.ts";

/**
 * The last compound of a selector: every element that the selector matches has this type, all these classes and this
 * id. Other conditions are ignored, so more elements may have these than the selector matches.
 */
export interface Subject {
  type: string | null;
  id: string | null;
  classes: string[];
}

export interface Selectors {
  /** As they are written out, `&` standing for the selectors of the enclosing rule. */
  css: string;
  /** The same with these selectors instead of `&`. */
  flat: string;
  subjects: Subject[];
  /** The types, classes, ids, attributes and pseudo-classes in them, each of which an element is tested for. */
  tests: number;
  /** Whether there is anything in them that browsers know and the builder does not: `&`, or an escape. */
  isNew: boolean;
}

type Selector = Omit<Selectors, "subjects"> & { subject: Subject };

const NAMES = new Set([TokenType.Ident, TokenType.Hash, TokenType.String]);
const NOTHING_KNOWN: Subject = { type: null, id: null, classes: [] };
/** The meaning of `&` outside of all rules (CSS Nesting 1, section 3.1). It adds nothing to the specificity. */
const OUTERMOST = ":where(:root)";

/**
 * Returns the safe selectors of a list; null if there are none. A selector that depends on the visitor (`:hover`) never
 * matches in a picture that does not react, so leaving it out changes nothing.
 * @param parent the selectors of the enclosing rule; null if there is none
 * @param work pays for the characters of the selectors before they are written
 */
export function readSelectors(
  prelude: readonly CSSToken[],
  parent: Selectors | null,
  work: Work,
): Selectors | null {
  const kept: Selector[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at <= prelude.length; at++) {
    const type = prelude[at]?.[0];
    if (type === TokenType.Function || type === TokenType.OpenParen || type === TokenType.OpenSquare)
      depth += 1;
    if (type === TokenType.CloseParen || type === TokenType.CloseSquare) depth -= 1;
    if (at < prelude.length && (type !== TokenType.Comma || depth > 0)) continue;
    const selector = readSelector(withoutIdleSpace(prelude.slice(start, at)), parent, work);
    if (selector) kept.push(selector);
    holdTo(SVG.styleSelectorsMax, kept.length, "selectors in its style sheets");
    start = at + 1;
  }
  if (kept.length === 0) return null;
  return {
    css: kept.map(({ css }) => css).join(","),
    flat: kept.map(({ flat }) => flat).join(","),
    subjects: kept.map(({ subject }) => subject),
    tests: kept.reduce((sum, { tests }) => sum + tests, 0),
    isNew: kept.some(({ isNew }) => isNew),
  };
}

function readSelector(tokens: readonly CSSToken[], parent: Selectors | null, work: Work): Selector | null {
  if (tokens.length === 0) return null;
  /** Its pieces; null for each `&`. */
  const parts: (string | null)[] = [];
  let subject = { ...NOTHING_KNOWN, classes: [] as string[] };
  let tests = 0;
  /** The number of functions and brackets that are open. The names in them do not describe the subject. */
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const [type, text] = token;
    const before = tokens[at - 1];
    holdTo(SVG.styleTestsMax, tests, "names and conditions in its selectors");
    if (NAMES.has(type) && isDisguise((token[4] as { value: string }).value)) return null;
    switch (type) {
      case TokenType.Whitespace:
        parts.push(" ");
        if (depth === 0 && !isCombinator(tokens[at + 1])) subject = { ...NOTHING_KNOWN, classes: [] };
        break;
      case TokenType.Ident: {
        const isPseudo = before?.[0] === TokenType.Colon;
        if (isPseudo && (text.includes("\\") || !PSEUDO_CLASSES.has(text.toLowerCase()))) return null;
        parts.push(ident(token[4].value));
        tests += 1;
        if (depth > 0 || isPseudo) break;
        if (isDelim(before, ".")) subject.classes.push(token[4].value);
        else subject.type = token[4].value.toLowerCase();
        break;
      }
      case TokenType.Hash:
        // `#1a` is the colour of a value, and no selector.
        if (token[4].type !== HashType.ID) return null;
        parts.push(`#${ident(token[4].value)}`);
        tests += 1;
        if (depth === 0) subject.id = token[4].value;
        break;
      case TokenType.Delim: {
        const sign = token[4].value;
        const allowed = depth > 0 ? ".*>+~=|^$-&" : ".*>+~&";
        if (!allowed.includes(sign)) return null;
        parts.push(sign === "&" ? null : sign);
        if (depth === 0 && isCombinator(token)) subject = { ...NOTHING_KNOWN, classes: [] };
        break;
      }
      case TokenType.Comma:
        parts.push(",");
        break;
      case TokenType.Colon:
        // Pseudo-elements such as `::before` draw nothing in SVG.
        if (before?.[0] === TokenType.Colon) return null;
        parts.push(":");
        break;
      case TokenType.Function:
        if (before?.[0] !== TokenType.Colon || !PSEUDO_CLASSES.has(token[4].value.toLowerCase())) return null;
        if (text.includes("\\")) return null;
        parts.push(text);
        tests += 1;
        depth += 1;
        break;
      case TokenType.OpenSquare:
        parts.push("[");
        depth += 1;
        break;
      case TokenType.CloseSquare:
      case TokenType.CloseParen:
        parts.push(text);
        depth -= 1;
        break;
      case TokenType.String:
        if (depth === 0) return null;
        parts.push(selectorString(token[4].value));
        break;
      case TokenType.Number:
      case TokenType.Dimension:
        // Numbers and signs of `:nth-child(2n + 1)`.
        if (depth === 0 || text.includes("\\")) return null;
        parts.push(text);
        break;
      default:
        return null;
    }
  }
  if (depth !== 0) return null;
  if (parent !== null && !parts.includes(null)) parts.unshift(null, " ");
  const isNew = parts.some((part) => part === null || part.includes("\\"));
  return { ...written(parts, parent, work), subject, tests, isNew };
}

function written(
  parts: readonly (string | null)[],
  parent: Selectors | null,
  work: Work,
): { css: string; flat: string } {
  const css = parts.map((part) => part ?? "&").join("");
  const enclosing = parent ? `:is(${parent.flat})` : OUTERMOST;
  const repeated = parts.filter((part) => part === null).length;
  // A few levels of many `&` would grow to gigabytes.
  work.spend((css.length + repeated * enclosing.length) * PRICES.nestedCharacter);
  return { css, flat: repeated === 0 ? css : parts.map((part) => part ?? enclosing).join("") };
}

const isDelim = (token: CSSToken | undefined, sign: string): boolean =>
  token?.[0] === TokenType.Delim && token[4].value === sign;

const isCombinator = (token: CSSToken | undefined): boolean =>
  token?.[0] === TokenType.Delim && ">+~".includes(token[4].value);

/** Removes comments, and whitespace at the ends, before commas and after whitespace. */
function withoutIdleSpace(prelude: readonly CSSToken[]): CSSToken[] {
  const kept: CSSToken[] = [];
  for (const token of prelude) {
    const [type] = token;
    if (type === TokenType.Comment) continue;
    const isIdle = kept.length === 0 || kept.at(-1)![0] === TokenType.Whitespace;
    if (type === TokenType.Whitespace && isIdle) continue;
    if (type === TokenType.Comma && kept.at(-1)?.[0] === TokenType.Whitespace) kept.pop();
    kept.push(token);
  }
  if (kept.at(-1)?.[0] === TokenType.Whitespace) kept.pop();
  return kept;
}
