/** The reader of drawings: what it reads of each kind of markup, and what it refuses (RULES 6.4). */
import { describe, expect, it, vi } from "vitest";
import { XmlError, XmlReader, type XmlPart } from "../../../../../../src/image/formats/svg/xml/reader.ts";

function partsOf(text: string): XmlPart[] {
  const parts: XmlPart[] = [];
  const reader = new XmlReader(text);
  for (let part = reader.next(); part !== null; part = reader.next()) parts.push(part);
  return parts;
}

/** Returns the value of the attribute `b` of the root. */
function valueOf(written: string): string | undefined {
  const [part] = partsOf(`<a b=${written}/>`);
  return part?.kind === "open" ? part.element.attributes[0]?.value : undefined;
}

const textOf = (written: string): string =>
  partsOf(`<a>${written}</a>`)
    .map((part) => (part.kind === "text" ? part.text : ""))
    .join("");

describe("the reader of XML", () => {
  it("gives elements their names and namespaces", () => {
    expect(partsOf(`<a xmlns="u" xmlns:p="v"><p:b p:c="1" d='2'/></a>`)).toMatchObject([
      { kind: "open", element: { name: "a", prefix: "", local: "a", uri: "u" } },
      {
        kind: "open",
        element: {
          ...{ name: "p:b", prefix: "p", local: "b", uri: "v" },
          attributes: [
            { name: "p:c", prefix: "p", local: "c", uri: "v", value: "1" },
            { name: "d", prefix: "", local: "d", uri: "", value: "2" },
          ],
        },
      },
      { kind: "close" },
      { kind: "close" },
    ]);
  });

  it("forgets the namespaces of an element at its end", () => {
    const uris = partsOf(`<a xmlns:p="1"><p:b xmlns:p="2"/><p:c/></a>`).flatMap((part) =>
      part.kind === "open" ? [part.element.uri] : [],
    );
    expect(uris).toEqual(["", "2", "1"]);
    expect(() => partsOf(`<a><b xmlns:p="1"/><p:c/></a>`)).toThrow("prefix p");
  });

  it("takes a namespace as it is written, with its spaces, as browsers do", () => {
    const [root] = partsOf(`<a xmlns=" u " xmlns:p=" "/>`);
    expect(root).toMatchObject({ element: { uri: " u " } });
    expect(() => partsOf(`<a xmlns:p=""/>`)).toThrow("empty");
  });

  it("resolves references and spaces in values as the standard has it", () => {
    expect(valueOf(`"1\n2\t3\r\n4&#10;&amp;&#x1F600;"`)).toBe("1 2 3 4\n&\u{1f600}");
    expect(valueOf(`'"'`)).toBe('"');
    expect(valueOf(`"&#000000000000000000000000000000000000000000000000000000000000000000065;"`)).toBe("A");
  });

  it("reads text, CDATA and line ends, and leaves comments and instructions out", () => {
    expect(textOf("1\r\n2\r3<!-- - -->&lt;<?x ?>]]&gt;<![CDATA[<&]]]]>")).toBe("1\n2\n3<]]><&]]");
  });

  it("tells the declared encoding, and that there is a document type, of which it reads nothing", () => {
    expect(partsOf(`\ufeff<?xml version='1.0' encoding="ASCII" standalone="no" ?>\n<a/>`)[0]).toEqual({
      kind: "declaration",
      encoding: "ASCII",
    });
    expect(new XmlReader("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>").next()).toEqual({ kind: "doctype" });
  });

  it.each<[string, string]>([
    [`<a ${"b".repeat(1001)}=''/>`, "1000 characters"],
    [`<a xmlns:p='${"u".repeat(1001)}'/>`, "1000 characters"],
    [
      `<a xmlns:p='u' xmlns:q='u' ${Array.from({ length: 9 }, (_, i) => `b${i}=''`).join(" ")} p:b='' q:b=''/>`,
      "q:b twice",
    ],
    ["<a>", "not closed (line 1)"],
    ["<a>\n<b>\n</a>", "</a> stands where </b> is open (line 3)"],
    ["<a/><b/>", "second root"],
    ["<a/>b", "outside of its root"],
    ["<a b='1' b='2'/>", "b twice"],
    ["<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "q:b twice"],
    [`<a ${Array.from({ length: 30 }, (_, i) => `b${i}=''`).join(" ")} b7=''/>`, "b7 twice"],
    ["<a b='<'/>", "< in the attribute b"],
    ["<a b/>", "no value"],
    ["<a b=1/>", "no quotes"],
    ["<a b='1'c='2'/>", "cannot be read"],
    ["<a b='1/>", "not closed"],
    ["<a>&nbsp;</a>", "no reference"],
    ["<a>&#X41;</a>", "no reference"],
    ["<a>&#0;</a>", "no reference"],
    ["<a>& b</a>", "no reference"],
    ["<a>]]></a>", "]]>"],
    ["<a><!-- -- --></a>", "-- in a comment"],
    ["<a>\u0001</a>", "character"],
    ["<a>\ud800</a>", "character"],
    ["<1/>", "no name"],
    ["<a:b:c xmlns:a='u'/>", "no name with a prefix"],
    ["<xmlns:a/>", "not declared"],
    [" <?xml version='1.0'?><a/>", "at the start"],
    ["<?xml version='2.0'?><a/>", "declaration cannot be read"],
    ["<a/><!DOCTYPE a>", "after its root"],
    ["", "no root"],
  ])("refuses %j", (text, reason) => {
    expect(() => partsOf(text)).toThrow(XmlError);
    expect(() => partsOf(text)).toThrow(reason);
  });

  it("tells of each element and attribute before it reads on, so that a caller can count them", () => {
    const told: string[] = [];
    const reader = new XmlReader("<a b='' c=''><d e=''/></a>", {
      onElement: (depth) => told.push(`element ${depth}`),
      onAttribute: (count) => told.push(`attribute ${count}`),
    });
    while (reader.next() !== null);
    expect(told).toEqual(["element 1", "attribute 1", "attribute 2", "element 2", "attribute 1"]);
  });
});

it("gives a long text in parts, so that its references are not resolved at once", () => {
  const texts = partsOf(`<a>${"&#38;]]".repeat(100_000)}</a>`).filter((part) => part.kind === "text");
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.map(({ text }) => text).join("")).toBe("&]]".repeat(100_000));
  expect(() => partsOf(`<a>${"&#38;]]".repeat(100_000)}></a>`)).toThrow("]]>");
  expect(textOf("x".repeat(200_000))).toBe("x".repeat(200_000));
});

it("looks for the next tag once, in however many parts a text is given", () => {
  const text = `<a>${"&#38;]]".repeat(100_000)}</a>`;
  const searches = vi.spyOn(String.prototype, "indexOf");
  try {
    expect(partsOf(text).length).toBeGreaterThan(7);
    expect(searches.mock.calls.filter(([sought]) => sought === "<")).toHaveLength(1);
  } finally {
    searches.mockRestore();
  }
});

it("gives a part for each comment, instruction and space outside the root, after which a caller may pause", () => {
  const nothing = { kind: "nothing" };
  expect(partsOf("<!--1--><?a?> <a><!--2--><?b?></a>\n")).toMatchObject([
    ...[nothing, nothing, nothing, { kind: "open" }, nothing, nothing, { kind: "close" }, nothing],
  ]);
});

it("tells the length of a value while it resolves its references, so that a caller can refuse it", () => {
  const told: number[] = [];
  const reader = new XmlReader(`<a b="&#38;&#38;${"&#38;".repeat(100)}"/>`, {
    onValue: (local, characters) => {
      told.push(characters);
      if (characters > 2) throw new Error(`${local} is too long`);
    },
  });
  expect(() => reader.next()).toThrow("b is too long");
  expect(told).toEqual([1, 2, 3]);
});
