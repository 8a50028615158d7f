/** Recognises drawings by their root element. */
import type { SvgFacts } from "../../model/facts.ts";
import type { DrawingReader } from "../drawing-reader.ts";
import { readSvg } from "./read.ts";

export const svgReader: DrawingReader<SvgFacts> = { isDrawing: isSvg, read: readSvg };

/**
 * Returns whether the root element of the text is `svg`, after any prolog (XML 1.0 production 22). UTF-16 is read by
 * dropping its zero bytes, because the syntax of the prolog is ASCII.
 */
function isSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.filter((byte) => byte !== 0));
  return /^<(?:[\w.-]+:)?svg[\s/>]/i.test(text.slice(endOfProlog(text)));
}

/** Returns the index where the root element starts; the end of the text if the prolog does not end within it. */
function endOfProlog(text: string): number {
  let at = /[^\s\ufeff\ufffd]|$/.exec(text)!.index;
  while (at < text.length) {
    const rest = text.slice(at, at + 9).toLowerCase();
    let end: number;
    if (/^\s/.test(rest)) end = at + 1;
    else if (rest.startsWith("<?")) end = after(text, "?>", at);
    else if (rest.startsWith("<!--")) end = after(text, "-->", at);
    else if (rest === "<!doctype") end = endOfDoctype(text, at);
    else return at;
    at = end;
  }
  return text.length;
}

function endOfDoctype(text: string, at: number): number {
  const close = after(text, ">", at);
  const subset = text.indexOf("[", at);
  return subset === -1 || subset > close ? close : after(text, ">", after(text, "]", subset));
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}
