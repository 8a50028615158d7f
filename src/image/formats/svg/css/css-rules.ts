/** Reads style sheets and style attributes as a browser does, and writes new ones of what is allowed. */
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { SVG } from "../../../../limits.ts";
import { readSelectors, type Selectors, type Subject } from "./css-selectors.ts";
import { tokensInPieces, tokensOf } from "./css-tokens.ts";
import { safeTokens } from "./css-values.ts";
import { holdTo } from "../errors.ts";
import { type InPieces, pauseIfDue } from "../work/pieces.ts";
import { priceOfValue, type Work } from "../work/work.ts";
import { PRESENTATION, STYLE_ONLY } from "../safe/vocabulary.ts";

export interface Declarations {
  css: string;
  /** The ids that values refer to, each with its property. */
  references: [property: string, id: string][];
  /** The allowed properties with their values, from which the cost of drawing is computed. */
  values: [property: string, value: string][];
}

export interface StyleRule {
  /** Its selectors; if it is nested, those of the enclosing rule are part of them. */
  selectors: string;
  subjects: Subject[];
  /** The conditions that an element is tested for. */
  tests: number;
  declarations: Declarations;
  /** The condition of the enclosing `@media`; empty if there is none. */
  media: string;
  /** Whether browsers know its selectors and the builder does not: it is nested, or has escapes. */
  isNew: boolean;
}

export interface StyleSheet {
  css: string;
  rules: StyleRule[];
}

const AT_MEDIA = "media";

/** Reads the declarations of a style attribute: `property: value; ...`. */
export function safeStyle(style: string, work: Work): Declarations {
  const found = noDeclarations();
  for (const item of itemsOf(tokensOf(style, work), true)) {
    if (!("block" in item)) readDeclaration(item.declaration, found, work);
  }
  return found;
}

/**
 * Reads the text of a `style` element. Rules in `@media` and in one another are kept. Every other at-rule is left out.
 * @throws SvgRejectedError when it is nested too deep
 */
export function* safeSheet(text: string, work: Work): InPieces<StyleSheet> {
  const rules: StyleRule[] = [];
  const tokens = yield* tokensInPieces(text, work);
  const css = yield* readBlock(tokens, { rules, work, parent: null, media: null, depth: 0 });
  return { css, rules };
}

interface Place {
  rules: StyleRule[];
  work: Work;
  /** The selectors of the enclosing rule; null outside of all rules. */
  parent: Selectors | null;
  /** The condition of the enclosing `@media`, in which no other is read; null outside of one. */
  media: string | null;
  /** Blocks around this one. */
  depth: number;
}

/** Reads a style sheet or the content of a rule, which are declarations and more rules (CSS Nesting 1). */
function* readBlock(tokens: readonly CSSToken[], place: Place): InPieces<string> {
  const { rules, work, parent, media } = place;
  holdTo(SVG.styleNestedMax, place.depth, "style rules in one another");
  const parts: string[] = [];
  /** Declarations since the last nested rule. */
  let declarations = noDeclarations();
  const endDeclarations = (): void => {
    if (!parent || declarations.css === "") return;
    const { flat: selectors, subjects, tests, isNew } = parent;
    work.spend(subjects.length);
    rules.push({ selectors, subjects, tests, declarations, media: media ?? "", isNew });
    parts.push(declarations.css);
    declarations = noDeclarations();
  };
  for (const item of itemsOf(tokens, parent !== null)) {
    if (work.isPauseDue) yield* pauseIfDue(work);
    if ("declaration" in item) {
      readDeclaration(item.declaration, declarations, work);
      continue;
    }
    endDeclarations();
    const inner = { ...place, depth: place.depth + 1 };
    if (item.prelude[0]?.[0] === TokenType.AtKeyword) {
      const query = media === null ? mediaQuery(item.prelude) : null;
      const css = query === null ? "" : yield* readBlock(item.block, { ...inner, media: query });
      if (css) parts.push(`@media ${query}{${css}}`);
      continue;
    }
    const selectors = readSelectors(item.prelude, parent, work);
    if (!selectors) continue;
    const css = yield* readBlock(item.block, { ...inner, parent: selectors });
    if (css) parts.push(`${selectors.css}{${css}}`);
  }
  endDeclarations();
  return parts.join("");
}

/** A declaration, or a rule with its block. */
type Item = { declaration: CSSToken[] } | { prelude: CSSToken[]; block: CSSToken[] };

/**
 * Takes a block apart (CSS Syntax 3, "consume a block's contents"). Whatever a block follows is a rule.
 * @param holdsDeclarations false for a style sheet, where `;` ends nothing but an at-rule
 */
function* itemsOf(tokens: readonly CSSToken[], holdsDeclarations: boolean): Generator<Item> {
  let start = 0;
  for (let at = 0; at <= tokens.length; at++) {
    const type = tokens[at]?.[0];
    const isFirst = at === start;
    // CDO and CDC (`<!--` and `-->`) hid style sheets from browsers of the nineties.
    const isIdle = type !== undefined && (isSpace(type) || type === TokenType.CDO || type === TokenType.CDC);
    const first = tokens[start]?.[0];
    const endsAtSemicolon = holdsDeclarations || first === TokenType.AtKeyword;
    if (isFirst && isIdle) start = at + 1;
    else if (
      type === undefined ||
      type === TokenType.EOF ||
      (type === TokenType.Semicolon && endsAtSemicolon)
    ) {
      if (holdsDeclarations && first !== TokenType.AtKeyword) yield { declaration: tokens.slice(start, at) };
      start = at + 1;
    } else if (type === TokenType.OpenCurly && !isCustomProperty(tokens, start)) {
      const end = closing(tokens, at);
      yield { prelude: tokens.slice(start, at), block: tokens.slice(at + 1, end) };
      at = end;
      start = end + 1;
    } else if (isOpening(type)) at = closing(tokens, at);
  }
}

/**
 * Returns whether the tokens set a custom property. Its value may have blocks, and is left out, up to its semicolon.
 */
function isCustomProperty(tokens: readonly CSSToken[], start: number): boolean {
  const [type, text] = tokens[start]!;
  return type === TokenType.Ident && text.startsWith("--") && tokens[start + 1]?.[0] === TokenType.Colon;
}

const CLOSING = new Map<TokenType, TokenType>([
  [TokenType.OpenCurly, TokenType.CloseCurly],
  [TokenType.OpenParen, TokenType.CloseParen],
  [TokenType.Function, TokenType.CloseParen],
  [TokenType.OpenSquare, TokenType.CloseSquare],
]);

const isOpening = (type: TokenType): boolean => CLOSING.has(type);
const isSpace = (type: TokenType): boolean => type === TokenType.Whitespace || type === TokenType.Comment;

/**
 * Returns the index of the token that closes the one at `start`, or the end. Closing tokens of other kinds are ignored.
 */
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

const noDeclarations = (): Declarations => ({ css: "", references: [], values: [] });

function readDeclaration(tokens: readonly CSSToken[], into: Declarations, work: Work): void {
  const parts = tokens.filter(([type]) => type !== TokenType.Comment && type !== TokenType.EOF);
  const start = parts.findIndex(([type]) => type !== TokenType.Whitespace);
  const name = parts[start];
  if (name?.[0] !== TokenType.Ident) return;
  const colon = parts.findIndex(([type], i) => i > start && type !== TokenType.Whitespace);
  if (parts[colon]?.[0] !== TokenType.Colon) return;
  const isCustom = name[4].value.startsWith("--");
  const property = isCustom ? name[4].value : name[4].value.toLowerCase();
  if (isCustom && name[1].includes("\\")) return;
  if (!isCustom && !PRESENTATION.has(property) && !STYLE_ONLY.has(property)) return;
  const value = safeTokens(parts.slice(colon + 1));
  // A custom property is inherited, so a reference in it could be drawn anywhere. It may contain none.
  if (!value?.css || (isCustom && value.ids.length > 0)) return;
  work.spend(priceOfValue(value.css));
  into.css += `${property}:${value.css};`;
  for (const id of value.ids) into.references.push([property, id]);
  into.values.push([property, value.css]);
}

/** Returns the condition of an `@media` rule; null for another rule, and if it has anything but names and sizes. */
function mediaQuery([keyword, ...tokens]: readonly CSSToken[]): string | null {
  if (keyword?.[0] !== TokenType.AtKeyword || keyword[4].value.toLowerCase() !== AT_MEDIA) return null;
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
