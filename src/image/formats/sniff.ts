import type { ByteFeed, Parsing } from "../bytes/byte-feed.ts";
import { InvalidImageError, UnsupportedMediaError } from "../bytes/errors.ts";
import { startsWith } from "../bytes/numbers.ts";
import { rasterKind, SIGNATURE_BYTES, type RasterKind } from "./raster.ts";

/** How much text is searched for the root element: a prolog may be long, with a licence or an internal subset. */
const PROLOG_MAX_BYTES = 16384;

export interface Sniffed {
  kind: RasterKind | "svg";
  /** The bytes that were consumed from the feed. */
  head: Uint8Array;
}

/**
 * Finds out the kind of a file by its first bytes. The bytes of a raster are not consumed.
 * @throws UnsupportedMediaError when the kind is not one that is stored
 * @throws InvalidImageError when the file is empty
 */
export function* sniff(feed: ByteFeed): Parsing<Sniffed> {
  const start = yield* feed.peek(SIGNATURE_BYTES);
  if (start.length === 0) throw new InvalidImageError("the file is empty");
  const kind = rasterKind(start);
  if (kind) return { kind, head: new Uint8Array(0) };
  // The upload has inflated an svgz already, so anything else that is compressed is refused.
  if (startsWith(start, "\x1f\x8b")) {
    throw new UnsupportedMediaError("the file is compressed with gzip, and not an SVG drawing");
  }
  const head = yield* feed.takeUpTo(PROLOG_MAX_BYTES);
  if (isSvg(head)) return { kind: "svg", head };
  throw new UnsupportedMediaError("the file is not a JPEG, PNG, GIF, WebP, AVIF or SVG image");
}

/**
 * Whether the root element of the text is `svg`, after any prolog (XML 1.0 production 22). UTF-16 is read by dropping
 * its zero bytes, because the syntax of the prolog is ASCII.
 */
function isSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.filter((byte) => byte !== 0));
  return /^<(?:[\w.-]+:)?svg[\s/>]/i.test(text.slice(endOfProlog(text)));
}

/** The index where the root element starts; the end of the text if the prolog does not end within it. */
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
