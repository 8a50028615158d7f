/** Writes the new document, element by element, and adds up what drawing it would cost. */
import { SVG } from "../../../../limits.ts";
import type { SvgFacts } from "../../../model/facts.ts";
import { drawingCost } from "../work/complexity.ts";
import type { CostedElement } from "../work/costed-element.ts";
import { safeSheet, type StyleRule } from "../css/css-rules.ts";
import { Drawability } from "../work/drawability.ts";
import {
  addReference,
  addValue,
  filterPasses,
  newCost,
  RuleIndex,
  SHADOW_PRIMITIVES,
} from "../work/element-cost.ts";
import { holdTo, SvgRejectedError } from "../errors.ts";
import { drawnFacts } from "../work/drawn-facts.ts";
import { addText } from "../work/drawn-tree.ts";
import { safeAttributes, type SafeAttributes } from "./attributes.ts";
import { drawingSize, type DrawingSize } from "../size.ts";
import { escapeAttribute, escapeText } from "./text.ts";
import {
  DRAWN_TEXT,
  ELEMENTS,
  EMPTY_WITHOUT_REFERENCE,
  FILTER_PRIMITIVES,
  READ_TEXT,
  SVG_NAMESPACE,
  XLINK_NAMESPACE,
} from "./vocabulary.ts";
import type { SafeSvg } from "./safe-svg.ts";
import { type InPieces, pauseIfDue } from "../work/pieces.ts";
import { PRICES, type Work } from "../work/work.ts";
import type { XmlElement } from "../xml/reader.ts";

interface OpenElement {
  name: string;
  cost: CostedElement;
  /** For a filter: the share of the drawing that its region covers; 1 if that is not stated. */
  share: number;
  /** Whether content was written: an element without any is written as `<g/>`. */
  hasContent: boolean;
}

export class SafeWriter {
  readonly #work: Work;
  readonly #parts: string[] = [];
  readonly #open: OpenElement[] = [];
  readonly #elements: { cost: CostedElement; classes: string[] }[] = [];
  readonly #rules: StyleRule[] = [];
  readonly #drawability: Drawability;
  /** Open elements from an element that is left out on, that element included. */
  #skipped = 0;
  #style: string[] = [];
  #styleCharacters = 0;
  #tests = 0;
  #textCharacters = 0;
  /** The characters of the document so far. */
  #writtenCharacters = 0;
  #usesXlink = false;
  #morphologyRadius = 0;
  #size: DrawingSize | null = null;

  constructor(work: Work) {
    this.#work = work;
    this.#drawability = new Drawability(work);
  }

  open(tag: XmlElement): void {
    const parent = this.#open.at(-1);
    if (this.#skipped > 0) return void (this.#skipped += 1);
    if (!parent && (tag.uri !== SVG_NAMESPACE || tag.local !== "svg")) {
      throw new SvgRejectedError(
        `the root element is not svg in the namespace ${SVG_NAMESPACE}; write xmlns="${SVG_NAMESPACE}" on it`,
      );
    }
    const attributes = isKept(tag, parent?.name) ? safeAttributes(tag, this.#work) : null;
    if (!attributes || (EMPTY_WITHOUT_REFERENCE.has(tag.local) && !attributes.refers)) {
      this.#skipped = 1;
      return;
    }
    const cost = this.#costOf(tag.local, attributes, parent);
    this.#begin(tag.local, attributes, parent);
    const share = tag.local === "filter" ? this.#shareOf(attributes.written) : 1;
    this.#open.push({ name: tag.local, cost, share, hasContent: false });
  }

  *close(): InPieces<void> {
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    const element = this.#open.pop()!;
    if (element.name === "style") yield* this.#endStyle(element);
    if (element.name === "filter") {
      const primitives = element.cost.children.filter(({ name }) => FILTER_PRIMITIVES.has(name)).length;
      holdTo(SVG.filterPrimitivesMax, primitives, "primitives in a filter");
      const shadows = element.cost.children.filter(({ name }) => name === "feDropShadow").length;
      element.cost.results = (primitives + shadows * (SHADOW_PRIMITIVES - 1) + 2) * element.share;
    }
    this.#write(element.hasContent ? `</${element.name}>` : "/>");
  }

  text(text: string): void {
    const parent = this.#open.at(-1);
    if (this.#skipped > 0 || !parent) return;
    if (parent.name === "style") {
      this.#style.push(text);
      this.#countStyle(text.length);
      return;
    }
    const isDrawn = DRAWN_TEXT.has(parent.name) || (parent.name === "a" && this.#isInText());
    if (!isDrawn && !READ_TEXT.has(parent.name)) return;
    this.#textCharacters += text.length;
    holdTo(SVG.textMaxCharacters, this.#textCharacters, "characters of text");
    if (isDrawn) {
      this.#drawability.addText(text);
      addText(parent.cost, text.length);
    }
    this.#content(parent, escapeText(text));
  }

  /** Ends the document. @param elements number of elements in the file, including those that were left out */
  *finish(elements: number): InPieces<SafeSvg> {
    const root = this.#elements[0];
    if (!root || !this.#size) throw new SvgRejectedError("the drawing is empty");
    const selectors = this.#rules.reduce((sum, { subjects }) => sum + subjects.length, 0);
    holdTo(SVG.styleSelectorsMax, selectors, "selectors in its style sheets");
    holdTo(SVG.styleMatchesMax, selectors * elements, "pairs of a selector and an element");
    this.#work.spend(this.#elements.length * PRICES.passed);
    yield* pauseIfDue(this.#work);
    const index = yield* RuleIndex.of(this.#rules, this.#work);
    for (const { cost, classes } of this.#elements) index.apply(cost, classes);
    const cost = drawingCost(root.cost);
    this.#work.spend(this.#elements.length * PRICES.passed);
    yield* pauseIfDue(this.#work);
    const { stated, width, viewBox } = this.#size;
    const scale = cost.scale * Math.max(1, viewBox ? width / viewBox.width : 1);
    const document = this.#document();
    const drawn = yield* drawnFacts(
      { document, root: root.cost, elements: cost.elements, size: this.#size, ...this.#drawability.verdict },
      this.#work,
    );
    const facts: SvgFacts = {
      format: "svg",
      ...stated,
      codedWidth: stated.width,
      codedHeight: stated.height,
      orientation: 1,
      frames: 1,
      animated: false,
      hasAlpha: true,
      bitDepth: 8,
      colour: "rgb",
      profile: "none",
      drawing: {
        layers: cost.layers,
        passes: Math.ceil(cost.passes),
        morphology: (this.#morphologyRadius * scale) / width,
        ...drawn,
      },
    };
    return { document, facts };
  }

  #document(): string {
    const xlink = this.#usesXlink ? ` xmlns:xlink="${XLINK_NAMESPACE}"` : "";
    return `<svg xmlns="${SVG_NAMESPACE}"${xlink}${this.#parts.join("")}\n`;
  }

  /** Writes the start tag without its closing bracket, which the content or the end of the element writes. */
  #begin(name: string, attributes: SafeAttributes, parent: OpenElement | undefined): void {
    let tag = parent ? `<${name}` : "";
    for (const [attribute, value] of attributes.written) tag += ` ${attribute}="${escapeAttribute(value)}"`;
    this.#usesXlink ||= attributes.written.has("xlink:href");
    if (parent) this.#content(parent, tag);
    else this.#write(tag);
  }

  #content(parent: OpenElement, text: string): void {
    if (!parent.hasContent) this.#write(">");
    parent.hasContent = true;
    this.#write(text);
  }

  #write(text: string): void {
    this.#writtenCharacters += text.length;
    holdTo(
      SVG.storedMaxCharacters,
      this.#writtenCharacters,
      "characters once its signs such as quotation marks are written as references; use fewer of them",
    );
    this.#parts.push(text);
  }

  #costOf(name: string, attributes: SafeAttributes, parent: OpenElement | undefined): CostedElement {
    const cost = newCost(name);
    const { written } = attributes;
    for (const [property, id] of attributes.references) addReference(cost, property, id);
    for (const [property, value] of attributes.values) addValue(cost, property, value);
    cost.imagePixels = attributes.imagePixels;
    this.#countStyle(written.get("style")?.length ?? 0);
    if (!parent) {
      this.#size = drawingSize(written);
      cost.isLayer = false;
    } else if (written.has("viewBox")) cost.scale *= this.#zoomOf(written);
    if (name === "filter") filterPasses(name, written);
    else if (FILTER_PRIMITIVES.has(name)) cost.passes = filterPasses(name, written);
    if (name === "feMorphology") {
      const radii = (written.get("radius") ?? "0").split(/[\s,]+/).map(Number);
      this.#morphologyRadius = Math.max(this.#morphologyRadius, ...radii.filter(Number.isFinite));
    }
    this.#drawability.addElement(name, attributes, parent === undefined);
    cost.id = written.get("id") ?? null;
    parent?.cost.children.push(cost);
    const classes = written.get("class");
    this.#elements.push({ cost, classes: classes === undefined ? [] : classes.split(/\s+/).filter(Boolean) });
    return cost;
  }

  /** Returns the most that an inner viewBox may enlarge: as if it filled the whole drawing. */
  #zoomOf(attributes: ReadonlyMap<string, string>): number {
    const { viewBox } = drawingSize(attributes);
    const { width, height } = this.#size!;
    return viewBox ? Math.max(1, width, height) / Math.min(viewBox.width, viewBox.height) : 1;
  }

  #shareOf(attributes: ReadonlyMap<string, string>): number {
    const { width, height, viewBox } = this.#size!;
    const region = Number(attributes.get("width")) * Number(attributes.get("height"));
    if (attributes.get("filterUnits") !== "userSpaceOnUse" || !(region > 0)) return 1;
    return Math.min(1, region / (viewBox ? viewBox.width * viewBox.height : width * height));
  }

  #isInText(): boolean {
    return this.#open.some(({ name }) => DRAWN_TEXT.has(name));
  }

  #countStyle(characters: number): void {
    this.#styleCharacters += characters;
    holdTo(SVG.styleMaxCharacters, this.#styleCharacters, "characters of style");
  }

  *#endStyle(element: OpenElement): InPieces<void> {
    const { css, rules } = yield* safeSheet(this.#style.join(""), this.#work);
    this.#style = [];
    for (const rule of rules) {
      holdTo(SVG.styleTestsMax, (this.#tests += rule.tests), "names and conditions in its selectors");
      this.#rules.push(rule);
      this.#drawability.addRule(rule);
    }
    if (css) this.#content(element, escapeText(css));
  }
}

/**
 * Returns whether an element is kept. In titles and style sheets none is: an HTML parser reads elements in a title as
 * HTML.
 */
function isKept(tag: XmlElement, parent: string | undefined): boolean {
  if (tag.uri !== SVG_NAMESPACE || !ELEMENTS.has(tag.local)) return false;
  return parent === undefined || !(READ_TEXT.has(parent) || parent === "style");
}
