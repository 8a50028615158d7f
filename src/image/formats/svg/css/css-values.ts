/** Checks the values of CSS properties in style sheets, style attributes and presentation attributes. */
import { TokenType, tokenize, type CSSToken } from "@csstools/css-tokenizer";
import { localId } from "../safe/references.ts";
import { FUNCTIONS } from "../safe/vocabulary.ts";

export interface SafeValue {
  css: string;
  /** The ids that the value refers to. */
  ids: string[];
}

/** A value that contains no function, escape, string or comment. */
const HARMLESS = /^[\w\s#.,%+-]*$/;

/** Makes a value safe to write out; null when that is impossible. */
export function safeValue(value: string): SafeValue | null {
  if (HARMLESS.test(value)) return { css: value.trim(), ids: [] };
  return safeTokens(tokenize({ css: value }));
}

/**
 * Does the same for tokens, up to the end of the list or an EOF token. Everything is written anew, nothing is copied.
 */
export function safeTokens(tokens: readonly CSSToken[]): SafeValue | null {
  const ids: string[] = [];
  let css = "";
  let open = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const [type, text] = token;
    switch (type) {
      case TokenType.EOF:
        break;
      case TokenType.Whitespace:
      case TokenType.Comment:
        css += " ";
        break;
      case TokenType.Ident:
      case TokenType.Hash:
      case TokenType.Number:
      case TokenType.Percentage:
      case TokenType.Dimension:
        // The only use of an escape in a value is to disguise it.
        if (text.includes("\\")) return null;
        css += text;
        break;
      case TokenType.String: {
        const string = quoted(token[4].value);
        if (string === null) return null;
        css += string;
        break;
      }
      case TokenType.URL: {
        const id = localId(token[4].value);
        if (id === null) return null;
        ids.push(id);
        css += urlOf(id);
        break;
      }
      case TokenType.Function: {
        const name = token[4].value.toLowerCase();
        if (name === "url") {
          const quotedUrl = urlFunction(tokens, at);
          if (!quotedUrl) return null;
          ids.push(quotedUrl.id);
          css += urlOf(quotedUrl.id);
          at = quotedUrl.end;
          break;
        }
        if (!FUNCTIONS.has(name) || text.includes("\\")) return null;
        css += text;
        open += 1;
        break;
      }
      case TokenType.OpenParen:
        css += "(";
        open += 1;
        break;
      case TokenType.CloseParen:
        if (open === 0) return null;
        css += ")";
        open -= 1;
        break;
      case TokenType.Comma:
        css += ",";
        break;
      case TokenType.Delim:
        if (!"+-*/!".includes(token[4].value)) return null;
        css += token[4].value;
        break;
      default:
        return null;
    }
  }
  // An unclosed bracket would swallow what is written after the value.
  return open === 0 ? { css: css.replace(/ +/g, " ").trim(), ids } : null;
}

/** Reads `url("#id")` at the token `at`; null for any other reference. */
function urlFunction(tokens: readonly CSSToken[], at: number): { id: string; end: number } | null {
  let end = at + 1;
  const skipSpace = (): void => {
    while (tokens[end]?.[0] === TokenType.Whitespace) end += 1;
  };
  skipSpace();
  const argument = tokens[end++];
  if (argument?.[0] !== TokenType.String) return null;
  const id = localId(argument[4].value);
  skipSpace();
  return id !== null && tokens[end]?.[0] === TokenType.CloseParen ? { id, end } : null;
}

function urlOf(id: string): string {
  return /^[\w.:-]+$/.test(id) ? `url(#${id})` : `url("#${id.replace(/["\\]/g, "\\$&")}")`;
}

/** Writes a CSS string; null for a text that no name of a font or the like has, because it can only be an attack. */
export function quoted(value: string): string | null {
  return /[\0-\x1f\x7f\\"<>(){};:@]|\/\//.test(value) ? null : `"${value}"`;
}
