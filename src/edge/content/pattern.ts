/**
 * `pattern` of string fields, matched in linear time. An admin's pattern meets everyone's input, so a backtracking
 * engine would let one field stall the service. Patterns are parsed into a Thompson automaton and all its states are
 * walked at once: never more than states × characters steps, both bounded (limits.ts).
 *
 * Taken: literals, `.`, `[...]` with ranges and negation, `\d \w \s \D \W \S`, escapes, `\uXXXX`, `(...)`,
 * `(?:...)`, `|`, `* + ? {n} {n,} {n,m}`, `^`, `$`, `\p{…}` and `\P{…}` of general categories and scripts. Refused:
 * look-around, back references, `\b`, named groups.
 * As in JavaScript with the `u` flag a pattern matches anywhere unless it is anchored.
 */
import { PATTERN } from "../../limits.ts";
import type { CharacterTest } from "./pattern-classes.ts";
import { PatternError } from "./pattern-error.ts";
import { parsePattern, type PatternNode } from "./pattern-parser.ts";

const STEPS_MAX = 20 * PATTERN.maxStates;

type State =
  | { kind: "character"; test: CharacterTest; next: number }
  | { kind: "split"; a: number; b: number }
  | { kind: "start" | "end"; next: number }
  | { kind: "match" };

/** Builds states from the end backwards: `add` gives the entry of `node` when it must go on at `next`. */
class Automaton {
  readonly states: State[] = [{ kind: "match" }];

  #push(state: State): number {
    if (this.states.length >= PATTERN.maxStates) {
      throw new PatternError(`is too large: repetitions included, at most ${PATTERN.maxStates} states`);
    }
    return this.states.push(state) - 1;
  }

  #steps = 0;

  add(node: PatternNode, next: number): number {
    // Repetitions of nothing make no states and are bounded by their own count.
    this.#steps += 1;
    if (this.#steps > STEPS_MAX) throw new PatternError("is too large");
    switch (node.kind) {
      case "character":
        return this.#push({ kind: "character", test: node.test, next });
      case "start":
      case "end":
        return this.#push({ kind: node.kind, next });
      case "sequence":
        return node.parts.reduceRight((entry, part) => this.add(part, entry), next);
      case "choice":
        return node.options
          .map((option) => this.add(option, next))
          .reduceRight((rest, entry) => this.#push({ kind: "split", a: entry, b: rest }));
      case "repeat":
        return this.#repeat(node, next);
    }
  }

  #repeat({ node, min, max }: PatternNode & { kind: "repeat" }, next: number): number {
    let entry = next;
    if (max === Infinity) {
      const loop: State & { kind: "split" } = { kind: "split", a: -1, b: next };
      entry = this.#push(loop);
      loop.a = this.add(node, entry);
    } else {
      for (let i = min; i < max; i++) {
        entry = this.#push({ kind: "split", a: this.add(node, entry), b: next });
      }
    }
    for (let i = 0; i < min; i++) entry = this.add(node, entry);
    return entry;
  }
}

export type Matcher = (text: string) => boolean;

/** @throws PatternError with what is wrong, to be put after the field's path */
export function compilePattern(pattern: string): Matcher {
  const automaton = new Automaton();
  const entry = automaton.add(parsePattern(pattern), 0);
  const { states } = automaton;

  return (text) => {
    let current = new Set<number>();
    let atStart = true;
    const characters = Array.from(text);

    /** Adds a state and all that are reached from it without a character. True once a match is among them. */
    const enter = (set: Set<number>, from: number, atEnd: boolean): boolean => {
      const open = [from];
      for (let at = open.pop(); at !== undefined; at = open.pop()) {
        if (set.has(at)) continue;
        set.add(at);
        const state = states[at] as State;
        if (state.kind === "match") return true;
        if (state.kind === "split") open.push(state.b, state.a);
        if (state.kind === "start" && atStart) open.push(state.next);
        if (state.kind === "end" && atEnd) open.push(state.next);
      }
      return false;
    };

    if (enter(current, entry, characters.length === 0)) return true;
    for (const [index, character] of characters.entries()) {
      const point = character.codePointAt(0) as number;
      const atEnd = index === characters.length - 1;
      const following = new Set<number>();
      atStart = false;
      for (const at of current) {
        const state = states[at] as State;
        if (state.kind === "character" && state.test(point) && enter(following, state.next, atEnd))
          return true;
      }
      if (enter(following, entry, atEnd)) return true;
      current = following;
    }
    return false;
  };
}

const compiled = new Map<string, Matcher>();
const COMPILED_MAX = 500;

/** As `compilePattern`, keeping what was compiled: patterns belong to models and come again. */
export function matcherOf(pattern: string): Matcher {
  let matcher = compiled.get(pattern);
  if (!matcher) {
    if (compiled.size >= COMPILED_MAX) compiled.clear();
    matcher = compilePattern(pattern);
    compiled.set(pattern, matcher);
  }
  return matcher;
}
