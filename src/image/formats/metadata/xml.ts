/**
 * Reads the tags and texts of an XML packet. It is lenient, as readers of XMP are: a packet may be cut off, and prefixes
 * may lack their declaration. It expands no entities but those of XML itself, so the work grows linearly with the text.
 */

/** A name as `prefix:local` with the prefix under which this project knows the namespace; else as it is written. */
export type Name = string;

export interface Tag {
  name: Name;
  attributes: ReadonlyMap<Name, string>;
}

export interface XmlEvents {
  open(tag: Tag): void;
  text(text: string): void;
  close(name: Name): void;
}

/** The namespaces of interest, by their addresses. */
const PREFIXES: ReadonlyMap<string, string> = new Map([
  ["http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"],
  ["http://purl.org/dc/elements/1.1/", "dc"],
  ["http://ns.adobe.com/photoshop/1.0/", "photoshop"],
  ["http://ns.adobe.com/xap/1.0/rights/", "xmpRights"],
  ["http://ns.useplus.org/ldf/xmp/1.0/", "plus"],
  ["http://ns.adobe.com/xmp/note/", "xmpNote"],
  ["http://creativecommons.org/ns#", "cc"],
  ["http://web.resource.org/cc/", "cc"],
]);
/** Declarations that count. Real packets have fewer than 30. */
const MOST_DECLARATIONS = 200;

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi;
const MOST_CODE_POINT = 0x10_ffff;

const decoded = (text: string): string =>
  text.replace(ENTITY, (whole, hex?: string, decimal?: string, named?: string) => {
    if (named !== undefined) return ENTITIES[named.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    return code > 0 && code <= MOST_CODE_POINT ? String.fromCodePoint(code) : "";
  });

/** Finds the prefixes of a packet. A prefix means the same throughout, as in every packet of a known writer. */
class Names {
  readonly #known = new Map<string, string>();

  declare(attributes: Iterable<[string, string]>): void {
    for (const [name, value] of attributes) {
      const prefix = name === "xmlns" ? "" : name.startsWith("xmlns:") ? name.slice("xmlns:".length) : null;
      if (prefix === null || this.#known.size >= MOST_DECLARATIONS) continue;
      this.#known.set(prefix, PREFIXES.get(value) ?? `?${prefix}`);
    }
  }

  of(name: string, isAttribute: boolean): Name {
    const colon = name.indexOf(":");
    if (colon === -1 && isAttribute) return name;
    const prefix = colon === -1 ? "" : name.slice(0, colon);
    const known = this.#known.get(prefix) ?? prefix;
    return known === "" ? name : `${known}:${name.slice(colon + 1)}`;
  }
}

/** Reads `text`, and calls `events` for each tag and text of it. Ends where the text is no XML any more. */
export function readXml(text: string, events: XmlEvents): void {
  const names = new Names();
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("<", at);
    const between = text.slice(at, open === -1 ? text.length : open);
    if (between !== "") events.text(decoded(between));
    if (open === -1) return;
    const special = specialAt(text, open);
    if (special) {
      if (special.text !== null) events.text(special.text);
      at = special.end;
      continue;
    }
    const close = endOfTag(text, open);
    if (close === -1) return;
    readTag(text.slice(open + 1, close), names, events);
    at = close + 1;
  }
}

/** Returns a comment, an instruction, a declaration or character data, whose text is null for all but the last. */
function specialAt(text: string, at: number): { text: string | null; end: number } | null {
  const between = (start: string, end: string): { text: string; end: number } | null => {
    if (!text.startsWith(start, at)) return null;
    const found = text.indexOf(end, at + start.length);
    const to = found === -1 ? text.length : found;
    return { text: text.slice(at + start.length, to), end: to + end.length };
  };
  const data = between("<![CDATA[", "]]>");
  if (data) return data;
  const skipped = between("<!--", "-->") ?? between("<?", "?>") ?? between("<!", ">");
  return skipped && { ...skipped, text: null };
}

/** Returns where the tag ends: at the first `>` outside of quotes. -1 if it does not. */
function endOfTag(text: string, open: number): number {
  let quote = "";
  for (let at = open + 1; at < text.length; at++) {
    const letter = text[at]!;
    if (quote !== "") quote = letter === quote ? "" : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === ">") return at;
  }
  return -1;
}

/** Yields the attributes of a tag from `at` on, in one pass: a name, `=`, and a value in quotes. */
function* attributesIn(tag: string, at: number): Generator<[string, string]> {
  for (;;) {
    const equals = tag.indexOf("=", at);
    if (equals === -1) return;
    const key = tag.slice(at, equals).trim();
    const start = equals + 1 + tag.slice(equals + 1, equals + 9).search(/\S|$/);
    const quote = tag[start];
    const end = quote === '"' || quote === "'" ? tag.indexOf(quote, start + 1) : -1;
    if (end === -1) return;
    yield [key, decoded(tag.slice(start + 1, end))];
    at = end + 1;
  }
}

function readTag(tag: string, names: Names, events: XmlEvents): void {
  if (tag.startsWith("/")) {
    events.close(names.of(tag.slice(1).trim(), false));
    return;
  }
  const name = /^[^\s/]+/.exec(tag)?.[0];
  if (name === undefined) return;
  const written = [...attributesIn(tag, name.length)];
  names.declare(written);
  const expanded = names.of(name, false);
  events.open({
    name: expanded,
    attributes: new Map(written.map(([key, value]) => [names.of(key, true), value])),
  });
  if (tag.endsWith("/")) events.close(expanded);
}
