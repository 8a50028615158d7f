/** Reads style sheets and style attributes as a browser does, and writes new ones of what is allowed. */
import { TokenType, tokenize, type CSSToken } from "@csstools/css-tokenizer";
import { safeTokens } from "./css-values.ts";
import { readSelectors, type Subject } from "./css-selectors.ts";
import { PRESENTATION, STYLE_ONLY } from "./vocabulary.ts";

export interface Declarations {
  css: string;
  /** The ids that values refer to, each with its property. */
  references: [property: string, id: string][];
  /** The allowed properties with their values, from which the cost of drawing is computed. */
  values: [property: string, value: string][];
}

export interface StyleRule {
  /** The selectors as they are written out. */
  selectors: string;
  subjects: Subject[];
  declarations: Declarations;
  /** The condition of the enclosing `@media`; empty if there is none. */
  media: string;
}

export interface StyleSheet {
  css: string;
  rules: StyleRule[];
}

const AT_MEDIA = "media";

/** Reads the declarations of a style attribute: `property: value; ...`. */
export const safeStyle = (style: string): Declarations => readDeclarations(tokenize({ css: style }));

/** Reads the text of a `style` element. Rules in `@media` are kept. Every other at-rule is left out. */
export function safeSheet(text: string): StyleSheet {
  const rules: StyleRule[] = [];
  return { css: readRules(tokenize({ css: text }), rules, null), rules };
}

/** @param media the condition of the enclosing `@media`, in which no other is read; null outside of one */
function readRules(tokens: readonly CSSToken[], rules: StyleRule[], media: string | null): string {
  let css = "";
  for (let at = 0; at < tokens.length;) {
    const [type] = tokens[at]!;
    // CDO and CDC (`<!--` and `-->`) hid style sheets from browsers of the nineties.
    if (isSpace(type) || type === TokenType.CDO || type === TokenType.CDC || type === TokenType.EOF) {
      at += 1;
      continue;
    }
    const { prelude, block, end } = takeRule(tokens, at);
    at = end;
    const first = prelude[0];
    if (!block || !first) continue;
    if (first[0] === TokenType.AtKeyword) {
      if (media !== null || first[4].value.toLowerCase() !== AT_MEDIA) continue;
      const query = mediaQuery(prelude.slice(1));
      const inner = query === null ? "" : readRules(block, rules, query);
      if (inner) css += `@media ${query}{${inner}}`;
      continue;
    }
    const selectors = readSelectors(prelude);
    if (!selectors) continue;
    const declarations = readDeclarations(block);
    if (!declarations.css) continue;
    const { css: written, subjects } = selectors;
    rules.push({ selectors: written, subjects, declarations, media: media ?? "" });
    css += `${written}{${declarations.css}}`;
  }
  return css;
}

interface TakenRule {
  prelude: CSSToken[];
  block: CSSToken[] | null;
  end: number;
}

/** Reads a rule (CSS Syntax 3, "consume a qualified rule" and "consume an at-rule"). A block or `;` ends it. */
function takeRule(tokens: readonly CSSToken[], start: number): TakenRule {
  const isAt = tokens[start]![0] === TokenType.AtKeyword;
  for (let at = start; at < tokens.length; at++) {
    const [type] = tokens[at]!;
    if (type === TokenType.OpenCurly) {
      const end = closing(tokens, at);
      return { prelude: tokens.slice(start, at), block: tokens.slice(at + 1, end), end: end + 1 };
    }
    if (isAt && type === TokenType.Semicolon) return { prelude: [], block: null, end: at + 1 };
    if (isOpening(type)) at = closing(tokens, at);
  }
  return { prelude: [], block: null, end: tokens.length };
}

const CLOSING = new Map<TokenType, TokenType>([
  [TokenType.OpenCurly, TokenType.CloseCurly],
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.Function, TokenType.CloseParen],
  [TokenType.OpenSquare, TokenType.CloseSquare],
]);

const isOpening = (type: TokenType): boolean => CLOSING.has(type);
const isSpace = (type: TokenType): boolean => type === TokenType.Whitespace || type === TokenType.Comment;

/** The index of the token that closes the one at `start`, or the end. Closing tokens of other kinds are ignored. */
function closing(tokens: readonly CSSToken[], start: number): number {
  const awaited: TokenType[] = [];
  for (let at = start; at < tokens.length; at++) {
    const [type] = tokens[at]!;
    const close = CLOSING.get(type);
    if (close !== undefined) awaited.push(close);
    else if (type === awaited.at(-1)) awaited.pop();
    if (awaited.length === 0) return at;
  }
  return tokens.length;
}

function readDeclarations(tokens: readonly CSSToken[]): Declarations {
  const found: Declarations = { css: "", references: [], values: [] };
  for (let at = 0; at < tokens.length;) {
    let end = at;
    while (end < tokens.length && tokens[end]![0] !== TokenType.Semicolon) {
      // A nested rule ends with its block. It is left out together with the declaration that it resembles.
      const isBlock = tokens[end]![0] === TokenType.OpenCurly;
      end = isOpening(tokens[end]![0]) ? closing(tokens, end) + 1 : end + 1;
      if (isBlock) break;
    }
    readDeclaration(tokens.slice(at, Math.min(end, tokens.length)), found);
    at = tokens[end]?.[0] === TokenType.Semicolon ? end + 1 : Math.max(end, at + 1);
  }
  return found;
}

function readDeclaration(tokens: readonly CSSToken[], into: Declarations): void {
  const parts = tokens.filter(([type]) => type !== TokenType.Comment && type !== TokenType.EOF);
  const start = parts.findIndex(([type]) => type !== TokenType.Whitespace);
  const name = parts[start];
  if (name?.[0] !== TokenType.Ident || name[1].includes("\\")) return;
  const colon = parts.findIndex(([type], i) => i > start && type !== TokenType.Whitespace);
  if (parts[colon]?.[0] !== TokenType.Colon) return;
  const isCustom = name[1].startsWith("--");
  const property = isCustom ? name[1] : name[1].toLowerCase();
  if (!isCustom && !PRESENTATION.has(property) && !STYLE_ONLY.has(property)) return;
  const value = safeTokens(parts.slice(colon + 1));
  // A custom property is inherited, so a reference in it could be drawn anywhere. It may contain none.
  if (!value?.css || (isCustom && value.ids.length > 0)) return;
  into.css += `${property}:${value.css};`;
  for (const id of value.ids) into.references.push([property, id]);
  into.values.push([property, value.css]);
}

/** The condition of an `@media` rule; null if it has anything but names and sizes. */
function mediaQuery(tokens: readonly CSSToken[]): string | null {
  let query = "";
  for (const token of tokens) {
    const [type, text] = token;
    if (isSpace(type)) query += " ";
    else if (type === TokenType.Function || text.includes("\\")) return null;
    else if (type === TokenType.Delim && !"<>=/".includes(token[4].value)) return null;
    else if (MEDIA_TOKENS.has(type)) query += text;
    else return null;
  }
  return query.replace(/ +/g, " ").trim();
}

const MEDIA_TOKENS = new Set([
  TokenType.Ident,
  TokenType.Number,
  TokenType.Dimension,
  TokenType.Colon,
  TokenType.Comma,
  TokenType.OpenParen,
  TokenType.CloseParen,
  TokenType.Delim,
]);
