/** Reads the statements about rights in an XMP packet (ISO 16684-1), or in the RDF of an SVG. */
import { METADATA } from "../../../limits.ts";
import { type Name, readXml, type Tag } from "./xml.ts";

/** The properties of a description, each with its values in order. */
export interface XmpRights {
  creators: string[];
  credit: string | null;
  notice: string | null;
  usageTerms: string | null;
  statement: string | null;
  licensorName: string | null;
  licensorUrl: string | null;
  /** The digest of the extended packet. */
  extended: string | null;
}

/** Properties whose value is one text, or a text per language, of which the default counts. */
const TEXTS = {
  "photoshop:Credit": "credit",
  "dc:rights": "notice",
  "xmpRights:UsageTerms": "usageTerms",
  "xmpRights:WebStatement": "statement",
  "cc:license": "statement",
  "xmpNote:HasExtendedXMP": "extended",
} as const;
const LICENSOR = { "plus:LicensorName": "licensorName", "plus:LicensorURL": "licensorUrl" } as const;
const CREATOR = "dc:creator";
const LICENSORS = "plus:Licensor";
/** The elements that describe the picture itself: others, such as the picture it was made from, are deeper. */
const DESCRIPTIONS = ["rdf:Description", "cc:Work"];
const CREATORS_MAX = 20;

const isOf = <T extends object>(table: T, name: Name): name is Name & keyof T => Object.hasOwn(table, name);

/** A property that is being read. */
interface Property {
  name: Name;
  /** The number of elements around it. */
  depth: number;
  items: { text: string; isDefault: boolean }[];
  /** The number of the licensor that is being read; only the first counts. */
  licensors: number;
}

class Reader {
  readonly rights: XmpRights = {
    ...{ creators: [], credit: null, notice: null, usageTerms: null, statement: null },
    ...{ licensorName: null, licensorUrl: null, extended: null },
  };
  readonly #path: Name[] = [];
  #property: Property | null = null;

  open({ name, attributes }: Tag): void {
    const parent = this.#path.at(-1);
    this.#path.push(name);
    const property = this.#property;
    if (property) this.#within(property, name, attributes);
    else if (DESCRIPTIONS.includes(name) && parent === "rdf:RDF") this.#shorthand(attributes);
    else if (this.#isOfDescription()) this.#begin(name, attributes);
  }

  /** Returns whether the element that was opened last is a property of the picture's description. */
  #isOfDescription(): boolean {
    const [root, description] = this.#path.slice(-3);
    return root === "rdf:RDF" && DESCRIPTIONS.includes(description!);
  }

  /** Reads properties that are written as attributes. */
  #shorthand(attributes: Tag["attributes"]): void {
    for (const [name, value] of attributes) {
      if (isOf(TEXTS, name)) this.rights[TEXTS[name]] ??= value;
      if (name === CREATOR) this.#addCreators([value]);
    }
  }

  #begin(name: Name, attributes: Tag["attributes"]): void {
    if (!isOf(TEXTS, name) && name !== CREATOR && name !== LICENSORS) return;
    this.#property = { name, depth: this.#path.length, items: [], licensors: name === LICENSORS ? 1 : 0 };
    const resource = attributes.get("rdf:resource");
    this.#property.items.push({ text: resource ?? "", isDefault: false });
    if (name === LICENSORS) this.#licensor(attributes);
  }

  #within(property: Property, name: Name, attributes: Tag["attributes"]): void {
    if (name === "rdf:li") {
      if (property.name === LICENSORS) property.licensors = property.items.length;
      property.items.push({ text: "", isDefault: attributes.get("xml:lang")?.toLowerCase() === "x-default" });
    }
    if (property.name === LICENSORS) {
      this.#licensor(attributes);
      if (isOf(LICENSOR, name)) property.items[0]!.text = attributes.get("rdf:resource") ?? "";
    }
  }

  /** Reads the name and address of the first licensor, written as attributes. */
  #licensor(attributes: Tag["attributes"]): void {
    if (this.#property!.licensors > 1) return;
    for (const [name, value] of attributes) if (isOf(LICENSOR, name)) this.rights[LICENSOR[name]] ??= value;
  }

  text(text: string): void {
    const property = this.#property;
    if (!property) return;
    const isOfLicensor = property.name === LICENSORS;
    const item = isOfLicensor ? property.items[0]! : property.items.at(-1)!;
    if (item.text.length < METADATA.fieldMaxBytes) item.text += text;
  }

  close(name: Name): void {
    const property = this.#property;
    if (property && isOf(LICENSOR, name)) {
      const { text } = property.items[0]!;
      if (property.licensors <= 1 && text.trim() !== "") this.rights[LICENSOR[name]] ??= text;
      property.items[0]!.text = "";
    }
    if (property && this.#path.length === property.depth) {
      this.#end(property);
      this.#property = null;
    }
    // A packet whose tags do not match is read as if they did.
    this.#path.pop();
  }

  /** Ends the packet: a property that was cut off is not used. */
  #end({ name, items }: Property): void {
    const filled = items.filter(({ text }) => text.trim() !== "");
    if (name === CREATOR) this.#addCreators(filled.map(({ text }) => text));
    if (!isOf(TEXTS, name)) return;
    const text = (filled.find(({ isDefault }) => isDefault) ?? filled[0])?.text;
    if (text !== undefined) this.rights[TEXTS[name]] ??= text;
  }

  #addCreators(names: string[]): void {
    const { creators } = this.rights;
    if (creators.length === 0) creators.push(...names.slice(0, CREATORS_MAX));
  }
}

/** Decodes a packet: UTF-8, or UTF-16 with a byte order mark. */
function textOf(packet: Uint8Array): string {
  const [first, second] = packet;
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(packet);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(packet);
  return new TextDecoder().decode(packet);
}

/** Reads a packet. What is no XMP states nothing. */
export function readXmp(packet: Uint8Array): XmpRights {
  const reader = new Reader();
  readXml(textOf(packet), {
    open: (tag) => reader.open(tag),
    text: (text) => reader.text(text),
    close: (name) => reader.close(name),
  });
  return reader.rights;
}
