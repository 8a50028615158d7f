/** Reads the statements about rights in the image resources of Photoshop: records of IPTC (IIM 4.2), and an address. */
import { METADATA } from "../../../limits.ts";
import { startsWith, u16be, u32be } from "../../bytes/numbers.ts";
import { textOfBytes } from "./exif.ts";

export interface IptcRights {
  creators: string[];
  credit: string | null;
  notice: string | null;
  statement: string | null;
}

const RESOURCE = "8BIM";
const RECORDS = 0x0404;
/** The address of the copyright's owner, as Photoshop's dialog of file info has it. */
const COPYRIGHT_URL = 0x040b;
const RESOURCES_MAX = 1000;

const TAG_MARKER = 0x1c;
/** Data sets by record and number (IIM 4.2, chapters 5 and 6). */
const CHARACTER_SET = "1:90";
const BY_LINE = "2:80";
const CREDIT = "2:110";
const NOTICE = "2:116";
const DATA_SETS_MAX = 5000;
const CREATORS_MAX = 20;

/** The escape sequences of ISO 2022 that name a character set, and the label of its decoder. */
const CHARACTER_SETS: Readonly<Record<string, string>> = {
  "\x1b%G": "utf-8",
  "\x1b%/G": "utf-8",
  "\x1b%/H": "utf-8",
  "\x1b%/I": "utf-8",
  "\x1b.A": "iso-8859-1",
  "\x1b-A": "iso-8859-1",
  "\x1b-B": "iso-8859-2",
  "\x1b-L": "iso-8859-5",
  "\x1b-F": "iso-8859-7",
  "\x1b-M": "windows-1254",
};

/** Reads the resources, which may be cut off (Photoshop file format, section "Image Resource Blocks"). */
export function readPhotoshop(resources: Uint8Array): IptcRights {
  const rights: IptcRights = { creators: [], credit: null, notice: null, statement: null };
  let at = 0;
  for (let i = 0; i < RESOURCES_MAX && startsWith(resources, RESOURCE, at); i++) {
    if (at + 8 > resources.length) break;
    // A name with its length before it, padded to an even number of bytes.
    const size = at + 6 + (((resources[at + 6] ?? 0) + 2) & ~1);
    if (size + 4 > resources.length) break;
    const start = size + 4;
    const length = u32be(resources, size);
    const content = resources.subarray(start, start + length);
    const id = u16be(resources, at + 4);
    if (id === RECORDS) readRecords(content, rights);
    if (id === COPYRIGHT_URL) rights.statement ??= textOfBytes(content.subarray(0, METADATA.valueMaxBytes));
    at = start + length + (length & 1);
  }
  return rights;
}

function readRecords(records: Uint8Array, rights: IptcRights): void {
  let decode = textOfBytes;
  let at = 0;
  for (let i = 0; i < DATA_SETS_MAX && at + 5 <= records.length && records[at] === TAG_MARKER; i++) {
    const length = u16be(records, at + 3);
    // Longer data sets have a length of their length. None of those below is so long.
    if (length & 0x8000) return;
    const name = `${records[at + 1]}:${records[at + 2]}`;
    const value = records.subarray(at + 5, at + 5 + length);
    if (name === CHARACTER_SET) decode = decoderOf(value) ?? decode;
    const isOfInterest = name === BY_LINE || name === CREDIT || name === NOTICE;
    if (isOfInterest) {
      const text = decode(value.subarray(0, METADATA.valueMaxBytes));
      if (name === BY_LINE && rights.creators.length < CREATORS_MAX) rights.creators.push(text);
      if (name === CREDIT) rights.credit ??= text;
      if (name === NOTICE) rights.notice ??= text;
    }
    at += 5 + length;
  }
}

function decoderOf(escape: Uint8Array): ((bytes: Uint8Array) => string) | null {
  const name = String.fromCharCode(...escape.subarray(0, 8));
  const label = Object.hasOwn(CHARACTER_SETS, name) ? CHARACTER_SETS[name] : undefined;
  return label === undefined ? null : (bytes) => new TextDecoder(label).decode(bytes);
}
