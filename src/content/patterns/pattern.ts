/**
 * `pattern` of string fields, matched in linear time. An admin's pattern meets everyone's input, so a backtracking
 * engine would let one field stall the service. Patterns are parsed into an automaton and all its states are walked at
 * once, as a set of bits. A step is one operation on a word of such a set; the steps of a request have a budget.
 *
 * Taken: literals, `.`, `[...]` with ranges and negation, `\d \w \s \D \W \S`, escapes, `\uXXXX`, `(...)`,
 * `(?:...)`, `|`, `* + ? {n} {n,} {n,m}`, `^`, `$`, `\p{…}` and `\P{…}` of general categories and scripts. Refused:
 * look-around, back references, `\b`, named groups.
 * As in JavaScript with the `u` flag a pattern matches anywhere unless it is anchored.
 */
import { PATTERN } from "../../limits.ts";
import { addAll, addBit, hasBit, lowestBit, sparse, WORD_BITS, wordsOf, type SparseSet } from "./bit-set.ts";
import type { CharacterSet } from "./pattern-classes.ts";
import { parsePattern } from "./pattern-parser.ts";
import { statesOf, type State } from "./pattern-states.ts";
import { StepBudget } from "./step-budget.ts";

/** The states of characters that come next, and whether the pattern has matched. */
interface Reached {
  states: SparseSet;
  matches: boolean;
  /** Whether it has matched if the text ends here. */
  matchesAtEnd: boolean;
}

interface Character {
  set: CharacterSet;
  next: number;
}

/** Follows the states that take no character, from one state. */
class Closures {
  readonly characters: Character[] = [];
  readonly #numbers = new Map<State, number>();
  readonly #states: readonly State[];
  readonly #budget: StepBudget;

  constructor(states: readonly State[], budget: StepBudget) {
    this.#states = states;
    this.#budget = budget;
    for (const state of states) {
      if (state.kind !== "character") continue;
      this.#numbers.set(state, this.characters.length);
      this.characters.push(state);
    }
  }

  from(entry: number, atStart: boolean): Reached {
    const set = new Uint32Array(wordsOf(this.characters.length));
    const matches = this.#walk(entry, { atStart, atEnd: false }, set);
    // No character follows the end, so that what is reached there does not matter.
    const matchesAtEnd = matches || this.#walk(entry, { atStart, atEnd: true }, new Uint32Array(set.length));
    return { states: sparse(set), matches, matchesAtEnd };
  }

  #walk(entry: number, at: { atStart: boolean; atEnd: boolean }, reached: Uint32Array): boolean {
    const seen = new Uint32Array(wordsOf(this.#states.length));
    const open = [entry];
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      this.#budget.spend(1);
      if (hasBit(seen, number)) continue;
      addBit(seen, number);
      const state = this.#states[number] as State;
      if (state.kind === "match") return true;
      if (state.kind === "character") addBit(reached, this.#numbers.get(state) as number);
      if (state.kind === "split") open.push(state.b, state.a);
      if (state.kind === "start" && at.atStart) open.push(state.next);
      if (state.kind === "end" && at.atEnd) open.push(state.next);
    }
    return false;
  }
}

/** For each character, the states that take it. The sets of a pattern are tested once per character. */
class Takers {
  readonly #known = new Map<number, Uint32Array>();
  readonly #states = new Map<CharacterSet, number[]>();
  readonly #words: number;

  constructor(characters: readonly Character[]) {
    this.#words = wordsOf(characters.length);
    for (const [number, { set }] of characters.entries()) {
      const states = this.#states.get(set);
      if (states) states.push(number);
      else this.#states.set(set, [number]);
    }
  }

  of(point: number, budget: StepBudget): Uint32Array {
    const known = this.#known.get(point);
    if (known) return known;
    const takers = new Uint32Array(this.#words);
    for (const [set, states] of this.#states) {
      budget.spend(set.steps);
      if (!set.has(point)) continue;
      budget.spend(states.length);
      for (const number of states) addBit(takers, number);
    }
    if (this.#known.size >= PATTERN.rememberedCharactersMax) this.#known.clear();
    this.#known.set(point, takers);
    return takers;
  }
}

/** @throws TooManySteps */
export type Matcher = (text: string, budget?: StepBudget) => boolean;

/** @throws PatternError with what is wrong, to be put after the field's path; TooManySteps */
export function compilePattern(pattern: string, budgetOfCompiling = new StepBudget()): Matcher {
  const { states, entry } = statesOf(parsePattern(pattern));
  const closures = new Closures(states, budgetOfCompiling);
  const { characters } = closures;
  const first = closures.from(entry, true);
  const again = closures.from(entry, false);
  const following = characters.map(({ next }) => closures.from(next, false));
  const takers = new Takers(characters);
  const words = wordsOf(characters.length);

  return (text, budget = new StepBudget()) => {
    const points = Array.from(text, (character) => character.codePointAt(0) as number);
    if (first.matches || (points.length === 0 && first.matchesAtEnd)) return true;
    let current = new Uint32Array(words);
    let next = new Uint32Array(words);
    addAll(current, first.states);
    for (const [index, point] of points.entries()) {
      const isLast = index === points.length - 1;
      const taking = takers.of(point, budget);
      let steps = words;
      next.fill(0);
      addAll(next, again.states);
      for (let word = 0; word < words; word++) {
        let bits = (current[word] as number) & (taking[word] as number);
        for (; bits !== 0; bits &= bits - 1) {
          const reached = following[word * WORD_BITS + lowestBit(bits)] as Reached;
          if (reached.matches || (isLast && reached.matchesAtEnd)) return true;
          steps += 1 + reached.states.places.length;
          addAll(next, reached.states);
        }
      }
      budget.spend(steps);
      if (again.matches || (isLast && again.matchesAtEnd)) return true;
      [current, next] = [next, current];
    }
    return false;
  };
}

const compiled = new Map<string, Matcher>();

/**
 * As `compilePattern`, keeping what was compiled: patterns belong to models and come again. All patterns of a model
 * were compiled within one budget when it was made.
 */
export function matcherOf(pattern: string): Matcher {
  let matcher = compiled.get(pattern);
  if (!matcher) {
    if (compiled.size >= PATTERN.rememberedPatternsMax) compiled.clear();
    matcher = compilePattern(pattern);
    compiled.set(pattern, matcher);
  }
  return matcher;
}
