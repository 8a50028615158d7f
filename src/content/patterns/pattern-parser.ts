/** Reads the regular expressions of `pattern` (see pattern.ts) into a tree. */
import {
  any,
  CLASSES,
  CONTROLS,
  is,
  not,
  notLineEnd,
  range,
  unicodeProperty,
  type CharacterSet,
} from "./pattern-classes.ts";
import { PatternError } from "./pattern-error.ts";

export type PatternNode =
  | { kind: "character"; set: CharacterSet }
  | { kind: "start" | "end" }
  | { kind: "sequence"; parts: PatternNode[] }
  | { kind: "choice"; options: PatternNode[] }
  | { kind: "repeat"; node: PatternNode; min: number; max: number };

const GROUP_DEPTH_MAX = 20;
const SYNTAX = "^$\\.*+?()[]{}|/-";

class Reader {
  readonly #characters: string[];
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  get done(): boolean {
    return this.#at >= this.#characters.length;
  }

  #peek(offset = 0): string | undefined {
    return this.#characters[this.#at + offset];
  }

  #take(wanted: string): boolean {
    if (this.#peek() !== wanted) return false;
    this.#at += 1;
    return true;
  }

  #next(): string {
    const character = this.#characters[this.#at];
    if (character === undefined) throw new PatternError("ends too early");
    this.#at += 1;
    return character;
  }

  choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.#take("|")) options.push(this.#sequence());
    return options.length === 1 ? (options[0] as PatternNode) : { kind: "choice", options };
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (!this.done && this.#peek() !== "|" && this.#peek() !== ")") parts.push(this.#repeated());
    return { kind: "sequence", parts };
  }

  #repeated(): PatternNode {
    const node = this.#atom();
    const bounds = this.#bounds();
    if (!bounds) return node;
    if (node.kind === "start" || node.kind === "end") throw new PatternError("repeats an anchor");
    this.#take("?"); // Lazy or not makes no difference to whether it matches.
    if (this.#bounds()) throw new PatternError("repeats a repetition");
    return { kind: "repeat", node, ...bounds };
  }

  #bounds(): { min: number; max: number } | null {
    if (this.#take("*")) return { min: 0, max: Infinity };
    if (this.#take("+")) return { min: 1, max: Infinity };
    if (this.#take("?")) return { min: 0, max: 1 };
    if (!this.#take("{")) return null;
    let text = "";
    while (!this.#take("}")) text += this.#next();
    const match = /^(\d{1,4})(,(\d{1,4})?)?$/.exec(text);
    if (!match) throw new PatternError(`has a repetition {${text}} that is not {n}, {n,} or {n,m}`);
    const min = Number(match[1]);
    const max = match[3] !== undefined ? Number(match[3]) : match[2] !== undefined ? Infinity : min;
    if (max < min) throw new PatternError(`has a repetition {${text}} out of order`);
    return { min, max };
  }

  #atom(): PatternNode {
    const character = this.#next();
    if (character === "^") return { kind: "start" };
    if (character === "$") return { kind: "end" };
    if (character === "(") return this.#group();
    if (character === "[") return { kind: "character", set: this.#set() };
    if (character === ".") return { kind: "character", set: notLineEnd };
    if (character === "\\") return { kind: "character", set: this.#escape().set };
    if ("*+?{})]".includes(character)) throw new PatternError(`has an unescaped ${character}`);
    return { kind: "character", set: is(character.codePointAt(0) as number) };
  }

  #group(): PatternNode {
    if (this.#take("?") && !this.#take(":")) throw new PatternError("has a look-around or a named group");
    this.#depth += 1;
    if (this.#depth > GROUP_DEPTH_MAX) throw new PatternError(`nests groups over ${GROUP_DEPTH_MAX} deep`);
    const inside = this.choice();
    this.#depth -= 1;
    if (!this.#take(")")) throw new PatternError("has a group that is not closed");
    return inside;
  }

  /** Reads the text after a backslash: a class, or one character (then `point` is set, and can bound a range). */
  #escape(): { set: CharacterSet; point?: number } {
    const character = this.#next();
    const known = CLASSES.get(character);
    if (known) return { set: known };
    if (character === "p" || character === "P") {
      const set = this.#property(character);
      return { set: character === "p" ? set : not(set) };
    }
    const point = CONTROLS.get(character) ?? this.#codeEscape(character) ?? this.#syntaxEscape(character);
    return { set: is(point), point };
  }

  /** Reads `{Lu}`, `{Script=Greek}` after `\p` or `\P`. */
  #property(escape: string): CharacterSet {
    if (!this.#take("{")) throw new PatternError(`has an escape \\${escape} without {…}`);
    let name = "";
    while (!this.#take("}")) name += this.#next();
    const set = unicodeProperty(name);
    if (!set) throw new PatternError(`has \\${escape}{${name}}, which is no general category and no script`);
    return set;
  }

  #codeEscape(character: string): number | null {
    const digits = character === "u" ? 4 : character === "x" ? 2 : 0;
    if (digits === 0) return null;
    const code = Array.from({ length: digits }, () => this.#next()).join("");
    if (!/^[0-9A-Fa-f]+$/.test(code)) throw new PatternError(`has an escape \\${character}${code}`);
    const point = Number.parseInt(code, 16);
    if (point >= 0xd800 && point <= 0xdfff) throw new PatternError("has half a surrogate pair");
    return point;
  }

  #syntaxEscape(character: string): number {
    if (!SYNTAX.includes(character)) throw new PatternError(`has an escape \\${character} that is not taken`);
    return character.codePointAt(0) as number;
  }

  #set(): CharacterSet {
    const negated = this.#take("^");
    const sets: CharacterSet[] = [];
    while (!this.#take("]")) {
      const from = this.#member();
      const isRange = this.#peek() === "-" && this.#peek(1) !== "]";
      if (!isRange) {
        sets.push(from.set);
        continue;
      }
      this.#next();
      const to = this.#member();
      if (from.point === undefined || to.point === undefined || from.point > to.point) {
        throw new PatternError("has a range out of order");
      }
      sets.push(range(from.point, to.point));
    }
    return negated ? not(any(...sets)) : any(...sets);
  }

  #member(): { set: CharacterSet; point?: number } {
    const character = this.#next();
    if (character === "\\") return this.#escape();
    const point = character.codePointAt(0) as number;
    return { set: is(point), point };
  }
}

/** @throws PatternError */
export function parsePattern(pattern: string): PatternNode {
  const reader = new Reader(pattern);
  const tree = reader.choice();
  if (!reader.done) throw new PatternError("has a ) too many");
  return tree;
}
