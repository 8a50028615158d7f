/** The attributes of one element: which ones are kept, and with which values (RULES 6.4). */
import type { SaxesAttributeNS, SaxesTagNS } from "saxes";
import { isUnsupportedId, isUnsupportedValue } from "./css/unsupported-css.ts";
import type { CostedElement } from "./work/costed-element.ts";
import { safeStyle } from "./css/css-rules.ts";
import { safeValue } from "./css/css-values.ts";
import { addReference, addValue } from "./work/element-cost.ts";
import { embeddedImage, localId } from "./references.ts";
import { priceOfValue, PRICES, type Work } from "./work/work.ts";
import {
  isAria,
  isData,
  PLAIN,
  PRESENTATION,
  REFERRING,
  XLINK_NAMESPACE,
  XML_NAMESPACE,
} from "./vocabulary.ts";

export interface SafeAttributes {
  /** The values of the kept attributes, by name. */
  written: ReadonlyMap<string, string>;
  /** Whether there is an `href` among them. */
  refers: boolean;
  /** Why the builder cannot draw the element; null when it can. */
  undrawable: string | null;
  /** Whether the builder can draw the element only after styles were written out as attributes. */
  needsInlineStyles: boolean;
  /** The ids that properties and `href` refer to. */
  references: readonly [property: string, id: string][];
  /** Adds the cost of the attributes to an element. */
  charge(cost: CostedElement): void;
}

/** A plain value contains no markup, quotes or functions. */
const PLAIN_VALUE = /^[^<>"'`\\(){}@]*$/;
/** A transform. Its grammar as an attribute is wider than in CSS: `translate(1. 2.)`. */
const TRANSFORM_VALUE = /^(?!.*url\()[\w\s.,+\-()%]*$/is;
const TRANSFORMS = new Set(["gradientTransform", "patternTransform", "transform"]);
/** Words and numbers: what a style sheet compares, and neither an address nor code to a script of the page around it. */
const DATA_VALUE = /^[\p{L}\p{M}\p{N}\s_.,;#%+-]*$/u;
const MEDIA_VALUE = /^[\w\s.,:<=>()-]*$/;

/** Reads all attributes of `tag`; null for an element that must not be written at all. */
export function safeAttributes(tag: SaxesTagNS, work: Work): SafeAttributes | null {
  const written = new Map<string, string>();
  const charges: ((cost: CostedElement) => void)[] = [];
  let undrawable: string | null = null;
  let needsInlineStyles = false;
  const references: [property: string, id: string][] = [];
  const refer = (property: string, id: string): void => {
    references.push([property, id]);
    charges.push((cost) => addReference(cost, property, id));
  };
  const note = (property: string, text: string, isStyle: boolean): void => {
    work.spend(priceOfValue(text));
    needsInlineStyles ||= isUnsupportedValue(property, text, isStyle);
  };
  const isEmbedding = tag.local === "image";

  for (const attribute of Object.values(tag.attributes)) {
    const { uri, local, value } = attribute;
    if (uri === XML_NAMESPACE) {
      if (
        (local === "space" && /^(?:default|preserve)$/.test(value)) ||
        (local === "lang" && NAME.test(value))
      )
        written.set(`xml:${local}`, value);
    } else if (local === "href" && (uri === "" || uri === XLINK_NAMESPACE)) {
      if (!REFERRING.has(tag.local) || hasPlainHref(tag, attribute)) continue;
      const name = uri === "" ? "href" : "xlink:href";
      const id = localId(value);
      if (isEmbedding) {
        const image = embeddedImage(value);
        if (!image) continue;
        written.set(name, image.uri);
        const pixels = image.facts.codedWidth * image.facts.codedHeight;
        charges.push((cost) => void (cost.imagePixels = pixels));
        const { format } = image.facts;
        if (!DRAWABLE.has(format)) undrawable ??= `it embeds a ${format} image`;
      } else if (id !== null) {
        written.set(name, `#${id}`);
        needsInlineStyles ||= isUnsupportedId(id);
        refer("href", id);
      }
    } else if (uri === "") {
      const kept = safeAttribute(tag.local, local, value, { charges, note, refer, work });
      if (kept !== null) written.set(local, kept);
    }
  }
  if (tag.local === "style" && !/^(?:text\/css)?$/i.test((written.get("type") ?? "").trim())) return null;
  return {
    written,
    refers: written.has("href") || written.has("xlink:href"),
    undrawable,
    needsInlineStyles,
    references,
    charge: (cost) => charges.forEach((add) => add(cost)),
  };
}

const NAME = /^[A-Za-z0-9-]{0,100}$/;
/** The formats that resvg decodes. */
const DRAWABLE = new Set(["jpeg", "png", "gif"]);

/** Whether an `xlink:href` is overridden: in SVG 2, `href` without a namespace takes precedence. */
const hasPlainHref = (tag: SaxesTagNS, { uri }: SaxesAttributeNS): boolean =>
  uri !== "" && Object.values(tag.attributes).some((other) => other.uri === "" && other.local === "href");

/** The notes that are taken of an element while its attributes are read. */
interface Notes {
  charges: ((cost: CostedElement) => void)[];
  note: (property: string, value: string, isStyle: boolean) => void;
  refer: (property: string, id: string) => void;
  work: Work;
}

/** The value that is written for an attribute without a namespace; null when the attribute is left out. */
function safeAttribute(
  element: string,
  name: string,
  value: string,
  { charges, note, refer, work }: Notes,
): string | null {
  if (name === "style") {
    const { css, references, values } = safeStyle(value, work);
    for (const [property, id] of references) refer(property, id);
    for (const [property, text] of values) {
      charges.push((cost) => addValue(cost, property, text));
      note(property, text, true);
    }
    return css || null;
  }
  const pattern = TRANSFORMS.has(name) ? TRANSFORM_VALUE : name === "media" ? MEDIA_VALUE : PLAIN_VALUE;
  if (PRESENTATION.has(name) && !TRANSFORMS.has(name)) {
    const safe = safeValue(value);
    if (!safe) return null;
    for (const id of safe.ids) refer(name, id);
    charges.push((cost) => addValue(cost, name, safe.css));
    note(name, safe.css, false);
    return safe.css;
  }
  // Names are only compared, never resolved, so any text is safe.
  if (name === "id" || name === "class" || isAria(name)) return value;
  if (isData(name)) return DATA_VALUE.test(value) ? value : null;
  if (!PLAIN.has(name) && !TRANSFORMS.has(name)) return null;
  if (!pattern.test(value)) return null;
  if (name === "type" && element === "style") return value.trim();
  if (name === "d" || name === "points") work.spend(value.length * PRICES.pathCharacter);
  charges.push((cost) => addValue(cost, name, value));
  note(name, value, false);
  return value;
}
