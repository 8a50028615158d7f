/** Parses selectors (Selectors 4) into tests of one element, joined by combinators. */
import { TokenType, tokenize, type CSSToken } from "@csstools/css-tokenizer";
import { PRICES, type Work } from "../../work/work.ts";
import { Unresolved } from "../values/unresolved.ts";

export type Test =
  | { kind: "type" | "id" | "class"; name: string }
  | { kind: "attribute"; name: string; operator: string; value: string; ignoresCase: boolean }
  /** `:nth-child(An+B)` and similar pseudo-classes. */
  | { kind: "nth"; a: number; b: number; fromEnd: boolean; ofType: boolean }
  | { kind: "root" | "empty" }
  /** `:is`, `:where` and `:not`. */
  | { kind: "any"; of: Selector[]; isNegated: boolean };

export interface Compound {
  /** The combinator between it and the previous compound; "" for the first. */
  combinator: "" | " " | ">" | "+" | "~";
  tests: Test[];
}

export interface Selector {
  compounds: Compound[];
  /** The numbers of ids, classes and types, ten bits each, so that they compare as one number. */
  specificity: number;
}

const ID = 1 << 20;
const CLASS = 1 << 10;
const TYPE = 1;
const NESTED_MAX = 4;

/** @throws Unresolved for an unknown selector */
export function parseSelectors(css: string, work: Work): Selector[] {
  work.spend(css.length * PRICES.styleCharacter);
  const tokens = tokenize({ css }).filter(([type]) => type !== TokenType.EOF);
  return new SelectorParser(tokens, 0).list();
}

class SelectorParser {
  readonly #tokens: CSSToken[];
  readonly #nesting: number;
  #at = 0;

  constructor(tokens: CSSToken[], nesting: number) {
    if (nesting > NESTED_MAX) throw new Unresolved("its selectors are nested too deep");
    this.#tokens = tokens;
    this.#nesting = nesting;
  }

  list(): Selector[] {
    const found: Selector[] = [];
    do found.push(this.#selector());
    while (this.#take(TokenType.Comma));
    if (this.#at < this.#tokens.length) throw this.#unknown();
    return found;
  }

  #selector(): Selector {
    const compounds: Compound[] = [];
    let specificity = 0;
    this.#skipSpace();
    let combinator: Compound["combinator"] = "";
    for (;;) {
      const tests: Test[] = [];
      const start = this.#at;
      for (let test = this.#test(); test !== null; test = this.#test()) {
        if (test === "all") continue;
        tests.push(test.test);
        specificity += test.specificity;
      }
      if (start === this.#at) throw this.#unknown();
      compounds.push({ combinator, tests });
      const next = this.#combinator();
      if (next === null) return { compounds, specificity };
      combinator = next;
    }
  }

  #combinator(): " " | ">" | "+" | "~" | null {
    const hasSpace = this.#skipSpace();
    const token = this.#tokens[this.#at];
    if (!token || token[0] === TokenType.Comma) return null;
    if (token[0] !== TokenType.Delim) return hasSpace ? " " : null;
    const sign = token[4].value;
    if (sign !== ">" && sign !== "+" && sign !== "~") return hasSpace ? " " : null;
    this.#at += 1;
    this.#skipSpace();
    return sign;
  }

  /** Returns the next test of this compound; null at its end, "all" for a test that every element passes. */
  #test(): { test: Test; specificity: number } | "all" | null {
    const token = this.#tokens[this.#at];
    if (!token) return null;
    if (token[0] === TokenType.Ident) {
      this.#at += 1;
      return { test: { kind: "type", name: token[4].value }, specificity: TYPE };
    }
    if (token[0] === TokenType.Hash) {
      this.#at += 1;
      return { test: { kind: "id", name: token[4].value }, specificity: ID };
    }
    if (token[0] === TokenType.Delim && token[4].value === "*") {
      this.#at += 1;
      return "all";
    }
    if (token[0] === TokenType.Delim && token[4].value === ".") {
      this.#at += 1;
      return { test: { kind: "class", name: this.#name() }, specificity: CLASS };
    }
    if (token[0] === TokenType.OpenSquare) return { test: this.#attribute(), specificity: CLASS };
    if (token[0] === TokenType.Colon) return this.#pseudoClass();
    return null;
  }

  #attribute(): Test {
    const inner = this.#within(TokenType.CloseSquare).filter(([type]) => type !== TokenType.Whitespace);
    const [name, ...rest] = inner;
    if (name?.[0] !== TokenType.Ident) throw this.#unknown();
    const attribute = { kind: "attribute" as const, name: name[4].value };
    if (rest.length === 0) return { ...attribute, operator: "", value: "", ignoresCase: false };
    const signs = rest.findIndex(([type]) => type === TokenType.Ident || type === TokenType.String);
    const operator = rest
      .slice(0, signs)
      .map(([, text]) => text)
      .join("");
    const [value, flag, ...more] = rest.slice(signs);
    if (!/^[~|^$*]?=$/.test(operator) || more.length > 0) throw this.#unknown();
    if (value?.[0] !== TokenType.Ident && value?.[0] !== TokenType.String) throw this.#unknown();
    const ignoresCase = flag?.[1].toLowerCase() === "i";
    if (flag && !ignoresCase && flag[1].toLowerCase() !== "s") throw this.#unknown();
    return { ...attribute, operator, value: value[4].value, ignoresCase };
  }

  #pseudoClass(): { test: Test; specificity: number } {
    const token = this.#tokens[++this.#at];
    if (token?.[0] === TokenType.Ident) {
      this.#at += 1;
      const test = plainPseudoClass(token[4].value.toLowerCase());
      if (test) return { test, specificity: CLASS };
    }
    if (token?.[0] === TokenType.Function) {
      const name = token[4].value.toLowerCase();
      const inner = this.#within(TokenType.CloseParen);
      if (name.startsWith("nth-")) {
        const text = inner.map(([, part]) => part).join("");
        const nth = readNth(text);
        const place = { fromEnd: name.includes("-last-"), ofType: name.endsWith("-of-type") };
        if (nth) return { test: { kind: "nth", ...nth, ...place }, specificity: CLASS };
      }
      if (name === "is" || name === "where" || name === "not") {
        const of = new SelectorParser(inner, this.#nesting + 1).list();
        const most = of.reduce((max, { specificity }) => Math.max(max, specificity), 0);
        return {
          test: { kind: "any", of, isNegated: name === "not" },
          specificity: name === "where" ? 0 : most,
        };
      }
    }
    throw this.#unknown();
  }

  /** Reads the tokens inside the function or bracket that begins here, and consumes the closing token. */
  #within(close: TokenType): CSSToken[] {
    const start = ++this.#at;
    let depth = 1;
    for (; this.#at < this.#tokens.length; this.#at++) {
      const [type] = this.#tokens[this.#at] as CSSToken;
      if (type === TokenType.Function || type === TokenType.OpenParen || type === TokenType.OpenSquare)
        depth++;
      if (type === TokenType.CloseParen || type === TokenType.CloseSquare) depth--;
      if (depth === 0) break;
    }
    if (this.#tokens[this.#at]?.[0] !== close) throw this.#unknown();
    return this.#tokens.slice(start, this.#at++);
  }

  #name(): string {
    const token = this.#tokens[this.#at++];
    if (token?.[0] !== TokenType.Ident) throw this.#unknown();
    return token[4].value;
  }

  #take(type: TokenType): boolean {
    if (this.#tokens[this.#at]?.[0] !== type) return false;
    this.#at += 1;
    return true;
  }

  #skipSpace(): boolean {
    const start = this.#at;
    while (this.#tokens[this.#at]?.[0] === TokenType.Whitespace) this.#at += 1;
    return this.#at > start;
  }

  #unknown(): Unresolved {
    const text = this.#tokens.map(([, part]) => part).join("");
    return new Unresolved(`its style sheet has the selector ${text.slice(0, 80)}`);
  }
}

function plainPseudoClass(name: string): Test | null {
  const nth = {
    kind: "nth" as const,
    a: 0,
    b: 1,
    fromEnd: name.startsWith("last"),
    ofType: name.endsWith("type"),
  };
  switch (name) {
    case "root":
    case "empty":
      return { kind: name };
    case "first-child":
    case "last-child":
    case "first-of-type":
    case "last-of-type":
      return nth;
    case "only-child":
    case "only-of-type": {
      const both = [nth, { ...nth, fromEnd: true }];
      const none = both.map((test): Test => ({ kind: "any", of: [alone(test)], isNegated: true }));
      // `:only-child`: neither "not the first" nor "not the last".
      return { kind: "any", of: none.map(alone), isNegated: true };
    }
    default:
      return null;
  }
}

const alone = (test: Test): Selector => ({ compounds: [{ combinator: "", tests: [test] }], specificity: 0 });

/** Reads `odd`, `even`, `3` or `2n + 1` (CSS Syntax 3, An+B). */
function readNth(text: string): { a: number; b: number } | null {
  const plain = text.replace(/\s+/g, "").toLowerCase();
  if (plain === "odd") return { a: 2, b: 1 };
  if (plain === "even") return { a: 2, b: 0 };
  const [, a, sign, b] = /^(?:([+-]?\d{0,6})(n))?([+-]?\d{1,6})?$/.exec(plain) ?? [];
  if (sign === undefined) return b === undefined ? null : { a: 0, b: Number(b) };
  const step = a === "" || a === "+" ? 1 : a === "-" ? -1 : Number(a);
  return { a: step, b: Number(b ?? 0) };
}
