/** Evaluates `calc()`, `min()`, `max()` and `clamp()` (CSS Values 4) if all added quantities have the same unit. */
import { TokenType, tokenize, type CSSToken } from "@csstools/css-tokenizer";
import { Unresolved } from "./unresolved.ts";

interface Quantity {
  value: number;
  /** In lower case; "" for a plain number. */
  unit: string;
}

/** Pixels per unit, for units that have a fixed ratio to a pixel. */
const PIXELS: Record<string, number> = {
  px: 1,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  pt: 96 / 72,
  pc: 16,
};
const DEPTH_MAX = 16;

export const MATH_FUNCTIONS = "calc|min|max|clamp";

/** Evaluates `text`, a whole `calc(...)`. @throws Unresolved */
export function calculated(text: string): string {
  const tokens = tokenize({ css: text }).filter(([type]) => type !== TokenType.EOF);
  const { value, unit } = new Calculation(tokens).whole();
  if (!Number.isFinite(value)) throw new Unresolved(`${text.slice(0, 80)} is not a number`);
  return `${Number(value.toPrecision(9))}${unit}`;
}

class Calculation {
  readonly #tokens: CSSToken[];
  #at = 0;
  #depth = 0;

  constructor(tokens: CSSToken[]) {
    this.#tokens = tokens;
  }

  whole(): Quantity {
    const result = this.#operand();
    if (this.#at < this.#tokens.length) throw this.#unknown();
    return result;
  }

  #sum(): Quantity {
    let sum = this.#product();
    for (let sign = this.#sign("+-"); sign !== null; sign = this.#sign("+-")) {
      const next = this.#product();
      if (next.unit !== sum.unit) throw this.#unknown();
      sum = { value: sign === "+" ? sum.value + next.value : sum.value - next.value, unit: sum.unit };
    }
    return sum;
  }

  #product(): Quantity {
    let product = this.#operand();
    for (let sign = this.#sign("*/"); sign !== null; sign = this.#sign("*/")) {
      const next = this.#operand();
      if (next.unit !== "" && (sign === "/" || product.unit !== "")) throw this.#unknown();
      const value = sign === "*" ? product.value * next.value : product.value / next.value;
      product = { value, unit: product.unit || next.unit };
    }
    return product;
  }

  #operand(): Quantity {
    this.#skipSpace();
    const token = this.#tokens[this.#at++];
    switch (token?.[0]) {
      case TokenType.Number:
        return { value: token[4].value, unit: "" };
      case TokenType.Percentage:
        return { value: token[4].value, unit: "%" };
      case TokenType.Dimension: {
        const unit = token[4].unit.toLowerCase();
        const pixels = PIXELS[unit];
        return pixels === undefined
          ? { value: token[4].value, unit }
          : { value: token[4].value * pixels, unit: "px" };
      }
      case TokenType.OpenParen:
        return this.#list("calc");
      case TokenType.Function:
        return this.#list(token[4].value.toLowerCase());
      default:
        throw this.#unknown();
    }
  }

  /** Evaluates a function whose opening bracket was read. */
  #list(name: string): Quantity {
    if (++this.#depth > DEPTH_MAX) throw this.#unknown();
    const parts = [this.#sum()];
    this.#skipSpace();
    while (this.#tokens[this.#at]?.[0] === TokenType.Comma) {
      this.#at += 1;
      parts.push(this.#sum());
      this.#skipSpace();
    }
    if (this.#tokens[this.#at++]?.[0] !== TokenType.CloseParen) throw this.#unknown();
    this.#depth -= 1;
    const [first] = parts as [Quantity, ...Quantity[]];
    if (parts.some(({ unit }) => unit !== first.unit)) throw this.#unknown();
    const values = parts.map(({ value }) => value);
    const { unit } = first;
    if (name === "calc" && parts.length === 1) return first;
    if (name === "min") return { value: Math.min(...values), unit };
    if (name === "max") return { value: Math.max(...values), unit };
    const [low = 0, middle = 0, high = 0] = values;
    if (name === "clamp" && parts.length === 3) return { value: Math.max(low, Math.min(middle, high)), unit };
    throw this.#unknown();
  }

  #sign(signs: string): string | null {
    this.#skipSpace();
    const token = this.#tokens[this.#at];
    if (token?.[0] !== TokenType.Delim || !signs.includes(token[4].value)) return null;
    this.#at += 1;
    return token[4].value;
  }

  #skipSpace(): void {
    while (this.#tokens[this.#at]?.[0] === TokenType.Whitespace) this.#at += 1;
  }

  #unknown(): Unresolved {
    const text = this.#tokens.map(([, part]) => part).join("");
    return new Unresolved(`it asks for ${text.slice(0, 80)}`);
  }
}
