/** Decodes a file to text. An encoding that disguises markup is refused, never converted (RULES 6.4). */
import { SVG } from "../../../../limits.ts";
import { SvgRejectedError } from "../errors.ts";

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

/** Names of UTF-8 and of encodings that are subsets of it. */
const ACCEPTED = /^(?:utf-?8|us-ascii|ascii)$/i;

/** @throws SvgRejectedError for anything but UTF-8 of at most SVG.maxBytes */
export function readText(bytes: Uint8Array): string {
  if (bytes.length > SVG.maxBytes) throw tooLarge();
  for (const [name, ...mark] of BOMS) {
    if (mark.every((byte, i) => bytes[i] === byte)) {
      throw new SvgRejectedError(`the drawing is written in ${name}; only UTF-8 is accepted`);
    }
  }
  // In UTF-8, no character of XML contains a zero byte: this is UTF-16 without a byte order mark, or not text.
  if (bytes.includes(0)) throw new SvgRejectedError("the drawing holds zero bytes; only UTF-8 is accepted");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new SvgRejectedError("the drawing is not valid UTF-8");
  }
}

export const tooLarge = (): SvgRejectedError =>
  new SvgRejectedError(`the drawing is larger than ${SVG.maxBytes} bytes`);

/** @throws SvgRejectedError when the XML declaration names another encoding than UTF-8 */
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
  // An escape of CSS may stand for these two, which XML does not allow in any form.
  "\ufffe": "\ufffd",
  "\uffff": "\ufffd",
};

/** Escapes tabs and line breaks too: a parser turns them into spaces in attributes, and a CR in text into a LF. */
export const escapeAttribute = (value: string): string =>
  value.replace(/[&<>"\t\n\r\ufffe\uffff]/g, (c) => ESCAPES[c]!);
export const escapeText = (text: string): string => text.replace(/[&<>\r\ufffe\uffff]/g, (c) => ESCAPES[c]!);
