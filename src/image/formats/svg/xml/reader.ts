/**
 * Reads XML 1.0 with namespaces, part by part, so that a caller may pause between parts. It accepts only well-formed
 * documents, and no document type: there are no entities beside the five of XML itself.
 *
 * A drawing is read from an attacker, and is checked while other requests wait. So each part takes time in proportion to
 * its characters. A test holds the reader against saxes (test/unit/image/formats/svg/xml).
 */
import { SVG } from "../../../../limits.ts";
import { endOfName, forbiddenAt, isCharacter, isSpace } from "./names.ts";
import { Namespaces } from "./namespaces.ts";

export interface XmlAttribute {
  /** As it is written: `prefix:local`, or `local`. */
  name: string;
  prefix: string;
  local: string;
  /** Its namespace; empty if it has none. */
  uri: string;
  value: string;
}

export interface XmlElement {
  name: string;
  prefix: string;
  local: string;
  uri: string;
  attributes: XmlAttribute[];
}

export type XmlPart =
  | { kind: "declaration"; encoding: string | undefined }
  | { kind: "doctype" }
  | { kind: "open"; element: XmlElement }
  | { kind: "close" }
  | { kind: "text"; text: string }
  /** A comment, an instruction, or spaces outside the root. The caller may pause after each. */
  | { kind: "nothing" };

/** A fault of a document. The message says what is wrong, and in which line. */
export class XmlError extends Error {
  override readonly name = "XmlError";
}

export interface ReaderOptions {
  /** Is told of each attribute before its value is read, with how many the element has so far. It may refuse by throwing. */
  onAttribute?: (count: number) => void;
  /** Is told of each element before its attributes are read, with how many are open then. It may refuse by throwing. */
  onElement?: (depth: number) => void;
  /** Is told how long a value is at least, while its references are resolved. It may refuse by throwing. */
  onValue?: (local: string, characters: number) => void;
}

const LESS = "<".charCodeAt(0);
const GREATER = ">".charCodeAt(0);
const AMPERSAND = "&".charCodeAt(0);
const SLASH = "/".charCodeAt(0);
const EQUALS = "=".charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const APOSTROPHE = "'".charCodeAt(0);
const EXCLAMATION = "!".charCodeAt(0);
const QUESTION = "?".charCodeAt(0);
const SPACE = 0x20;
const COLON = ":";

const COMMENT = "<!--";
const CDATA = "<![CDATA[";
const DOCTYPE = "<!DOCTYPE";
const CLOSE: XmlPart = { kind: "close" };
const NOTHING: XmlPart = { kind: "nothing" };

const ENTITIES = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

const S = "[ \\t\\n]";
const quoted = (pattern: string): string => `${S}*=${S}*(?:"(${pattern})"|'(${pattern})')`;
const DECLARATION = new RegExp(
  `<\\?xml${S}+version${quoted("1\\.[0-9]+")}` +
    `(?:${S}+encoding${quoted("[A-Za-z][A-Za-z0-9._-]*")})?` +
    `(?:${S}+standalone${quoted("yes|no")})?${S}*\\?>`,
  "y",
);
/** A longer text is given in parts where it has references, each of which takes as long as many characters. */
const TEXT_PART_CHARACTERS = 65_536;
/** Up to so many attributes, each is compared with all before it; a set takes longer to fill. */
const COMPARED_MAX = 8;

export class XmlReader {
  readonly #text: string;
  readonly #options: ReaderOptions;
  readonly #namespaces = new Namespaces();
  readonly #open: string[] = [];
  #at = 0;
  /** Where the next `<` stands, at or after the beginning of the text that was read last; the end if there is none. */
  #nextTag = -1;
  #hasRoot = false;
  /** Whether the element that was read last is empty (`<a/>`), so that its end comes next. */
  #isEmpty = false;

  constructor(text: string, options: ReaderOptions = {}) {
    // Line ends are those of XML: a CR, with or without an LF, is an LF.
    this.#text = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
    this.#options = options;
    const forbidden = forbiddenAt(this.#text);
    if (forbidden >= 0) throw this.#fault("it has a character that XML does not allow", forbidden);
    if (this.#text.startsWith("\ufeff")) this.#at = 1;
  }

  /** The characters that have been read. */
  get position(): number {
    return this.#at;
  }

  /** Returns the next part; null at the end. @throws XmlError for a document that is not well-formed */
  next(): XmlPart | null {
    if (this.#isEmpty) {
      this.#isEmpty = false;
      return this.#end();
    }
    const text = this.#text;
    if (this.#at < text.length) {
      if (text.charCodeAt(this.#at) !== LESS) return this.#readText();
      switch (text.charCodeAt(this.#at + 1)) {
        case SLASH:
          return this.#closeTag();
        case QUESTION:
          return this.#instruction();
        case EXCLAMATION:
          return this.#marked();
        default:
          return this.#openTag();
      }
    }
    if (this.#open.length > 0) throw this.#fault(`the element ${this.#open.at(-1)} is not closed`);
    if (!this.#hasRoot) throw this.#fault("it has no root element");
    return null;
  }

  /** Reads text up to the next tag; nothing of the spaces outside the root. */
  #readText(): XmlPart {
    const text = this.#text;
    const start = this.#at;
    if (this.#nextTag < start) {
      const found = text.indexOf("<", start);
      this.#nextTag = found < 0 ? text.length : found;
    }
    let end = this.#nextTag;
    // A long text is given in parts. One that ends before a reference has neither half a reference nor half a `]]>`.
    if (end - start > TEXT_PART_CHARACTERS) {
      const rest = start + TEXT_PART_CHARACTERS;
      const reference = text.slice(rest, end).indexOf("&");
      if (reference >= 0) end = rest + reference;
    }
    const raw = text.slice(start, end);
    this.#at = end;
    if (this.#open.length === 0) {
      if (/[^ \t\n]/.test(raw)) throw this.#fault("it has text outside of its root element", start);
      return NOTHING;
    }
    const forbidden = raw.indexOf("]]>");
    if (forbidden >= 0) throw this.#fault("it has ]]> in its text", start + forbidden);
    return { kind: "text", text: raw.includes("&") ? this.#resolved(raw, start) : raw };
  }

  /** Reads a comment, a CDATA section or a document type; nothing of a comment. */
  #marked(): XmlPart {
    const text = this.#text;
    const start = this.#at;
    if (text.startsWith(COMMENT, start)) {
      const end = text.indexOf("--", start + COMMENT.length);
      if (end < 0) throw this.#fault("a comment is not closed");
      if (text.charCodeAt(end + 2) !== GREATER) throw this.#fault("it has -- in a comment", end);
      this.#at = end + 3;
      return NOTHING;
    }
    if (text.startsWith(CDATA, start)) {
      if (this.#open.length === 0) throw this.#fault("it has text outside of its root element");
      const end = text.indexOf("]]>", start + CDATA.length);
      if (end < 0) throw this.#fault("a CDATA section is not closed");
      this.#at = end + 3;
      return { kind: "text", text: text.slice(start + CDATA.length, end) };
    }
    if (!text.startsWith(DOCTYPE, start)) throw this.#fault("it has <! before something unknown");
    if (this.#hasRoot) throw this.#fault("its document type stands after its root element");
    this.#at = text.length;
    return { kind: "doctype" };
  }

  /** Reads an instruction; nothing of one that is not the XML declaration. */
  #instruction(): XmlPart {
    const text = this.#text;
    const start = this.#at;
    const nameEnd = endOfName(text, start + 2);
    const target = text.slice(start + 2, nameEnd);
    if (target.toLowerCase() === "xml") {
      // A byte order mark may stand before it.
      if (start > (text.startsWith("\ufeff") ? 1 : 0) || target !== "xml")
        throw this.#fault("the XML declaration does not stand at the start");
      DECLARATION.lastIndex = start;
      const found = DECLARATION.exec(text);
      if (!found) throw this.#fault("the XML declaration cannot be read");
      this.#at = DECLARATION.lastIndex;
      return { kind: "declaration", encoding: found[3] ?? found[4] };
    }
    const end = text.indexOf("?>", nameEnd);
    const isNamed = target !== "" && !target.includes(COLON) && (end === nameEnd || this.#isSpaceAt(nameEnd));
    if (!isNamed) throw this.#fault("an instruction has no valid name");
    if (end < 0) throw this.#fault("an instruction is not closed");
    this.#at = end + 2;
    return NOTHING;
  }

  #closeTag(): XmlPart {
    const text = this.#text;
    const name = this.#open.at(-1);
    const start = this.#at;
    const nameEnd = endOfName(text, start + 2);
    if (name === undefined || nameEnd - start - 2 !== name.length || !text.startsWith(name, start + 2)) {
      const found = text.slice(start + 2, nameEnd);
      throw this.#fault(`</${found}> stands where ${name === undefined ? "nothing" : `</${name}>`} is open`);
    }
    this.#at = this.#afterSpace(nameEnd);
    if (text.charCodeAt(this.#at) !== GREATER) throw this.#fault(`the end tag of ${name} is not closed`);
    this.#at += 1;
    return this.#end();
  }

  #end(): XmlPart {
    this.#open.pop();
    this.#namespaces.close();
    return CLOSE;
  }

  #openTag(): XmlPart {
    const text = this.#text;
    const nameEnd = endOfName(text, this.#at + 1);
    const name = text.slice(this.#at + 1, nameEnd);
    if (name === "") throw this.#fault("it has < before something that is no name");
    if (this.#hasRoot && this.#open.length === 0) throw this.#fault("it has a second root element");
    this.#hasRoot = true;
    this.#open.push(name);
    this.#options.onElement?.(this.#open.length);
    this.#namespaces.open();
    const attributes: XmlAttribute[] = [];
    let at = nameEnd;
    for (;;) {
      const next = this.#afterSpace(at);
      const code = text.charCodeAt(next);
      if (code === GREATER) {
        this.#at = next + 1;
        break;
      }
      if (code === SLASH) {
        if (text.charCodeAt(next + 1) !== GREATER) throw this.#fault("it has / in a tag", next);
        this.#isEmpty = true;
        this.#at = next + 2;
        break;
      }
      if (next === at) throw this.#fault(`the start tag of ${name} cannot be read`, at);
      at = this.#attribute(next, attributes);
    }
    return { kind: "open", element: this.#named(name, attributes) };
  }

  /** Reads the attribute that begins at `at`. @returns where it ends */
  #attribute(at: number, attributes: XmlAttribute[]): number {
    const text = this.#text;
    const nameEnd = endOfName(text, at);
    if (nameEnd === at) throw this.#fault("an attribute has no valid name", at);
    if (nameEnd - at > SVG.attributeNameMaxCharacters)
      throw this.#fault(
        `the name of an attribute has more than ${SVG.attributeNameMaxCharacters} characters`,
        at,
      );
    const name = text.slice(at, nameEnd);
    this.#options.onAttribute?.(attributes.length + 1);
    const equals = this.#afterSpace(nameEnd);
    if (text.charCodeAt(equals) !== EQUALS) throw this.#fault(`the attribute ${name} has no value`, at);
    const start = this.#afterSpace(equals + 1) + 1;
    const quote = text.charCodeAt(start - 1);
    if (quote !== QUOTE && quote !== APOSTROPHE)
      throw this.#fault(`the value of the attribute ${name} has no quotes`, at);
    let isPlain = true;
    let end = start;
    for (let code = text.charCodeAt(end); code !== quote; code = text.charCodeAt(++end)) {
      // Any comparison with the NaN past the end is false.
      if (code > AMPERSAND && code !== LESS) continue;
      if (code === LESS) throw this.#fault(`it has < in the attribute ${name}`, end);
      if (code === AMPERSAND || code < SPACE) isPlain = false;
      else if (!(code >= SPACE)) throw this.#fault(`the attribute ${name} is not closed`, at);
    }
    const raw = text.slice(start, end);
    const colon = name.indexOf(COLON);
    const prefix = colon < 0 ? "" : name.slice(0, colon);
    const local = colon < 0 ? name : name.slice(colon + 1);
    const grow = (characters: number): void => this.#options.onValue?.(local, characters);
    const value = isPlain ? raw : this.#resolved(raw.replace(/[\t\n]/g, " "), start, grow);
    grow(value.length);
    if (colon >= 0) this.#assertParts(name, prefix, local);
    if (prefix === "xmlns" || name === "xmlns") {
      const fault = this.#namespaces.declare(prefix === "" ? "" : local, value);
      if (fault !== null) throw this.#fault(fault, at);
    }
    attributes.push({ name, prefix, local, uri: "", value });
    return end + 1;
  }

  /** Adds the namespaces, which are known when all attributes have been read. */
  #named(name: string, attributes: XmlAttribute[]): XmlElement {
    const colon = name.indexOf(COLON);
    const prefix = colon < 0 ? "" : name.slice(0, colon);
    const local = colon < 0 ? name : name.slice(colon + 1);
    if (colon >= 0) this.#assertParts(name, prefix, local);
    const uri = this.#namespaces.ofElement(prefix);
    if (uri === null) throw this.#fault(`the prefix ${prefix} of a namespace is not declared`);
    for (const attribute of attributes) {
      const found = this.#namespaces.ofAttribute(attribute.prefix, attribute.local);
      if (found === null) throw this.#fault(`the prefix ${attribute.prefix} of a namespace is not declared`);
      attribute.uri = found;
    }
    const twice = repeated(attributes, this.#namespaces);
    if (twice) throw this.#fault(`the element ${name} has the attribute ${twice.name} twice`);
    return { name, prefix, local, uri, attributes };
  }

  #assertParts(name: string, prefix: string, local: string): void {
    const isValid = prefix !== "" && endOfName(local, 0) === local.length && !local.includes(COLON);
    if (!isValid || local === "") throw this.#fault(`${name} is no name with a prefix`);
  }

  /**
   * Resolves the references in a text that begins at `start` of the document.
   * @param grow is told the length after each reference
   */
  #resolved(raw: string, start: number, grow?: (characters: number) => void): string {
    let resolved = "";
    let from = 0;
    for (let at = raw.indexOf("&"); at >= 0; at = raw.indexOf("&", from)) {
      resolved += raw.slice(from, at);
      const end = raw.indexOf(";", at);
      const name = end < 0 ? "" : raw.slice(at + 1, end);
      const character = ENTITIES.get(name) ?? numbered(name);
      if (character === null) throw this.#fault("it has & before something that is no reference", start + at);
      resolved += character;
      grow?.(resolved.length);
      from = end + 1;
    }
    return resolved + raw.slice(from);
  }

  #afterSpace(at: number): number {
    while (this.#isSpaceAt(at)) at += 1;
    return at;
  }

  #isSpaceAt(at: number): boolean {
    return isSpace(this.#text.charCodeAt(at));
  }

  #fault(what: string, at = this.#at): XmlError {
    let line = 1;
    for (let end = this.#text.indexOf("\n"); end >= 0 && end < at; end = this.#text.indexOf("\n", end + 1))
      line += 1;
    return new XmlError(`${what} (line ${line})`);
  }
}

/** Returns the character of `#10` or `#xa`; null for anything else. */
function numbered(name: string): string | null {
  const [, digits, hex] = /^#(?:(\d+)|x([\dA-Fa-f]+))$/.exec(name) ?? [];
  const code = digits !== undefined ? Number(digits) : parseInt(hex ?? "", 16);
  return isCharacter(code) ? String.fromCodePoint(code) : null;
}

/** Returns an attribute that another one before it equals in name and namespace. */
function repeated(attributes: readonly XmlAttribute[], namespaces: Namespaces): XmlAttribute | undefined {
  if (attributes.length > COMPARED_MAX) {
    const seen = new Set<string>();
    const key = ({ local, uri }: XmlAttribute): string =>
      uri === "" ? local : `${namespaces.numberOf(uri)}:${local}`;
    return attributes.find((one) => seen.size === seen.add(key(one)).size);
  }
  for (let i = 1; i < attributes.length; i++) {
    const one = attributes[i]!;
    for (let j = 0; j < i; j++) {
      const other = attributes[j]!;
      if (other.local === one.local && other.uri === one.uri) return one;
    }
  }
  return undefined;
}
