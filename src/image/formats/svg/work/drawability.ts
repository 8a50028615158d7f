/** Finds out, while a drawing is read, whether resvg draws it as browsers do, and whether it must be written out first. */
import type { SafeAttributes } from "../safe/attributes.ts";
import type { StyleRule } from "../css/css-rules.ts";
import { neededFor } from "./glyphs.ts";
import { isTarget } from "../inline-styles/cascade/ids.ts";
import { priceOfValue, PRICES, type Work } from "./work.ts";
import { isUnsupportedElement, isUnsupportedSelector, isUnsupportedValue } from "../css/unsupported-css.ts";

/** Elements that are drawn where they are referred to, or nowhere. */
const RESOURCES = new Set(
  "svg defs linearGradient radialGradient pattern clipPath mask filter marker symbol".split(" "),
);
/** Properties that resvg does not draw on the root as browsers do. */
const NOT_ON_ROOT = ["clip-path", "mask", "filter"];

export interface Verdict {
  /** The reason why the builder cannot draw it; null if it can. */
  undrawable: string | null;
  /** Whether it can be drawn only after it was written out for the renderer. */
  mustBeWritten: boolean;
}

export class Drawability {
  readonly #work: Work;
  #undrawable: string | null = null;
  #mustBeWritten = false;
  /** The names of elements by their id, and the references to them. */
  readonly #names = new Map<string, string>();
  readonly #references: [property: string, id: string][] = [];

  constructor(work: Work) {
    this.#work = work;
  }

  addElement(name: string, attributes: SafeAttributes, isRoot: boolean): void {
    const { written, undrawable, needsInlineStyles, references } = attributes;
    this.#undrawable ??= undrawable;
    if (isRoot && !hasSize(written)) this.#undrawable ??= "it has neither a viewBox nor a size";
    const id = written.get("id");
    this.#mustBeWritten ||=
      needsInlineStyles ||
      isUnsupportedElement(name) ||
      (id !== undefined && this.#names.has(id)) ||
      (isRoot && NOT_ON_ROOT.some((property) => written.has(property))) ||
      (RESOURCES.has(name) && isHidden(written));
    if (id !== undefined) this.#names.set(id, name);
    this.#references.push(...references);
  }

  addRule({ isNew, media, selectors, declarations }: StyleRule): void {
    for (const [, value] of declarations.values) this.#work.spend(priceOfValue(value));
    this.#mustBeWritten ||=
      isNew ||
      media !== "" ||
      isUnsupportedSelector(selectors) ||
      declarations.values.some(([property, value]) => isUnsupportedValue(property, value, true));
    // There may be more of them than a call may have arguments.
    for (const reference of declarations.references) this.#references.push(reference);
  }

  /** Adds text. A browser has a font for every script, the builder has not. */
  addText(text: string): void {
    this.#work.spend(text.length * PRICES.letter);
    const { missing } = neededFor(text);
    if (missing !== null) this.#undrawable ??= `it has text in a script without a font: ${missing}`;
  }

  /** Returns the verdict, once the whole drawing is read. */
  get verdict(): Verdict {
    return {
      undrawable: this.#undrawable,
      mustBeWritten: this.#mustBeWritten || this.#hasLostReference(),
    };
  }

  /** Returns whether a reference leads to nothing, or to an element of another kind. */
  #hasLostReference(): boolean {
    return this.#references.some(([property, id]) => {
      const name = this.#names.get(id);
      return name === undefined || !isTarget(property, name);
    });
  }
}

/** Returns whether the drawing has units of its own: without any, browsers do not scale it with its picture. */
const hasSize = (root: ReadonlyMap<string, string>): boolean =>
  root.has("viewBox") || (root.has("width") && root.has("height"));

/**
 * Returns whether an element is hidden, and all that it holds with it. The renderer draws it where it is referred to.
 */
const isHidden = (written: ReadonlyMap<string, string>): boolean =>
  written.get("display") === "none" || /display:\s*none/i.test(written.get("style") ?? "");
