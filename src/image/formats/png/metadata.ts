/** Finds the chunks of a PNG that may state rights, before and after the pixels (PNG 3rd edition, sections 11.3.3 and 11.3.4.5). */
import type { ByteFeed, Parsing } from "../../bytes/byte-feed.ts";
import { inflated } from "../../bytes/inflate.ts";
import { latin1, startsWith } from "../../bytes/numbers.ts";
import { METADATA } from "../../../limits.ts";
import type { MetadataBlocks } from "../metadata/blocks.ts";
import { nextChunk, skipChunk, soundContentOf } from "./chunk-walk.ts";

const SIGNATURE_BYTES = 8;
const XMP = "XML:com.adobe.xmp";
const KEYWORD_MAX_BYTES = 79;
/** A chunk that is larger is not looked at: real packets have some KB. */
const CONTENT_MAX_BYTES = METADATA.blockMaxBytes;
/** The beginning of the keywords under which ImageMagick and others write blocks of other formats, as hexadecimal text. */
const RAW_PROFILE = "Raw profile type ";

export function* readPngMetadata(feed: ByteFeed, found: MetadataBlocks): Parsing<void> {
  yield* feed.skip(SIGNATURE_BYTES, "PNG");
  let inflations = 0;
  for (let chunks = 0; chunks < METADATA.walkedMax; chunks++) {
    const chunk = yield* nextChunk(feed);
    const { type } = chunk;
    if (type === "IEND") return;
    if (!["eXIf", "tEXt", "zTXt", "iTXt"].includes(type)) {
      yield* skipChunk(feed, chunk);
      continue;
    }
    const content = yield* soundContentOf(feed, chunk, CONTENT_MAX_BYTES);
    if (content === null) continue;
    if (type === "eXIf") found.exif ??= content;
    else {
      // Counted before it is known whether it succeeds: a failed one costs as much.
      const text = textIn(type, content, () => inflations++ < INFLATIONS_MAX);
      if (text) keepText(text, found);
    }
  }
}

/** Compressed texts that are inflated, at most METADATA.blockMaxBytes each. */
const INFLATIONS_MAX = 8;

interface Text {
  keyword: string;
  content: Uint8Array;
  isUtf8: boolean;
}

/** Returns whether a keyword is read. A compressed text under another one is not inflated. */
const isOfInterest = (keyword: string): boolean =>
  keyword === XMP || keyword === "Author" || keyword === "Copyright" || keyword.startsWith(RAW_PROFILE);

function textIn(type: string, chunk: Uint8Array, mayInflate: () => boolean): Text | null {
  const end = chunk.indexOf(0);
  if (end < 1 || end > KEYWORD_MAX_BYTES) return null;
  const keyword = latin1(chunk, 0, end);
  if (!isOfInterest(keyword)) return null;
  const isUtf8 = type === "iTXt";
  const isCompressed = type === "zTXt" || (isUtf8 && chunk[end + 1] === 1);
  // After the keyword: a method in zTXt; a flag, a method, a language and a translated keyword in iTXt.
  let at = end + 1;
  if (type === "zTXt") at += 1;
  if (isUtf8) {
    const language = chunk.indexOf(0, end + 3);
    at = language === -1 ? 0 : chunk.indexOf(0, language + 1) + 1;
    if (at === 0) return null;
  }
  const stored = chunk.subarray(at);
  if (!isCompressed) return { keyword, content: stored, isUtf8 };
  const content = mayInflate() ? inflated(stored, METADATA.blockMaxBytes) : null;
  return content && { keyword, content, isUtf8 };
}

function keepText({ keyword, content, isUtf8 }: Text, found: MetadataBlocks): void {
  if (keyword === XMP) {
    found.xmp ??= content;
    return;
  }
  if (keyword.startsWith(RAW_PROFILE)) {
    keepProfile(keyword.slice(RAW_PROFILE.length), content, found);
    return;
  }
  const text = new TextDecoder(isUtf8 ? "utf-8" : "iso-8859-1").decode(
    content.subarray(0, METADATA.valueMaxBytes),
  );
  found.texts ??= {};
  if (keyword === "Author") found.texts.author ??= text;
  else found.texts.copyright ??= text;
}

/** Reads a block as hexadecimal text: a name, a length, and the digits in lines. */
function keepProfile(name: string, content: Uint8Array, found: MetadataBlocks): void {
  const digits = /^\s*\w+\s+\d+\s+([0-9a-fA-F\s]*)/.exec(latin1Of(content))?.[1]?.replace(/\s+/g, "") ?? "";
  const bytes = new Uint8Array(digits.length >> 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  if (name === "exif" || (name === "APP1" && startsWith(bytes, "Exif"))) found.exif ??= bytes;
  else if (name === "xmp") found.xmp ??= bytes;
  else if (name === "iptc" || name === "8bim") found.photoshop ??= bytes;
}

const latin1Of = (bytes: Uint8Array): string => new TextDecoder("iso-8859-1").decode(bytes);
