/** The attributes of one element: which ones are kept, and with which values (RULES 6.4). */
import { isUnsupportedId, isUnsupportedValue } from "../css/unsupported-css.ts";
import { safeStyle } from "../css/css-rules.ts";
import { safeValue } from "../css/css-values.ts";
import { embeddedImage, localId } from "./references.ts";
import { priceOfValue, PRICES, type Work } from "../work/work.ts";
import type { XmlAttribute, XmlElement } from "../xml/reader.ts";
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
  /** The reason why the builder cannot draw the element; null when it can. */
  undrawable: string | null;
  /** Whether the builder can draw the element only after styles were written out as attributes. */
  needsInlineStyles: boolean;
  /** The ids that properties and `href` refer to. */
  references: readonly [property: string, id: string][];
  /** The properties and attributes on whose values the cost of the element depends. */
  values: readonly [name: string, value: string][];
  /** The pixels of the image that it embeds. */
  imagePixels: number;
}

/** A plain value contains no markup, quotes or functions. */
const PLAIN_VALUE = /^[^<>"'`\\(){}@]*$/;
/** A transform. Its grammar as an attribute is wider than in CSS: `translate(1. 2.)`. */
const TRANSFORM_VALUE = /^(?!.*url\()[\w\s.,+\-()%]*$/is;
const TRANSFORMS = new Set(["gradientTransform", "patternTransform", "transform"]);
/**
 * Words and numbers that a style sheet compares, and that are neither an address nor code to a script of the page
 * around it.
 */
const DATA_VALUE = /^[\p{L}\p{M}\p{N}\s_.,;#%+-]*$/u;
const MEDIA_VALUE = /^[\w\s.,:<=>()-]*$/;

/** Reads all attributes of `tag`; null for an element that must not be written at all. */
export function safeAttributes(tag: XmlElement, work: Work): SafeAttributes | null {
  const written = new Map<string, string>();
  const values: [name: string, value: string][] = [];
  let imagePixels = 0;
  let undrawable: string | null = null;
  let needsInlineStyles = false;
  const references: [property: string, id: string][] = [];
  const refer = (property: string, id: string): void => void references.push([property, id]);
  const note = (property: string, text: string, isStyle: boolean): void => {
    work.spend(priceOfValue(text));
    values.push([property, text]);
    needsInlineStyles ||= isUnsupportedValue(property, text, isStyle);
  };
  const isEmbedding = tag.local === "image";

  for (const attribute of tag.attributes) {
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
        imagePixels = image.facts.codedWidth * image.facts.codedHeight;
        const { format } = image.facts;
        if (!DRAWABLE.has(format)) undrawable ??= `it embeds a ${format} image`;
      } else if (id !== null) {
        written.set(name, `#${id}`);
        needsInlineStyles ||= isUnsupportedId(id);
        refer("href", id);
      }
    } else if (uri === "") {
      const kept = safeAttribute(tag.local, local, value, { note, refer, work });
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
    values,
    imagePixels,
  };
}

const NAME = /^[A-Za-z0-9-]{0,100}$/;
/** The formats that resvg decodes. */
const DRAWABLE = new Set(["jpeg", "png", "gif"]);

/** Returns whether an `xlink:href` is overridden: in SVG 2, `href` without a namespace takes precedence. */
const hasPlainHref = (tag: XmlElement, { uri }: XmlAttribute): boolean =>
  uri !== "" && tag.attributes.some((other) => other.uri === "" && other.local === "href");

/** The notes that are taken of an element while its attributes are read. */
interface Notes {
  note: (property: string, value: string, isStyle: boolean) => void;
  refer: (property: string, id: string) => void;
  work: Work;
}

/** Returns the value that is written for an attribute without a namespace; null when the attribute is left out. */
function safeAttribute(
  element: string,
  name: string,
  value: string,
  { note, refer, work }: Notes,
): string | null {
  if (name === "style") {
    const { css, references, values } = safeStyle(value, work);
    for (const [property, id] of references) refer(property, id);
    for (const [property, text] of values) note(property, text, true);
    return css || null;
  }
  const pattern = TRANSFORMS.has(name) ? TRANSFORM_VALUE : name === "media" ? MEDIA_VALUE : PLAIN_VALUE;
  if (PRESENTATION.has(name) && !TRANSFORMS.has(name)) {
    const safe = safeValue(value);
    if (!safe) return null;
    for (const id of safe.ids) refer(name, id);
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
  note(name, value, false);
  return value;
}
