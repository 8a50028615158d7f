/** Finds out, while a drawing is read, whether resvg draws it as browsers do, and whether it must be written out first. */
import type { SvgFacts } from "../../model/facts.ts";
import type { SafeAttributes } from "./attributes.ts";
import type { StyleRule } from "./css-rules.ts";
import { facesWeight } from "./font-faces.ts";
import { neededFor } from "./glyphs.ts";
import { isTarget } from "./inline-styles/ids.ts";
import { restyled, Unresolved } from "./inline-styles/inline-styles.ts";
import { isUnsupportedElement, isUnsupportedSelector, isUnsupportedValue } from "./unsupported-css.ts";

/** Elements that are drawn where they are referred to, or nowhere. */
const RESOURCES = new Set(
  "svg defs linearGradient radialGradient pattern clipPath mask filter marker symbol".split(" "),
);
/** Properties that resvg does not draw on the root as browsers do. */
const NOT_ON_ROOT = ["clip-path", "mask", "filter"];

export class Drawability {
  #undrawable: string | null = null;
  #mustBeWritten = false;
  /** The names of elements by their id, and the references to them. */
  readonly #names = new Map<string, string>();
  readonly #references: [property: string, id: string][] = [];

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

  addRule({ media, selectors, declarations }: StyleRule): void {
    this.#mustBeWritten ||=
      media !== "" ||
      isUnsupportedSelector(selectors) ||
      declarations.values.some(([property, value]) => isUnsupportedValue(property, value, true));
    this.#references.push(...declarations.references);
  }

  /** A browser has a font for every script, the builder has not. */
  addText(text: string): void {
    const { missing } = neededFor(text);
    if (missing !== null) this.#undrawable ??= `it has text in a script without a font: ${missing}`;
  }

  /** What is stored of it, for the document that the sanitizer wrote. */
  facts(document: string): Pick<SvgFacts["drawing"], "undrawable" | "restyledBytes" | "faces"> {
    const undrawable = this.#undrawable;
    const asItIs = { undrawable, restyledBytes: null, faces: facesWeight(document) };
    if (undrawable !== null || !(this.#mustBeWritten || this.#hasLostReference())) return asItIs;
    try {
      const drawn = restyled(document);
      const restyledBytes = new TextEncoder().encode(drawn).length;
      return { undrawable, restyledBytes, faces: facesWeight(drawn) };
    } catch (error) {
      if (!(error instanceof Unresolved)) throw error;
      return { ...asItIs, undrawable: error.message };
    }
  }

  /** Whether a reference leads to nothing, or to an element of another kind. */
  #hasLostReference(): boolean {
    return this.#references.some(([property, id]) => {
      const name = this.#names.get(id);
      return name === undefined || !isTarget(property, name);
    });
  }
}

/** Whether the drawing has units of its own: without any, browsers do not scale it with its picture. */
const hasSize = (root: ReadonlyMap<string, string>): boolean =>
  root.has("viewBox") || (root.has("width") && root.has("height"));

/** Whether an element is hidden, and all that it holds with it: resvg draws it where it is referred to. */
const isHidden = (written: ReadonlyMap<string, string>): boolean =>
  written.get("display") === "none" || /display:\s*none/i.test(written.get("style") ?? "");
