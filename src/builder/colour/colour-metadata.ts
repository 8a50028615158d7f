/**
 * What a master says of its colours, read as the file passes by. The decoders pay no heed to it, and the probe has
 * only noted that it is there.
 */
import type { MasterFormat } from "../../image/model/facts.ts";
import { readItems } from "../../image/formats/avif/items.ts";
import type { ByteFeed, Parsing } from "../../image/bytes/byte-feed.ts";
import type { CodePoints } from "../../image/model/code-points.ts";
import { Reader } from "../../image/formats/avif/isobmff.ts";
import { ascii } from "./icc-curves.ts";

/** A longer profile counts as none. Those of printing presses have up to 3 MB. */
export const PROFILE_MAX_BYTES = 4 * 1024 * 1024;

export interface Statement {
  icc?: Uint8Array;
  /** The content of a PNG's iCCP, which is still to be inflated. */
  iccChunk?: Uint8Array;
  codePoints?: CodePoints;
}

type StatementParser = (feed: ByteFeed) => Parsing<Statement>;

/** Formats that state colours. Each parser ends as soon as nothing more can come. */
export const STATEMENTS: Partial<Record<MasterFormat, StatementParser>> = {
  jpeg: readJpeg,
  png: readPng,
  webp: readWebp,
  avif: readAvif,
};

const u16 = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) * 256 + (bytes[at + 1] as number);
const u32 = (bytes: Uint8Array, at: number): number => u16(bytes, at) * 65_536 + u16(bytes, at + 2);

const [SOI, SOS, APP2] = [0xd8, 0xda, 0xe2];
const ICC_IDENTIFIER = "ICC_PROFILE\0";
/** The identifier, the number of the part, from 1 on, and how many there are. */
const ICC_HEAD_BYTES = ICC_IDENTIFIER.length + 2;

/** APP2 segments before the first scan (ICC.1:2022, annex B.4). */
function* readJpeg(feed: ByteFeed): Parsing<Statement> {
  const parts = new JpegParts();
  yield* feed.skip(2, "JPEG");
  for (;;) {
    if ((yield* feed.byte("JPEG")) !== 0xff) break;
    // Any number of FF may come before a marker (ITU T.81, B.1.1.2).
    yield* feed.skipRun(0xff, "JPEG");
    const marker = yield* feed.byte("JPEG");
    if (marker === SOS || marker < 0xc0 || (marker > 0xcf && marker <= SOI + 1)) break;
    const size = u16(yield* feed.take(2, "JPEG"), 0) - 2;
    if (marker === APP2 && size >= ICC_HEAD_BYTES) parts.add(yield* feed.take(size, "JPEG"));
    else yield* feed.skip(size, "JPEG");
  }
  const icc = parts.whole();
  return icc ? { icc } : {};
}

class JpegParts {
  readonly #parts = new Map<number, Uint8Array>();
  #count = 0;
  #bytes = 0;
  #isBroken = false;

  add(segment: Uint8Array): void {
    if (ascii(segment, 0, ICC_IDENTIFIER.length) !== ICC_IDENTIFIER || this.#isBroken) return;
    const [number, count] = segment.subarray(ICC_IDENTIFIER.length) as unknown as [number, number];
    this.#bytes += segment.length - ICC_HEAD_BYTES;
    this.#isBroken =
      number === 0 ||
      number > count ||
      this.#parts.has(number) ||
      (this.#count !== 0 && count !== this.#count) ||
      this.#bytes > PROFILE_MAX_BYTES;
    this.#count = count;
    if (this.#isBroken) this.#parts.clear();
    // A copy: the file's chunks may be read into one buffer, again and again.
    else this.#parts.set(number, segment.slice(ICC_HEAD_BYTES));
  }

  /** The parts in order; null when one is missing. */
  whole(): Uint8Array | null {
    if (this.#parts.size === 0 || this.#parts.size !== this.#count) return null;
    const whole = new Uint8Array(this.#bytes);
    let end = 0;
    for (let number = 1; number <= this.#count; number++) {
      const part = this.#parts.get(number) as Uint8Array;
      whole.set(part, end);
      end += part.length;
    }
    return whole;
  }
}

/** iCCP and cICP, which stand before the pixels (PNG specification, third edition, clauses 11.3.2.3 and 11.3.2.6). */
function* readPng(feed: ByteFeed): Parsing<Statement> {
  const statement: Statement = {};
  yield* feed.skip(8, "PNG");
  for (;;) {
    const head = yield* feed.take(8, "PNG");
    const [size, type] = [u32(head, 0), ascii(head, 4, 8)];
    if (type === "IDAT" || type === "IEND") return statement;
    if (type === "iCCP" && size <= PROFILE_MAX_BYTES) {
      statement.iccChunk ??= yield* feed.take(size, "PNG");
      yield* feed.skip(4, "PNG");
    } else if (type === "cICP" && size === 4) {
      const [primaries, transfer, , range] = (yield* feed.take(4, "PNG")) as unknown as number[];
      statement.codePoints ??= {
        primaries: primaries as number,
        transfer: transfer as number,
        fullRange: range !== 0,
      };
      yield* feed.skip(4, "PNG");
    } else {
      yield* feed.skip(size + 4, "PNG");
    }
  }
}

/** ICCP, which stands before the pixels (RFC 9649, section 2.7.1.4). */
function* readWebp(feed: ByteFeed): Parsing<Statement> {
  yield* feed.skip(12, "WebP");
  for (;;) {
    const head = yield* feed.take(8, "WebP");
    const size = new DataView(head.buffer, head.byteOffset).getUint32(4, true);
    const type = ascii(head, 0, 4);
    if (type === "VP8 " || type === "VP8L" || type === "ANMF") return {};
    if (type === "ICCP") return size <= PROFILE_MAX_BYTES ? { icc: yield* feed.take(size, "WebP") } : {};
    yield* feed.skip(size + (size % 2), "WebP");
  }
}

/** The `colr` properties of the primary item (ISO/IEC 23008-12, section 6.5.5). */
function* readAvif(feed: ByteFeed): Parsing<Statement> {
  for (;;) {
    const head = new Reader(yield* feed.take(8, "AVIF"), "box");
    const [size, type] = [head.u32(), head.fourcc()];
    const large = size === 1 ? new Reader(yield* feed.take(8, "AVIF"), "box").uint(8) : size;
    const content = large - (size === 1 ? 16 : 8);
    // The probe has refused boxes of less than nothing; one of size 0 runs to the end.
    if (type !== "meta") {
      if (size === 0) return {};
      yield* feed.skip(content, "AVIF");
      continue;
    }
    const meta =
      size === 0
        ? yield* feed.takeUpTo(PROFILE_MAX_BYTES)
        : content <= PROFILE_MAX_BYTES
          ? yield* feed.take(content, "AVIF")
          : null;
    if (!meta) return {};
    const { primary, properties } = readItems(meta);
    const { icc, codePoints } = properties.get(primary ?? 0) ?? {};
    return {
      ...(icc && { icc }),
      // With YCbCr to RGB the decoder has brought a narrow range to the full one.
      ...(codePoints && { codePoints: { ...codePoints, fullRange: true } }),
    };
  }
}
