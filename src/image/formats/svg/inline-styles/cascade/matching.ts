/** Finds the elements that a selector matches, in exactly one pass over the document per compound of the selector. */
import type { Compound, Selector, Test } from "./selector.ts";
import type { SvgNode } from "./tree.ts";
import { PRICES, type Work } from "../../work/work.ts";

interface Place {
  parent: number;
  before: number;
  /** Position among the children of its parent, from 1, counted from the start and from the end. */
  child: [fromStart: number, fromEnd: number];
  ofType: [fromStart: number, fromEnd: number];
}

const NONE = -1;
const SIGN_OF = { type: "", class: ".", id: "#" } as const;
/** So many bytes are cleared in the time that one element is tested. */
const CLEARED_PER_TEST = 32;
export class Matcher {
  readonly #nodes: readonly SvgNode[];
  readonly #places: readonly Place[];
  readonly #classes: readonly Set<string>[];
  /** Indices of elements by their type, `.class` and `#id`; those of all by `*`. */
  readonly #byName: Map<string, number[]>;
  /** The words of attributes, by the attribute's name and whether case is ignored. */
  readonly #words = new Map<string, (ReadonlySet<string> | undefined)[]>();
  readonly #work: Work;

  /** @param nodes all elements, in document order */
  constructor(nodes: readonly SvgNode[], work: Work) {
    this.#nodes = nodes;
    this.#work = work;
    this.#places = placesOf(nodes);
    this.#classes = nodes.map(
      ({ attributes }) => new Set((attributes.get("class") ?? "").split(/\s+/).filter(Boolean)),
    );
    const all = nodes.map((_, i) => i);
    this.#byName = new Map([["*", all]]);
    for (const i of all) {
      const { name, attributes } = nodes[i]!;
      const classes = [...this.#classes[i]!].map((text) => `.${text}`);
      for (const key of [name, `#${attributes.get("id") ?? ""}`, ...classes]) {
        const known = this.#byName.get(key);
        if (known) known.push(i);
        else this.#byName.set(key, [i]);
      }
    }
  }

  /** Returns the indices, in document order, of the matching elements. */
  matches({ compounds }: Selector): number[] {
    if (compounds.some((compound) => this.#candidates(compound).length === 0)) return [];
    const last = this.#matched(compounds);
    return this.#candidates(compounds.at(-1)!).filter((i) => last[i] === 1);
  }

  /** Returns the elements that have one of the names that the compound asks for: the fewest that are known. */
  #candidates({ tests }: Compound): readonly number[] {
    let fewest = this.#byName.get("*")!;
    for (const test of tests) {
      if (test.kind !== "type" && test.kind !== "class" && test.kind !== "id") continue;
      const found = this.#byName.get(`${SIGN_OF[test.kind]}${test.name}`) ?? [];
      if (found.length < fewest.length) fewest = found;
    }
    return fewest;
  }

  #matched(compounds: readonly Compound[]): Uint8Array {
    const count = this.#nodes.length;
    let before = new Uint8Array(count);
    for (const compound of compounds) {
      const { combinator, tests } = compound;
      const candidates = this.#candidates(compound);
      const passes = combinator === "" ? 1 / CLEARED_PER_TEST : 1;
      this.#work.spend((passes * count + (1 + tests.length) * (1 + candidates.length)) * PRICES.test);
      const nested = tests.map((test) => (test.kind === "any" ? this.#matchedByAny(test.of) : null));
      const joined = combinator === "" ? null : this.#joined(combinator, before);
      const matched = new Uint8Array(count);
      for (const i of candidates) {
        const isJoined = joined === null || joined[i] === 1;
        if (isJoined && tests.every((test, t) => this.#passes(i, test, nested[t] ?? null))) matched[i] = 1;
      }
      before = matched;
    }
    return before;
  }

  #matchedByAny(selectors: readonly Selector[]): Uint8Array {
    const any = new Uint8Array(this.#nodes.length);
    for (const { compounds } of selectors) {
      this.#work.spend(any.length * PRICES.test);
      this.#matched(compounds).forEach((isMatched, i) => (any[i]! |= isMatched));
    }
    return any;
  }

  /** Marks the elements that the combinator relates to one of the elements marked in `before`. */
  #joined(combinator: Compound["combinator"], before: Uint8Array): Uint8Array<ArrayBuffer> {
    const joined = new Uint8Array(before.length);
    const isFar = combinator === " " || combinator === "~";
    this.#places.forEach(({ parent, before: sibling }, i) => {
      const other = combinator === " " || combinator === ">" ? parent : sibling;
      if (other !== NONE && (before[other] || (isFar && joined[other]))) joined[i] = 1;
    });
    return joined;
  }

  #passes(i: number, test: Test, nested: Uint8Array | null): boolean {
    const node = this.#nodes[i]!;
    switch (test.kind) {
      case "type":
        return node.name === test.name;
      case "id":
        return node.attributes.get("id") === test.name;
      case "class":
        return this.#classes[i]!.has(test.name);
      case "attribute":
        return this.#hasAttribute(i, test);
      case "root":
        return node.parent === null;
      case "empty":
        return node.children.every((child) => child === "");
      case "any":
        return (nested![i] === 1) !== test.isNegated;
      case "nth": {
        const { child, ofType } = this.#places[i]!;
        const n = (test.ofType ? ofType : child)[test.fromEnd ? 1 : 0] - test.b;
        return test.a === 0 ? n === 0 : n % test.a === 0 && n / test.a >= 0;
      }
    }
  }

  #hasAttribute(i: number, test: Test & { kind: "attribute" }): boolean {
    const found = this.#nodes[i]!.attributes.get(test.name);
    if (found === undefined) return false;
    if (test.operator === "~=") {
      return test.value !== "" && this.#wordsOf(i, found, test).has(folded(test.value, test));
    }
    this.#work.spend(comparingPrice(found, test));
    const [value, wanted] = [folded(found, test), folded(test.value, test)];
    switch (test.operator) {
      case "":
        return true;
      case "=":
        return value === wanted;
      case "|=":
        return value === wanted || value.startsWith(`${wanted}-`);
      case "^=":
        return wanted !== "" && value.startsWith(wanted);
      case "$=":
        return wanted !== "" && value.endsWith(wanted);
      default:
        return wanted !== "" && value.includes(wanted);
    }
  }

  /** Returns the words of an attribute, which are split once for all selectors that look for one. */
  #wordsOf(i: number, value: string, test: Test & { kind: "attribute" }): ReadonlySet<string> {
    const key = `${test.name} ${test.ignoresCase}`;
    let known = this.#words.get(key);
    if (!known) this.#words.set(key, (known = []));
    if (!known[i]) this.#work.spend(value.length);
    return (known[i] ??= new Set(folded(value, test).split(/\s+/)));
  }
}

interface Folding {
  ignoresCase: boolean;
}

const folded = (text: string, { ignoresCase }: Folding): string => (ignoresCase ? text.toLowerCase() : text);

/** A search looks at each place of the value, and there at a part of what it looks for. */
const SEARCH_MAX_CHARACTERS = 256;

function comparingPrice(
  value: string,
  { operator, value: wanted, ignoresCase }: Test & { kind: "attribute" },
): number {
  const folding = ignoresCase ? value.length + wanted.length : 0;
  if (operator !== "*=") return folding + Math.min(value.length, wanted.length) / 8;
  return folding + (value.length * (1 + Math.min(wanted.length, SEARCH_MAX_CHARACTERS) / 8)) / 4;
}

function placesOf(nodes: readonly SvgNode[]): Place[] {
  const places: Place[] = nodes.map(() => ({ parent: NONE, before: NONE, child: [1, 1], ofType: [1, 1] }));
  for (const parent of nodes) {
    const { elements } = parent;
    const count = (list: readonly SvgNode[], end: 0 | 1): void => {
      const seen = new Map<string, number>();
      list.forEach(({ index, name }, i) => {
        const place = places[index]!;
        seen.set(name, (seen.get(name) ?? 0) + 1);
        place.child[end] = i + 1;
        place.ofType[end] = seen.get(name)!;
        if (end === 0) [place.parent, place.before] = [parent.index, list[i - 1]?.index ?? NONE];
      });
    };
    count(elements, 0);
    count(elements.toReversed(), 1);
  }
  return places;
}
