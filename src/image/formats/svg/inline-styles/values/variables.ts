/** Custom properties (CSS Variables 1): those of an element, and those that it inherits. */
import type { Declaration } from "../cascade/cascade.ts";
import { Unresolved } from "./unresolved.ts";
import { withVariables } from "./values.ts";

const OWN_MAX = 500;

export class Variables {
  /** The element's own values. Null for an invalid one, which still overrides the inherited value. */
  readonly #own: ReadonlyMap<string, string | null>;
  readonly #outer: Variables | null;

  constructor(own: ReadonlyMap<string, string | null> = new Map(), outer: Variables | null = null) {
    this.#own = own;
    this.#outer = outer;
  }

  get(name: string): string | undefined {
    const own = this.#own.get(name);
    return own === undefined ? this.#outer?.get(name) : (own ?? undefined);
  }

  /** Returns the variables of a child element with these declarations. @throws Unresolved */
  within(declarations: readonly Declaration[]): Variables {
    const own = declarations.filter(({ property }) => property.startsWith("--"));
    if (own.length === 0) return this;
    if (own.length > OWN_MAX) throw new Unresolved("it has too many variables");
    const raw = new Map(own.map(({ property, value }) => [property, value]));
    const known = new Map<string, string | null>();
    const waiting = new Set<string>();
    // A variable that depends on itself, even indirectly, is invalid.
    const resolve = (name: string): string | undefined => {
      const value = raw.get(name);
      if (value === undefined) return this.get(name);
      if (!known.has(name) && !waiting.has(name)) {
        waiting.add(name);
        known.set(name, withVariables(value, resolve));
      }
      return known.get(name) ?? undefined;
    };
    for (const name of raw.keys()) resolve(name);
    return new Variables(known, this);
  }
}
