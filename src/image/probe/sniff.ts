import type { MasterFormat } from "../master.ts";
import type { ByteFeed, Parsing } from "./byte-feed.ts";
import { InvalidImageError, UnsupportedMediaError } from "./errors.ts";
import { startsWith } from "./numbers.ts";

/** How much text is searched for the root element: prologs with a licence or an internal subset are long. */
const TEXT_CAP = 16384;

/** "isobmff" is any file that begins with an `ftyp` box; its brands are read by the AVIF parser. */
export type Sniffed = Exclude<MasterFormat, "svg" | "avif"> | "isobmff";

/**
 * Tells the kind of a file by its first bytes, and leaves them to be read.
 * @throws UnsupportedMediaError when it is none that is stored
 * @throws InvalidImageError when the file is empty
 */
export function* sniff(feed: ByteFeed): Parsing<Sniffed> {
  const head = yield* feed.peek(12);
  if (head.length === 0) throw new InvalidImageError("the file is empty");
  if (startsWith(head, "\xff\xd8\xff")) return "jpeg";
  // Only the first half of the signature: the other half detects damage in transfer, which PNG's parser reports.
  if (startsWith(head, "\x89PNG")) return "png";
  if (startsWith(head, "GIF87a") || startsWith(head, "GIF89a")) return "gif";
  if (startsWith(head, "RIFF") && startsWith(head, "WEBP", 8)) return "webp";
  if (startsWith(head, "ftyp", 4)) return "isobmff";

  const svg = "SVG uploads are not accepted yet";
  if (startsWith(head, "\x1f\x8b")) {
    throw new UnsupportedMediaError(
      `${svg}, and neither is anything else that is compressed with gzip`,
      "svg",
    );
  }
  if (isSvg(yield* feed.takeUpTo(TEXT_CAP))) throw new UnsupportedMediaError(svg, "svg");
  throw new UnsupportedMediaError("the file is not a JPEG, PNG, GIF, WebP or AVIF image");
}

/**
 * Whether the text has an `svg` root element, whatever comes before it (XML 1.0 production 22). UTF-16 is read by
 * leaving out its zero bytes: the prolog's own syntax is ASCII.
 */
function isSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes.filter((byte) => byte !== 0));
  return /^<(?:[\w.-]+:)?svg[\s/>]/i.test(text.slice(endOfProlog(text)));
}

/** Where the root element starts; the end of the text when the prolog does not end within it. */
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
