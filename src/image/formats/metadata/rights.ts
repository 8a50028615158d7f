/** Combines what the blocks of a file state about the rights in it. */
import { METADATA } from "../../../limits.ts";
import { type Copyright, CREATOR_SEPARATOR, type Licensor } from "../../model/copyright.ts";
import type { MetadataBlocks } from "./blocks.ts";
import { type ExifRights, readExif } from "./exif.ts";
import { type IptcRights, readPhotoshop } from "./iptc.ts";
import { readXmp, type XmpRights } from "./xmp.ts";

/** Controls, line breaks, byte order marks and noncharacters, which become one space. XML 1.0 forbids some of them. */
const UNWANTED = /[\p{Cc}\p{Noncharacter_Code_Point}\u2028\u2029\ufeff]+/gu;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const WEB = /^https?:\/\//i;

const lineOf = (text: string): string =>
  text.toWellFormed().replace(UNWANTED, " ").replace(/ {2,}/g, " ").trim();

/** Returns the text on one line, cut to METADATA.fieldMaxBytes; null if nothing is left. */
function tidy(text: string | null | undefined): string | null {
  if (!text) return null;
  return cutText(lineOf(text), METADATA.fieldMaxBytes) || null;
}

/** Returns at most `maxBytes` of the text in UTF-8, of whole characters. */
export function cutText(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1;
  return new TextDecoder().decode(bytes.subarray(0, end)).trim();
}

/** Returns an address of the web. One of another scheme, such as `javascript:`, is none; nor is one that would be cut. */
function address(text: string | null | undefined): string | null {
  const tidied = tidy(text);
  if (tidied === null || tidied !== lineOf(text ?? "")) return null;
  return SCHEME.test(tidied) && !WEB.test(tidied) ? null : tidied;
}

const firstOf = (texts: readonly (string | null | undefined)[]): string | null =>
  texts.reduce<string | null>((found, text) => found ?? tidy(text), null);

const creatorsOf = (names: readonly string[] | undefined): string =>
  (names ?? []).flatMap((name) => tidy(name) ?? []).join(CREATOR_SEPARATOR);

function licensorOf(xmp: readonly XmpRights[]): Licensor | null {
  const name = firstOf(xmp.map(({ licensorName }) => licensorName));
  const url = xmp.reduce<string | null>((found, { licensorUrl }) => found ?? address(licensorUrl), null);
  return name === null && url === null ? null : { name, url };
}

/** Returns the packet, and the extended one that it names. */
function packetsOf({ xmp, extendedXmp }: MetadataBlocks): XmpRights[] {
  if (!xmp) return [];
  const main = readXmp(xmp);
  const isNamed = extendedXmp && main.extended?.trim().toUpperCase() === extendedXmp.digest.toUpperCase();
  return isNamed ? [main, readXmp(extendedXmp.packet)] : [main];
}

/** Returns the statements; null if there are none. XMP counts before IPTC, and both before EXIF and texts. */
export function copyrightOf(blocks: MetadataBlocks): Copyright | null {
  const xmp = packetsOf(blocks);
  const iptc: Partial<IptcRights> = blocks.photoshop ? readPhotoshop(blocks.photoshop) : {};
  const exif: Partial<ExifRights> = blocks.exif ? readExif(blocks.exif) : {};
  const { texts = {} } = blocks;
  const ofXmp = (key: "credit" | "notice" | "usageTerms"): (string | null)[] => xmp.map((one) => one[key]);
  const copyright: Copyright = {
    creator: firstOf([
      ...xmp.map(({ creators }) => creatorsOf(creators)),
      creatorsOf(iptc.creators),
      exif.creator,
      texts.author,
    ]),
    credit: firstOf([...ofXmp("credit"), iptc.credit]),
    notice: firstOf([...ofXmp("notice"), iptc.notice, exif.notice, texts.copyright]),
    usageTerms: firstOf(ofXmp("usageTerms")),
    statement: [...xmp.map(({ statement }) => statement), iptc.statement].reduce<string | null>(
      (found, text) => found ?? address(text),
      null,
    ),
    licensor: licensorOf(xmp),
  };
  return Object.values(copyright).some((value) => value !== null) ? copyright : null;
}
