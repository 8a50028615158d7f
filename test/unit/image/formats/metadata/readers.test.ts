/** Statements about rights, found wherever a file may make them (RULES 9.9). Files are written by sharp and by hand. */
import { deflateSync } from "node:zlib";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import type { Copyright } from "../../../../../src/image/model/copyright.ts";
import { crc32 } from "../../../../../src/image/bytes/crc32.ts";
import {
  dataSet,
  EXIF,
  packet,
  resource,
  RIGHTS,
  segment,
  withSegments,
} from "../../../../support/pictures/stated-rights.ts";

const tiny = () => sharp({ create: { width: 16, height: 16, channels: 3, background: "#a52" } });
let jpeg: Buffer;
let png: Buffer;

beforeAll(async () => {
  jpeg = await tiny().jpeg().toBuffer();
  png = await tiny().png().toBuffer();
});

const rightsIn = (file: Uint8Array): Copyright | undefined => probe(file).copyright;
const ALL: Copyright = {
  ...RIGHTS,
  licensor: { name: "Licensing House", url: "https://example.com/licence" },
};
const NONE = { creator: null, credit: null, notice: null, usageTerms: null, statement: null, licensor: null };

/** Returns a chunk of a PNG. */
function chunk(type: string, ...parts: (string | Uint8Array)[]): Buffer {
  const body = Buffer.concat([
    Buffer.from(type),
    ...parts.map((part) => Buffer.from(part as string, "latin1")),
  ]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(body.length - 4);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
const IHDR_END = 33;
const inPng = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, IHDR_END), ...chunks, png.subarray(IHDR_END)]);
const atEndOfPng = (...chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, -12), ...chunks, png.subarray(-12)]);
const xmpSegment = (xmp: string): Buffer => segment(0xe1, "http://ns.adobe.com/xap/1.0/\0", Buffer.from(xmp));
const photoshop = (...resources: Buffer[]): Buffer => segment(0xed, "Photoshop 3.0\0", ...resources);

/** Returns an EXIF segment with texts of more than four bytes. */
function exifSegment(texts: readonly [tag: number, type: number, value: Buffer][]): Buffer {
  const ifd = Buffer.alloc(8 + 2 + 12 * texts.length + 4);
  ifd.write("MM\0*", 0, "latin1");
  ifd.writeUInt32BE(8, 4);
  ifd.writeUInt16BE(texts.length, 8);
  let end = ifd.length;
  texts.forEach(([tag, type, { length }], at) => {
    ifd.writeUInt16BE(tag, 10 + 12 * at);
    ifd.writeUInt16BE(type, 12 + 12 * at);
    ifd.writeUInt32BE(length, 14 + 12 * at);
    ifd.writeUInt32BE(end, 18 + 12 * at);
    end += length;
  });
  return segment(0xe1, "Exif\0\0", ifd, ...texts.map(([, , value]) => value));
}

describe("statements that are made to do harm", () => {
  it.each(["toString", "valueOf"])("of the character set %s are none", (name) => {
    const iptc = Buffer.concat([dataSet(1, 90, name), dataSet(2, 116, "Ann")]);
    const file = withSegments(jpeg, photoshop(resource(0x0404, iptc)));
    expect(() => rightsIn(file)).not.toThrow();
  });

  it("have no noncharacters, which XML forbids", () => {
    const iptc = Buffer.concat([
      dataSet(1, 90, "\x1b%G"),
      dataSet(2, 116, "A\uffffn\ufffen\u{1ffff} \ufdd0B\ufffd"),
    ]);
    const file = withSegments(jpeg, photoshop(resource(0x0404, iptc)));
    expect(rightsIn(file)?.notice).toBe("A n n B\ufffd");
  });

  it("are inflated eight times in all, also where that fails", () => {
    const long = deflateSync(Buffer.alloc(200_000, "a"));
    const bombs = Array.from({ length: 8 }, () => chunk("zTXt", "Author\0\0", long));
    const last = chunk("zTXt", "Author\0\0", deflateSync("Ann"));
    expect(rightsIn(inPng(...bombs.slice(1), last))).toMatchObject({ creator: "Ann" });
    expect(rightsIn(inPng(...bombs, last))).toBeUndefined();
  });
});

describe("XMP", () => {
  it.each(["jpeg", "png", "webp", "avif"] as const)("is read in a %s that sharp wrote", async (format) => {
    expect(rightsIn(await tiny().toFormat(format).withXmp(packet()).toBuffer())).toEqual(ALL);
  });

  it("is read in a GIF, whose application extension holds it as it is", async () => {
    const gif = await tiny().gif().toBuffer();
    const trailer = Buffer.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0]);
    const block = Buffer.concat([
      Buffer.from("!\xff\x0bXMP DataXMP", "latin1"),
      Buffer.from(packet()),
      trailer,
    ]);
    const table = 13 + 3 * 2 ** ((gif[10]! & 7) + 1);
    expect(rightsIn(Buffer.concat([gif.subarray(0, table), block, gif.subarray(table)]))).toEqual(ALL);
  });

  it("is read in the element metadata of an SVG", () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:cc="http://creativecommons.org/ns#" width="9" height="9"
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <metadata><rdf:RDF><cc:Work rdf:about=""><dc:creator><cc:Agent><dc:title>Jane</dc:title></cc:Agent></dc:creator>
      <cc:license rdf:resource="https://creativecommons.org/licenses/by/4.0/"/></cc:Work></rdf:RDF></metadata>
      <rect width="9" height="9"/></svg>`;
    const statement = "https://creativecommons.org/licenses/by/4.0/";
    expect(rightsIn(Buffer.from(svg))).toEqual({ ...NONE, creator: "Jane", statement });
  });

  it("is read in the extended packet of a JPEG that the packet names, and in no other", () => {
    const digest = "0123456789ABCDEF0123456789ABCDEF";
    const extended = Buffer.from(packet());
    const part = (name: string, from: number, to: number): Buffer => {
      const numbers = Buffer.alloc(8);
      numbers.writeUInt32BE(extended.length);
      numbers.writeUInt32BE(from, 4);
      return segment(
        0xe1,
        "http://ns.adobe.com/xmp/extension/\0",
        name,
        numbers,
        extended.subarray(from, to),
      );
    };
    const main = (name: string): Buffer =>
      xmpSegment(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
        xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="${name}"/></rdf:RDF>`);
    const parts = [part(digest, 900, extended.length), part(digest, 0, 900)];
    expect(rightsIn(withSegments(jpeg, main(digest), ...parts))).toEqual(ALL);
    expect(rightsIn(withSegments(jpeg, main("F".repeat(32)), ...parts))).toBeUndefined();
  });

  it("is read in a compressed text of a PNG, before and after the pixels, and as ImageMagick writes it", () => {
    const deflated = deflateSync(packet());
    const compressed = chunk("iTXt", "XML:com.adobe.xmp\0\x01\0\0\0", deflated);
    expect(rightsIn(inPng(compressed))).toEqual(ALL);
    expect(rightsIn(atEndOfPng(compressed))).toEqual(ALL);
    const hex = Buffer.from(packet()).toString("hex").replace(/.{72}/g, "$&\n");
    const raw = deflateSync(`\nxmp\n    ${packet().length}\n${hex}\n`);
    expect(rightsIn(inPng(chunk("zTXt", "Raw profile type xmp\0\0", raw)))).toEqual(ALL);
  });

  it("takes its first description's own properties, under any prefix, and none of what lies deeper", () => {
    const xmp = `<a:RDF xmlns:a="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><a:Description xmlns:b="http://purl.org/dc/elements/1.1/">
      <c:Ingredients xmlns:c="urn:x"><a:Bag><a:li><a:Description><b:creator>wrong</b:creator></a:Description></a:li></a:Bag></c:Ingredients>
      <b:creator><a:Seq><a:li>A</a:li><a:li>B</a:li></a:Seq></b:creator></a:Description>
      <a:Description><b:creator>late</b:creator></a:Description></a:RDF>`;
    expect(rightsIn(withSegments(jpeg, xmpSegment(xmp)))).toEqual({ ...NONE, creator: "A; B" });
  });

  it("of an address that is none of the web is left out", () => {
    const xmp = packet().replace(RIGHTS.statement.replace("&", "&amp;"), "javascript:alert(1)");
    expect(rightsIn(withSegments(jpeg, xmpSegment(xmp)))?.statement).toBeNull();
  });
});

describe("IPTC", () => {
  const records = (...sets: Buffer[]): Buffer => photoshop(resource(0x0404, Buffer.concat(sets)));

  it("is read with the character set that it states, or as UTF-8, or as Latin-1", () => {
    const latin1 = Buffer.from("Jos\xe9", "latin1");
    const expected = { ...NONE, creator: "José; Zoë", credit: "Ñ", notice: "© X" };
    const sets = [
      dataSet(2, 80, "José"),
      dataSet(2, 80, "Zoë"),
      dataSet(2, 110, "Ñ"),
      dataSet(2, 116, "© X"),
    ];
    expect(rightsIn(withSegments(jpeg, records(dataSet(1, 90, "\x1b%G"), ...sets)))).toEqual(expected);
    expect(rightsIn(withSegments(jpeg, records(...sets)))).toEqual(expected);
    expect(rightsIn(withSegments(jpeg, records(dataSet(2, 80, latin1))))?.creator).toBe("José");
    const cyrillic = records(dataSet(1, 90, "\x1b-L"), dataSet(2, 80, Buffer.of(0xb8, 0xd2, 0xd0, 0xdd)));
    expect(rightsIn(withSegments(jpeg, cyrillic))?.creator).toBe("Иван");
  });

  it("is read across segments, with the address of Photoshop's dialog", () => {
    const all = Buffer.concat([
      resource(0x040b, Buffer.from("https://example.com/owner")),
      resource(0x0404, dataSet(2, 116, "© Long")),
    ]);
    const file = withSegments(jpeg, photoshop(all.subarray(0, 30)), photoshop(all.subarray(30)));
    expect(rightsIn(file)).toEqual({ ...NONE, notice: "© Long", statement: "https://example.com/owner" });
  });
});

describe("EXIF", () => {
  it.each(["jpeg", "webp", "avif", "png"] as const)("is read in a %s", async (format) => {
    const file = await tiny().toFormat(format).withExif({ IFD0: EXIF.IFD0 }).toBuffer();
    expect(rightsIn(file)).toEqual({ ...NONE, creator: "Jane", notice: "Jane" });
  });

  it("counts after IPTC, and that after XMP, each statement by itself", async () => {
    const withExif = await tiny()
      .jpeg()
      .withExif({ IFD0: { Artist: "exif", Copyright: "exif" } })
      .toBuffer();
    const iptc = photoshop(
      resource(0x0404, Buffer.concat([dataSet(2, 80, "iptc"), dataSet(2, 110, "iptc")])),
    );
    const xmp = xmpSegment(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
      xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="xmp"/></rdf:RDF>`);
    expect(rightsIn(withSegments(withExif, iptc, xmp))).toEqual({
      ...NONE,
      creator: "xmp",
      credit: "iptc",
      notice: "exif",
    });
    expect(rightsIn(withSegments(withExif, iptc))?.creator).toBe("iptc");
  });

  it("ends at its zero, and the copyright after two of them, whatever a writer left behind", () => {
    const texts: [tag: number, type: number, value: Buffer][] = [
      [0x013b, 2, Buffer.from("Ann\0GPS 52.5 13.4 of an earlier text\0")],
      [0x8298, 2, Buffer.from("Ann Lee\0The Agency\0GPS 52.5 13.4\0")],
    ];
    expect(rightsIn(withSegments(jpeg, exifSegment(texts)))).toMatchObject({
      creator: "Ann",
      notice: "Ann Lee, The Agency",
    });
    const author: typeof texts = [[0x9c9d, 1, Buffer.from("Ann\0GPS 52.5 13.4", "utf16le")]];
    expect(rightsIn(withSegments(jpeg, exifSegment(author)))?.creator).toBe("Ann");
  });

  it("of spaces, zeros or controls states nothing", async () => {
    const file = await tiny()
      .jpeg()
      .withExif({ IFD0: { Artist: "   ", Copyright: " \u0001 " } })
      .toBuffer();
    expect(rightsIn(file)).toBeUndefined();
  });
});

it("reads the texts Author and Copyright of a PNG", () => {
  const file = inPng(
    chunk("tEXt", "Author\0Jos\xe9"),
    chunk("tEXt", "Copyright\0\xa9 2026"),
    chunk("tEXt", "Comment\0no"),
  );
  expect(rightsIn(file)).toEqual({ ...NONE, creator: "José", notice: "© 2026" });
});
