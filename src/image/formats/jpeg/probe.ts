import type { JpegFacts, Orientation } from "../../model/facts.ts";
import { truncated, type ByteFeed, type Parsing } from "../../bytes/byte-feed.ts";
import { InvalidImageError, countUpTo } from "../../bytes/errors.ts";
import { orientationOf } from "../exif.ts";
import { colourOf, isFrameMarker, readFrame, samplingOf, type Frame } from "./frame-header.ts";
import { startsWith, u16be } from "../../bytes/numbers.ts";
import type { Postpone } from "../postponed-scan.ts";
import { HuffmanTables } from "./huffman-tables.ts";
import { APP1, APP2, DHP, DHT, DRI, EOI, hasLength, isRestart, nameOf, nextMarker, SOS } from "./segments.ts";
import { ScanCounter, type ScanMember } from "./whole-scan.ts";
import { turned } from "../../model/orientation.ts";

const MAX_SEGMENTS = 65536;
/** The longest scan whose data are kept, so that they can be counted if the file ends without an EOI marker. */
const KEPT_SCAN_MAX_BYTES = 1_048_576;

interface Found {
  frame: Frame | null;
  /** Whether there was a DHP segment: several frames refine one picture (T.81 annex J). */
  hierarchical: boolean;
  orientation: Orientation | null;
  icc: boolean;
  scans: number;
  /** Ids of the components that occurred in a scan. */
  scanned: Set<number>;
  tables: HuffmanTables;
  restartInterval: number;
  /** The components of the last scan. */
  members: ScanMember[];
  /** The data of the last scan, in pieces; null when they are not kept. */
  data: Uint8Array[] | null;
  /** The position of the data of the last scan in the file. */
  dataAt: number;
}

/**
 * Reads a JPEG (ITU T.81 annex B) from SOI to EOI, including every scan, because only that tells how many there are.
 * Bytes after EOI are ignored: phones append videos and further pictures there. A sequential picture is complete with the
 * last of its components, whatever follows. Without EOI, such a file is whole if its last scan codes every block.
 * @param postpone gets a scan that is too long to be kept; without it, such a file is refused
 * @throws InvalidImageError
 */
export function* readJpeg(feed: ByteFeed, postpone?: Postpone): Parsing<JpegFacts> {
  const count = countUpTo(MAX_SEGMENTS, "JPEG segments");
  const found: Found = {
    frame: null,
    hierarchical: false,
    orientation: null,
    icc: false,
    scans: 0,
    scanned: new Set(),
    tables: new HuffmanTables(),
    restartInterval: 0,
    members: [],
    data: null,
    dataAt: 0,
  };
  yield* feed.skip(2, "JPEG SOI");
  let marker: number | null = yield* nextMarker(feed);
  while (marker !== EOI && marker !== null && !isDone(found)) {
    count();
    marker = yield* readSegment(feed, marker, found);
  }
  if (marker === null) checkEnd(found, postpone);
  return factsOf(found);
}

/**
 * Reads one segment, and the scan data that follow an SOS. @returns the next marker; null when the file ends with the
 * data
 */
function* readSegment(feed: ByteFeed, marker: number, found: Found): Parsing<number | null> {
  const name = nameOf(marker);
  const where = `JPEG segment ${name}`;
  if (!hasLength(marker)) {
    throw new InvalidImageError(`JPEG has marker ${name} before byte ${feed.position}, where it may not be`);
  }
  const size = u16be(yield* feed.take(2, where), 0) - 2;
  // Decoders ignore metadata after the first scan, because they have begun to draw by then.
  const beforeScans = found.scans === 0;
  if (size < 0) throw new InvalidImageError(`${where} has a length below 2`);

  if (isFrameMarker(marker)) {
    if (found.frame !== null && !found.hierarchical)
      throw new InvalidImageError("JPEG has two frame headers");
    const frame = readFrame(marker, yield* feed.take(size, where));
    found.frame ??= frame;
  } else if (marker === DHP) {
    found.hierarchical = true;
    found.frame = readFrame(marker, yield* feed.take(size, where));
  } else if (marker === SOS) {
    readScan(yield* feed.take(size, where), found);
    return yield* walkEntropyCoded(feed, found);
  } else if (marker === DHT) {
    found.tables.define(yield* feed.take(size, where));
  } else if (marker === DRI && size >= 2) {
    found.restartInterval = u16be(yield* feed.take(size, where), 0);
  } else if (marker === APP1 && beforeScans && found.orientation === null && size > 6) {
    const head = yield* feed.take(6, where);
    if (startsWith(head, "Exif\0\0")) found.orientation = orientationOf(yield* feed.take(size - 6, where));
    else yield* feed.skip(size - 6, where);
  } else if (marker === APP2 && beforeScans && !found.icc && size >= 12) {
    found.icc = startsWith(yield* feed.take(12, where), "ICC_PROFILE\0");
    yield* feed.skip(size - 12, where);
  } else {
    yield* feed.skip(size, where);
  }
  return yield* nextMarker(feed);
}

/** Reads a scan header: T.81 section B.2.3. */
function readScan(body: Uint8Array, found: Found): void {
  if (found.frame === null) throw new InvalidImageError("JPEG has a scan before its frame header");
  const count = body[0] ?? 0;
  if (count < 1 || count > 4 || body.length !== 4 + 2 * count) {
    throw new InvalidImageError("JPEG scan header has a wrong length");
  }
  const left = [...found.frame.components];
  found.members = [];
  for (let at = 1; at <= 2 * count; at += 2) {
    const id = body[at]!;
    // Some cameras give all components one id: each then stands for the next of them, as in libjpeg.
    const index = left.findIndex((component) => component.id === id);
    if (index === -1) {
      throw new InvalidImageError(`JPEG scan names component ${id}, which the frame does not have`);
    }
    const [component] = left.splice(index, 1);
    found.members.push({ ...component!, dc: body[at + 1]! >> 4, ac: body[at + 1]! & 15 });
    found.scanned.add(id);
  }
  found.scans += 1;
  found.data = isSequential(found.frame) ? [] : null;
}

/**
 * Returns whether the probe reads nothing further: a sequential picture is complete with the last of its components.
 */
const isDone = ({ frame, scanned }: Found): boolean =>
  frame !== null && isSequential(frame) && frame.components.every(({ id }) => scanned.has(id));

const isSequential = ({ process }: Frame): boolean => process === "baseline" || process === "extended";

/**
 * Throws if the last scan does not code all its blocks. If its data were too long to be kept, that is postponed.
 * @throws InvalidImageError
 */
function checkEnd(
  { frame, scans, members, tables, restartInterval, data, dataAt }: Found,
  postpone: Postpone | undefined,
) {
  const isCountable = frame !== null && isSequential(frame) && (data !== null || postpone !== undefined);
  if (!isCountable) throw truncated(`JPEG scan ${scans}`);
  const counter = new ScanCounter({ frame, members, tables, restartInterval });
  if (data === null) return postpone?.({ dataAt, counter, refusal: truncated(`JPEG scan ${scans}`) });
  for (const piece of data) counter.push(piece);
  if (!counter.finish()) throw truncated(`JPEG scan ${scans}`);
}

/**
 * Skips entropy-coded data with its stuffed zeros and restart markers (T.81 section B.1.1.5). `indexOf` finds the next
 * FF, unless the current byte is one already.
 * @returns the marker that ends the data; null at the end of the file
 */
function* walkEntropyCoded(feed: ByteFeed, found: Found): Parsing<number | null> {
  found.dataAt = feed.position;
  let afterFF = false;
  let keptBytes = 0;
  while (yield* feed.hasMore()) {
    const bytes = yield* feed.window("JPEG scan");
    let at = 0;
    while (at < bytes.length) {
      if (!afterFF) {
        if (bytes[at] !== 0xff) at = bytes.indexOf(0xff, at);
        if (at === -1) break;
        afterFF = true;
        at += 1;
        continue;
      }
      const code = bytes[at]!;
      at += 1;
      if (code === 0xff) continue;
      afterFF = false;
      if (code === 0 || isRestart(code)) continue;
      feed.drop(at);
      return code;
    }
    keptBytes += bytes.length;
    if (keptBytes > KEPT_SCAN_MAX_BYTES) found.data = null;
    found.data?.push(bytes.slice());
    feed.drop(bytes.length);
  }
  return null;
}

function factsOf({ frame, hierarchical, orientation, icc, scans, scanned }: Found): JpegFacts {
  if (frame === null) throw new InvalidImageError("JPEG has no frame header (SOF)");
  if (scans === 0) throw new InvalidImageError("JPEG has no scan (SOS)");
  const missing = frame.components.find((component) => !scanned.has(component.id));
  if (missing !== undefined) throw new InvalidImageError(`JPEG has no scan of component ${missing.id}`);
  return {
    format: "jpeg",
    ...turned(frame, orientation ?? 1),
    codedWidth: frame.width,
    codedHeight: frame.height,
    orientation: orientation ?? 1,
    frames: 1,
    animated: false,
    hasAlpha: false,
    bitDepth: frame.precision,
    colour: colourOf(frame.components.length),
    profile: icc ? "icc" : "none",
    process: hierarchical ? "unsupported" : frame.process,
    unsupported: hierarchical ? "hierarchical" : frame.unsupported,
    components: frame.components.length,
    sampling: samplingOf(frame.components),
    scans,
  };
}
