/** Finds the elements that a selector matches, in exactly one pass over the document per compound of the selector. */
import type { Compound, Selector, Test } from "./selector.ts";
import type { SvgNode } from "./tree.ts";
import { Unresolved } from "./unresolved.ts";

interface Place {
  parent: number;
  before: number;
  /** Position among the children of its parent, from 1, counted from the start and from the end. */
  child: [fromStart: number, fromEnd: number];
  ofType: [fromStart: number, fromEnd: number];
}

const NONE = -1;
/** The most tests of elements, over all selectors: a few hundred milliseconds. */
const WORK_MAX = 40_000_000;

export class Matcher {
  readonly #nodes: readonly SvgNode[];
  readonly #places: readonly Place[];
  readonly #classes: readonly Set<string>[];
  readonly #names: ReadonlySet<string>;
  #work = 0;

  /** @param nodes all elements, in document order */
  constructor(nodes: readonly SvgNode[]) {
    this.#nodes = nodes;
    this.#places = placesOf(nodes);
    this.#classes = nodes.map(
      ({ attributes }) => new Set((attributes.get("class") ?? "").split(/\s+/).filter(Boolean)),
    );
    const ids = nodes.map(({ attributes }) => `#${attributes.get("id") ?? ""}`);
    const classes = this.#classes.flatMap((names) => [...names].map((name) => `.${name}`));
    this.#names = new Set([...ids, ...classes, ...nodes.map(({ name }) => name)]);
  }

  /** Indices, in document order, of the matching elements. @throws Unresolved when the tests exceed WORK_MAX */
  matches({ compounds }: Selector): number[] {
    if (!compounds.every((compound) => this.#mayMatch(compound))) return [];
    const last = this.#matched(compounds);
    return this.#nodes.filter((_, i) => last[i] === 1).map(({ index }) => index);
  }

  /** Whether the type, id and classes of the compound occur in the document at all. */
  #mayMatch({ tests }: Compound): boolean {
    return tests.every((test) => {
      if (test.kind === "type") return this.#names.has(test.name);
      if (test.kind === "class") return this.#names.has(`.${test.name}`);
      return test.kind !== "id" || this.#names.has(`#${test.name}`);
    });
  }

  #matched(compounds: readonly Compound[]): Uint8Array {
    let before = new Uint8Array(this.#nodes.length);
    for (const compound of compounds) {
      this.#work += (1 + compound.tests.length) * this.#nodes.length;
      if (this.#work > WORK_MAX) throw new Unresolved("its style sheets take too long to be resolved");
      const nested = compound.tests.map((test) =>
        test.kind === "any" ? test.of.map((selector) => this.#matched(selector.compounds)) : null,
      );
      const joined = this.#joined(compound.combinator, before);
      before = joined.map((isJoined, i) =>
        isJoined && compound.tests.every((test, t) => this.#passes(i, test, nested[t] ?? null)) ? 1 : 0,
      );
    }
    return before;
  }

  /** Marks the elements that the combinator relates to one of the elements marked in `before`. */
  #joined(combinator: Compound["combinator"], before: Uint8Array): Uint8Array<ArrayBuffer> {
    const joined = new Uint8Array(before.length);
    if (combinator === "") return joined.fill(1);
    const isFar = combinator === " " || combinator === "~";
    this.#places.forEach(({ parent, before: sibling }, i) => {
      const other = combinator === " " || combinator === ">" ? parent : sibling;
      if (other !== NONE && (before[other] || (isFar && joined[other]))) joined[i] = 1;
    });
    return joined;
  }

  #passes(i: number, test: Test, nested: Uint8Array[] | null): boolean {
    const node = this.#nodes[i]!;
    switch (test.kind) {
      case "type":
        return node.name === test.name;
      case "id":
        return node.attributes.get("id") === test.name;
      case "class":
        return this.#classes[i]!.has(test.name);
      case "attribute":
        return hasAttribute(node, test);
      case "root":
        return node.parent === null;
      case "empty":
        return node.children.every((child) => child === "");
      case "any":
        return nested!.some((matched) => matched[i] === 1) !== test.isNegated;
      case "nth": {
        const { child, ofType } = this.#places[i]!;
        const n = (test.ofType ? ofType : child)[test.fromEnd ? 1 : 0] - test.b;
        return test.a === 0 ? n === 0 : n % test.a === 0 && n / test.a >= 0;
      }
    }
  }
}

function hasAttribute({ attributes }: SvgNode, test: Test & { kind: "attribute" }): boolean {
  const found = attributes.get(test.name);
  if (found === undefined) return false;
  const fold = (text: string): string => (test.ignoresCase ? text.toLowerCase() : text);
  const [value, wanted] = [fold(found), fold(test.value)];
  switch (test.operator) {
    case "":
      return true;
    case "=":
      return value === wanted;
    case "~=":
      return value.split(/\s+/).includes(wanted);
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
