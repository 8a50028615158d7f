/** From a file's bytes to its text. A disguise for markup is refused, never undone (RULES 6.4). */
import { SVG } from "../../../limits.ts";
import { SvgRejectedError } from "./errors.ts";

const BOMS: [name: string, ...bytes: number[]][] = [
  ["UTF-32", 0xff, 0xfe, 0, 0],
  ["UTF-32", 0, 0, 0xfe, 0xff],
  ["UTF-16", 0xff, 0xfe],
  ["UTF-16", 0xfe, 0xff],
  ["UTF-7", 0x2b, 0x2f, 0x76],
  ["UTF-EBCDIC", 0xdd, 0x73, 0x66, 0x73],
  ["SCSU", 0x0e, 0xfe, 0xff],
  ["GB 18030", 0x84, 0x31, 0x95, 0x33],
];

/** Names of the encodings in which the bytes mean what UTF-8 says they do. */
const ACCEPTED = /^(?:utf-?8|us-ascii|ascii)$/i;

/** @throws SvgRejectedError for anything but UTF-8 of at most SVG.maxBytes */
export function readText(bytes: Uint8Array): string {
  if (bytes.length > SVG.maxBytes) throw tooLarge();
  for (const [name, ...mark] of BOMS) {
    if (mark.every((byte, i) => bytes[i] === byte)) {
      throw new SvgRejectedError(`the drawing is written in ${name}; only UTF-8 is accepted`);
    }
  }
  // No character of XML is encoded with a zero byte in UTF-8: this is UTF-16 without a mark, or not text.
  if (bytes.includes(0)) throw new SvgRejectedError("the drawing holds zero bytes; only UTF-8 is accepted");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new SvgRejectedError("the drawing is not valid UTF-8");
  }
}

export const tooLarge = (): SvgRejectedError =>
  new SvgRejectedError(`the drawing is larger than ${SVG.maxBytes} bytes`);

/** @throws SvgRejectedError when the XML declaration names an encoding that the bytes were not read in */
export function assertEncoding(declared: string | undefined): void {
  if (declared !== undefined && !ACCEPTED.test(declared)) {
    throw new SvgRejectedError("the drawing declares an encoding other than UTF-8 and US-ASCII");
  }
}

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** A parser turns a bare line break in an attribute into a space, and a bare CR in text into a line break. */
export const escapeAttribute = (value: string): string => value.replace(/[&<>"\t\n\r]/g, (c) => ESCAPES[c]!);
export const escapeText = (text: string): string => text.replace(/[&<>\r]/g, (c) => ESCAPES[c]!);
