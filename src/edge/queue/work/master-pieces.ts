/** A master in pieces that the builder asks for ahead. R2 is read in ranges, each opened while the one before is read. */
import type { ByobReader } from "../../../image/bytes/byob-reader.ts";
import type { MasterPieces } from "../../../image/protocol/build.ts";
import { MASTER_PIECES } from "../../../limits.ts";
import { type ByteRange, openObject } from "../../storage/media/objects.ts";

const { bytes: PIECE_BYTES, aheadMax: AHEAD_MAX } = MASTER_PIECES;

export interface StoredMaster {
  bucket: R2Bucket;
  key: string;
  sizeBytes: number;
}

/** The stored master has fewer bytes than its row says. Another read would find the same. */
export class CutShort extends Error {}

/** Opens a range of the master; null when it no longer exists. */
type OpenRange = (range: ByteRange) => Promise<ByobReader | null>;

/**
 * Opens the master; null when it does not exist.
 * @param signal cancels what is open: a body that no build reads holds a connection (RULES 10.4)
 * @param onEnd called when all of it was read, or nothing is read any more
 * @throws CutShort, and what R2 throws
 */
export async function openPieces(
  master: StoredMaster,
  signal: AbortSignal,
  onEnd: () => void = () => undefined,
): Promise<MasterPieces | null> {
  const openRange: OpenRange = async (range) => {
    signal.throwIfAborted();
    const stream = await openObject(master.bucket, master.key, range);
    const reader: ByobReader | undefined = stream?.getReader({ mode: "byob" });
    if (!reader) return null;
    const cancel = (): void => void reader.cancel().catch(() => undefined);
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    return reader;
  };
  signal.addEventListener("abort", onEnd, { once: true });
  const [start, ...ranges] = rangesOf(master.sizeBytes);
  const reader = start && (await openRange(start));
  if (!reader) return null;
  const pieces = read({ reader, length: start.length }, ranges, openRange, onEnd);
  let waiting = 0;
  const next = async (): Promise<Uint8Array<ArrayBuffer>> => {
    if (waiting >= AHEAD_MAX) throw new Error("too many pieces of the master are asked for at a time");
    waiting += 1;
    try {
      return (await pieces.next()).value ?? new Uint8Array();
    } finally {
      waiting -= 1;
    }
  };
  return { first: await next(), next };
}

/** Ranges that begin and end between pieces, each twice as long as the one before, up to the longest. */
function rangesOf(sizeBytes: number): ByteRange[] {
  const ranges: ByteRange[] = [];
  let length: number = MASTER_PIECES.firstRangeBytes;
  for (let offset = 0; offset < sizeBytes;) {
    ranges.push({ offset, length: Math.min(length, sizeBytes - offset) });
    offset += length;
    length = Math.min(2 * length, MASTER_PIECES.rangeMaxBytes);
  }
  return ranges;
}

interface OpenedRange {
  reader: ByobReader;
  length: number;
}

/**
 * Reads one range after the other, through AHEAD_MAX buffers in turn: by the time that one is used again, the answer
 * that had it before has arrived.
 */
async function* read(
  first: OpenedRange,
  ranges: ByteRange[],
  openRange: OpenRange,
  onEnd: () => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const buffers: ArrayBuffer[] = [];
  let range: OpenedRange | null = first;
  try {
    while (range) {
      let ahead: Promise<OpenedRange> | null = null;
      for (let at = 0; at < range.length; at += PIECE_BYTES) {
        const length = Math.min(PIECE_BYTES, range.length - at);
        const buffer = (buffers.length === AHEAD_MAX && buffers.shift()) || new ArrayBuffer(length);
        const piece = await readPiece(range.reader, new Uint8Array(buffer, 0, length));
        buffers.push(piece.buffer);
        ahead ??= opened(ranges.shift(), openRange);
        ahead?.catch(() => undefined);
        if (!ahead && at + length === range.length) onEnd();
        yield piece;
      }
      range = await ahead;
    }
    return undefined;
  } finally {
    onEnd();
  }
}

/** @throws CutShort when the range ends early */
async function readPiece(
  reader: ByobReader,
  view: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { length } = view;
  const { value } = await reader.read(view, { min: length });
  if (value?.length === length) return value;
  throw new CutShort(`of ${length} bytes of the master ${value?.length ?? 0} came`);
}

/** Returns an opened range; null where there is none. */
function opened(range: ByteRange | undefined, openRange: OpenRange): Promise<OpenedRange> | null {
  if (!range) return null;
  return openRange(range).then((reader) => {
    if (reader) return { reader, length: range.length };
    throw new Error("the master was removed while it was read");
  });
}
