/** Checks the selectors of a style sheet, writes them anew, and finds out which elements they may match. */
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { quoted } from "./css-values.ts";
import { PSEUDO_CLASSES } from "./vocabulary.ts";

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
  css: string;
  subjects: Subject[];
}

/** A name. Design tools write escapes into names, but only of punctuation. */
const NAME = /^(?:[\w-]|[^\0-\x7f]|\\[!#$%&'()*+,./:;=?@[\]^`{|}~])+$/;

/**
 * The safe selectors of a list; null if there are none. A selector that depends on the visitor (`:hover`) never matches
 * in a picture that does not react, so leaving it out changes nothing.
 */
export function readSelectors(prelude: readonly CSSToken[]): Selectors | null {
  const kept: { css: string; subject: Subject }[] = [];
  let start = 0;
  let depth = 0;
  for (let at = 0; at <= prelude.length; at++) {
    const type = prelude[at]?.[0];
    if (type === TokenType.Function || type === TokenType.OpenParen || type === TokenType.OpenSquare)
      depth += 1;
    if (type === TokenType.CloseParen || type === TokenType.CloseSquare) depth -= 1;
    if (at < prelude.length && (type !== TokenType.Comma || depth > 0)) continue;
    const selector = readSelector(withoutIdleSpace(prelude.slice(start, at)));
    if (selector) kept.push(selector);
    start = at + 1;
  }
  if (kept.length === 0) return null;
  return { css: kept.map(({ css }) => css).join(","), subjects: kept.map(({ subject }) => subject) };
}

function readSelector(tokens: readonly CSSToken[]): { css: string; subject: Subject } | null {
  if (tokens.length === 0) return null;
  let css = "";
  let subject: Subject = { type: null, id: null, classes: [] };
  /** How many functions and brackets are open. The names in them do not describe the subject. */
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const [type, text] = token;
    const before = tokens[at - 1]?.[0];
    switch (type) {
      case TokenType.Whitespace:
        css += " ";
        if (depth === 0 && !isCombinator(tokens[at + 1])) subject = { type: null, id: null, classes: [] };
        break;
      case TokenType.Ident:
        if (!NAME.test(text)) return null;
        if (before === TokenType.Colon && !PSEUDO_CLASSES.has(text.toLowerCase())) return null;
        css += text;
        if (depth > 0 || before === TokenType.Colon) break;
        if (before === TokenType.Delim && css.at(-text.length - 1) === ".") {
          subject.classes.push(token[4].value);
        } else {
          subject.type = token[4].value.toLowerCase();
        }
        break;
      case TokenType.Hash:
        if (!NAME.test(text.slice(1))) return null;
        css += text;
        if (depth === 0) subject.id = token[4].value;
        break;
      case TokenType.Delim: {
        const sign = token[4].value;
        const allowed = depth > 0 ? ".*>+~=|^$-" : ".*>+~";
        if (!allowed.includes(sign)) return null;
        css += sign;
        if (depth === 0 && isCombinator(token)) subject = { type: null, id: null, classes: [] };
        break;
      }
      case TokenType.Comma:
        css += ",";
        break;
      case TokenType.Colon:
        // Pseudo-elements such as `::before` draw nothing in SVG.
        if (before === TokenType.Colon) return null;
        css += ":";
        break;
      case TokenType.Function:
        if (before !== TokenType.Colon || !PSEUDO_CLASSES.has(token[4].value.toLowerCase())) return null;
        if (text.includes("\\")) return null;
        css += text;
        depth += 1;
        break;
      case TokenType.OpenSquare:
        css += "[";
        depth += 1;
        break;
      case TokenType.CloseSquare:
      case TokenType.CloseParen:
        css += text;
        depth -= 1;
        break;
      case TokenType.String: {
        const string = depth > 0 ? quoted(token[4].value) : null;
        if (string === null) return null;
        css += string;
        break;
      }
      case TokenType.Number:
      case TokenType.Dimension:
        // Numbers and signs of `:nth-child(2n + 1)`.
        if (depth === 0 || text.includes("\\")) return null;
        css += text;
        break;
      default:
        return null;
    }
  }
  return depth === 0 ? { css, subject } : null;
}

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
