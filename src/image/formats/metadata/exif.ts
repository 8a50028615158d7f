/** Reads the statements about rights in a TIFF block (EXIF 2.32, section 4.6.5). */
import { startsWith, u16be, u16le, u32be, u32le } from "../../bytes/numbers.ts";
import { METADATA } from "../../../limits.ts";

export interface ExifRights {
  creator: string | null;
  notice: string | null;
}

const ARTIST = 0x013b;
const COPYRIGHT = 0x8298;
/** The author as Windows writes it, in UTF-16. */
const XP_AUTHOR = 0x9c9d;

const BYTE = 1;
const ASCII = 2;
const UNDEFINED = 7;
/** EXIF 3.0. */
const UTF8 = 129;
/** The types of values that are texts, one byte per count. */
const TEXT_TYPES = [BYTE, ASCII, UNDEFINED, UTF8];

/** Decodes text that is declared as ASCII: UTF-8 if it is well-formed, as most writers have it, else Latin-1. */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Returns a text up to its zero. Some writers leave bytes of an earlier text behind that. */
const upToZero = (text: string): string => text.split("\0", 1)[0] ?? "";

/** Returns the photographer's and the editor's copyright, which end with zeros. No other text has two parts. */
const holders = (bytes: Uint8Array): string =>
  textOfBytes(bytes)
    .split("\0", 2)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(", ");

/** Reads the block, which may be cut off. */
export function readExif(block: Uint8Array): ExifRights {
  const tiff = startsWith(block, "Exif\0\0") ? block.subarray(6) : block;
  const rights: ExifRights = { creator: null, notice: null };
  const littleEndian = startsWith(tiff, "II*\0");
  if ((!littleEndian && !startsWith(tiff, "MM\0*")) || tiff.length < 8) return rights;
  const u16 = littleEndian ? u16le : u16be;
  const u32 = littleEndian ? u32le : u32be;
  const ifd = u32(tiff, 4);
  if (ifd + 2 > tiff.length) return rights;
  const entries = u16(tiff, ifd);
  let author: string | null = null;
  for (let i = 0; i < entries; i++) {
    const at = ifd + 2 + 12 * i;
    if (at + 12 > tiff.length) break;
    const tag = u16(tiff, at);
    if (tag !== ARTIST && tag !== COPYRIGHT && tag !== XP_AUTHOR) continue;
    if (!TEXT_TYPES.includes(u16(tiff, at + 2))) continue;
    const length = u32(tiff, at + 4);
    const from = length <= 4 ? at + 8 : u32(tiff, at + 8);
    if (from + length > tiff.length) continue;
    const value = tiff.subarray(from, from + Math.min(length, METADATA.valueMaxBytes));
    if (tag === ARTIST) rights.creator ??= upToZero(textOfBytes(value)).trim();
    else if (tag === COPYRIGHT) rights.notice ??= holders(value);
    else author ??= upToZero(new TextDecoder("utf-16le").decode(value.subarray(0, value.length & ~1)));
  }
  rights.creator ||= author;
  return rights;
}
