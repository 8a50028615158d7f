/** The reader of drawings reads every text as saxes does, or refuses it as saxes does. */
import { SaxesParser } from "saxes";
import { expect, it } from "vitest";
import { XmlError, XmlReader } from "../../../../../../src/image/formats/svg/xml/reader.ts";
import { randomOf } from "../../../../../../scripts/samples/random.ts";
import { rounds } from "../../../../../support/ring.ts";

/** The parts of a document, each as one line; null for a document that is refused. */
type Parts = readonly string[] | null;

/** Joins texts that stand beside one another: a parser may take them apart as it likes. */
class Collected {
  readonly parts: string[] = [];
  #text = "";

  text(text: string): void {
    this.#text += text;
  }

  add(part: unknown): void {
    if (this.#text !== "") this.parts.push(`text ${JSON.stringify(this.#text)}`);
    this.#text = "";
    this.parts.push(JSON.stringify(part));
  }
}

function readByUs(text: string): Parts {
  const found = new Collected();
  try {
    const reader = new XmlReader(text);
    for (let part = reader.next(); part !== null; part = reader.next()) {
      if (part.kind === "doctype") return null;
      if (part.kind === "text") found.text(part.text);
      else if (part.kind === "open") {
        const { name, prefix, local, uri, attributes } = part.element;
        found.add([
          name,
          prefix,
          local,
          uri,
          attributes.map((each) => [each.name, each.prefix, each.local, each.uri, each.value]),
        ]);
      } else if (part.kind !== "nothing") found.add(part);
    }
    return found.parts;
  } catch (error) {
    if (error instanceof XmlError) return null;
    throw error;
  }
}

function readBySaxes(text: string): Parts {
  const found = new Collected();
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: "1.0", forceXMLVersion: true });
  const faults: string[] = [];
  let depth = 0;
  parser.on("error", ({ message }) => faults.push(message));
  parser.on("doctype", () => faults.push("a document type"));
  parser.on("xmldecl", ({ encoding }) => found.add({ kind: "declaration", encoding }));
  parser.on("opentag", ({ name, prefix, local, uri, attributes }) => {
    depth += 1;
    found.add([
      name,
      prefix,
      local,
      uri,
      Object.values(attributes).map((each) => [each.name, each.prefix, each.local, each.uri, each.value]),
    ]);
  });
  parser.on("closetag", () => {
    depth -= 1;
    found.add({ kind: "close" });
  });
  parser.on("text", (part) => depth > 0 && found.text(part));
  parser.on("cdata", (part) => found.text(part));
  // It throws for a few texts that are not well-formed, such as a reference to a code point that is none.
  try {
    parser.write(text).close();
  } catch {
    return null;
  }
  return faults.length > 0 ? null : found.parts;
}

const PIECES = [
  ...[
    "<a>",
    "</a>",
    "<a/>",
    "<b c='d'>",
    "</b>",
    '<p:q xmlns:p="u" p:r="1"/>',
    "<x:y/>",
    "<svg xmlns='s'>",
    "</svg>",
  ],
  ...[
    "<a b='1' b='2'/>",
    "<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>",
    "<a xmlns:p=''/>",
    "<a xmlns='' />",
    "<xmlns:a/>",
  ],
  ...["<a xml:lang='en'/>", "<a xmlns:xml='x'/>", "<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>"],
  ...["<a xmlns='http://www.w3.org/2000/xmlns/'/>", "<a xmlns:xmlns='http://www.w3.org/2000/xmlns/'/>"],
  ...[
    "<a xmlns:p='http://www.w3.org/XML/1998/namespace'/>",
    "<a xmlns='http://www.w3.org/XML/1998/namespace'/>",
  ],
  ...[
    "<!--c-->",
    "<!-- - -->",
    "<!-- -- -->",
    "<!--->",
    "<!---->",
    "<![CDATA[t]]>",
    "<![CDATA[]]]]>",
    "<![CDATA[<a>&amp;]]>",
  ],
  ...[
    "<?pi?>",
    "<?pi  body ?>",
    "<?pi ??>",
    "<?p:i?>",
    "<?xml version='1.0'?>",
    '<?xml version="1.1" encoding="utf-8"?>',
  ],
  ...[
    "<?xml version = '1.0' standalone='yes' ?>",
    "<?XML?>",
    "<? pi?>",
    "<!DOCTYPE a>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
  ],
  ...[
    "&amp;",
    "&lt;",
    "&#65;",
    "&#x41;",
    "&#X41;",
    "&#0;",
    "&#xd800;",
    "&#x10ffff;",
    "&#x110000;",
    "&#13;",
    "&nbsp;",
    "&",
    "&;",
    "&#00000000000000000065;",
  ],
  ..."<>/='\"!?-[]&;: \t\n\rab1.é\ufeff\u2028\u00a0\u0001\ufffe\ud83d\ude00·".split(""),
  ...[
    "\r\n",
    "]]>",
    "😀",
    "<é>",
    "</é>",
    "<😀/>",
    "<a é='ü'/>",
    "<a\n b\n=\n'1\n2\t3\r\n4'\n>",
    "<-a/>",
    "<a.b-c/>",
    "<1/>",
    "__proto__='1'",
    "<constructor __proto__='2'/>",
  ],
];

/** Makes a text: some pieces in a row, most of them between a start tag and its end tag. */
function randomText(uniform: () => number): string {
  const one = (): string => PIECES[Math.floor(uniform() * PIECES.length)]!;
  const many = (max: number): string => Array.from({ length: Math.floor(uniform() * max) }, one).join("");
  const whole =
    uniform() < 0.8
      ? `${uniform() < 0.1 ? many(2) : ""}<r ${uniform() < 0.1 ? many(2) : ""}>${many(4)}</r>${uniform() < 0.1 ? many(2) : ""}`
      : many(6);
  if (uniform() < 0.6) return whole;
  const at = Math.floor(uniform() * whole.length);
  return whole.slice(0, at) + (uniform() < 0.5 ? one() : "") + whole.slice(at + (uniform() < 0.5 ? 1 : 0));
}

/**
 * Returns whether saxes may take a text against the standard: halves of surrogate pairs, which no file has that was
 * decoded from UTF-8, instructions with a question mark behind their name that does not end them, and local names that
 * begin with a digit or a sign. It also removes the spaces around the URI of a namespace.
 */
const isBeyondSaxes = (text: string): boolean =>
  !text.isWellFormed() || /<\?[^ \t\r\n?]+\?(?!>)|:[-.\d\u00b7]/.test(text) || SPACED_NAMESPACE.test(text);

const SPACED_NAMESPACE = /xmlns[^=]*=\s*(?:"[^"]*(?:\s|&#)|'[^']*(?:\s|&#))/;

it("reads what saxes reads, and refuses what saxes refuses", () => {
  const uniform = randomOf(1);
  let [taken, refused] = [0, 0];
  for (let round = 0; round < rounds(20_000, 1_000_000); round++) {
    const text = randomText(uniform);
    if (isBeyondSaxes(text)) continue;
    const ours = readByUs(text);
    expect({ text, parts: ours }).toEqual({ text, parts: readBySaxes(text) });
    if (ours) taken += 1;
    else refused += 1;
  }
  expect(Math.min(taken, refused)).toBeGreaterThan((taken + refused) / 10);
});
