import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { InvalidImageError, SvgRejectedError } from "../../../../src/image/formats/probe.ts";
import { ascii, bytes } from "../../../../scripts/samples/probe/bytes.ts";
import { ftyp, heif, property } from "../../../../scripts/samples/probe/avif.ts";
import { probe } from "../../../../scripts/harness/probe-run.ts";

const refusal = (file: Uint8Array): Error => {
  try {
    probe(file);
  } catch (error) {
    return error as Error;
  }
  throw new Error("the file was accepted");
};

const svgs: Record<string, string> = {
  "without a namespace": "<svg/>",
  "empty root": "<svg>",
  prefixed: "<s:svg xmlns:s='http://www.w3.org/2001/svg'/>",
  "after whitespace": " \r\n\t<svg/>",
  "after a declaration": "<?xml version='1.0'?>\n<svg/>",
  "after comments": "<!-- <p> --><!---->\n<svg/>",
  "after a doctype": '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg/>',
  "after an internal subset": '<!DOCTYPE svg [ <!ENTITY a "<b>"> ]>\n<svg/>',
  "after all of them": "<?xml version='1.0'?><!-- a --><!DOCTYPE svg><?xml-stylesheet href='a'?><svg/>",
};

describe("sniff", () => {
  it.each(Object.entries(svgs))("takes for SVG what is broken SVG: %s", (_, text) => {
    const encodings = [
      ascii(text),
      bytes(0xef, 0xbb, 0xbf, text),
      bytes(0xff, 0xfe, Buffer.from(text, "utf16le")),
      bytes(0xfe, 0xff, Buffer.from(text, "utf16le").swap16()),
      Buffer.from(text, "utf16le"),
    ];
    for (const file of encodings) {
      expect(refusal(file)).toBeInstanceOf(SvgRejectedError);
    }
  });

  it.each([
    ["plain", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
    ["prefixed", "<s:svg xmlns:s='http://www.w3.org/2000/svg'/>"],
    [
      "after comments",
      "\ufeff<?xml version='1.0'?>\n<!-- <p> --><!---->\n<svg xmlns='http://www.w3.org/2000/svg'/>",
    ],
  ])("reads SVG: %s", (_, text) => {
    expect(probe(Buffer.from(text))).toMatchObject({ format: "svg", width: 300, height: 150, frames: 1 });
  });

  it("refuses gzip, which the upload has removed before", () => {
    expect(refusal(gzipSync("<svg/>"))).toMatchObject({ name: "UnsupportedMediaError", kind: null });
  });

  it.each([
    ["text", ascii("hello")],
    ["HTML", ascii("<!DOCTYPE html><html><svg></svg></html>")],
    ["other XML", ascii("<?xml version='1.0'?><svgs/>")],
    ["a prolog without end", ascii(`<!--${"-".repeat(40_000)}`)],
    ["many comments", ascii("<!---->".repeat(5_000))],
    ["one byte", Uint8Array.of(0xff)],
    ["half a JPEG magic", Uint8Array.of(0xff, 0xd8)],
    ["PDF", ascii("%PDF-1.7")],
    ["BMP", ascii("BM\0\0\0\0\0\0\0\0\0\0")],
    ["TIFF", ascii("II*\0\x08\0\0\0\0\0")],
    ["WAVE", ascii("RIFF\x04\0\0\0WAVE")],
    ["a GIF of another version", ascii("GIF88a\x01\0\x01\0\0\0\0;")],
    ["JPEG XL", Uint8Array.of(0xff, 0x0a, 1, 2, 3)],
    ["MP4", ftyp("isom", "mp42")],
    ["Canon raw", ftyp("crx ", "isom")],
  ])("refuses %s as unknown", (_, file) => {
    expect(refusal(file)).toMatchObject({ name: "UnsupportedMediaError", kind: null });
  });

  it.each([
    ["by its brand", ftyp("heic", "mif1")],
    ["by a compatible brand", ftyp("mif1", "heix")],
    ["by its codec", heif([{ type: "hvc1", properties: [], data: ascii("x") }], { brands: ["mif1"] })],
    [
      "by the codec of its tiles",
      heif(
        [
          { type: "grid", properties: [property.ispe(4, 4)], data: ascii("x"), dimg: [2] },
          { type: "hvc1", properties: [property.ispe(4, 4)], data: ascii("y") },
        ],
        { brands: ["mif1"] },
      ),
    ],
  ])("refuses HEIC by name: %s", (_, file) => {
    expect(refusal(file)).toMatchObject({ name: "UnsupportedMediaError", kind: "heic" });
  });

  it("calls an empty file invalid", () => {
    expect(refusal(new Uint8Array(0))).toEqual(new InvalidImageError("the file is empty"));
  });

  it("calls a PNG that was transferred as text invalid", () => {
    const error = refusal(bytes(0x89, "PNG\n\x1a\n", new Uint8Array(20)));
    expect(error.message).toBe("PNG signature is damaged: the file was changed in transfer as text");
  });
});
