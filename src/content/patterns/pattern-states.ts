/** Builds the states of a pattern from its tree: a Thompson automaton, of a bounded number of states. */
import { PATTERN } from "../../limits.ts";
import type { CharacterSet } from "./pattern-classes.ts";
import { PatternError } from "./pattern-error.ts";
import type { PatternNode } from "./pattern-parser.ts";

const STEPS_MAX = 20 * PATTERN.maxStates;

export type State =
  | { kind: "character"; set: CharacterSet; next: number }
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
        return this.#push({ kind: "character", set: node.set, next });
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

/** @throws PatternError if there are too many */
export function statesOf(tree: PatternNode): { states: State[]; entry: number } {
  const automaton = new Automaton();
  const entry = automaton.add(tree, 0);
  return { states: automaton.states, entry };
}
