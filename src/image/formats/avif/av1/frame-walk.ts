/**
 * Counts the frames in the AV1 data of an item, from the heads of its open bitstream units (AV1 specification sections
 * 5.3 and 5.9.2), and reads what their decoder needs. libaom decodes all of them without a pause, however small the
 * picture is.
 */
import { AVIF } from "../../../../limits.ts";
import { countUpTo, InvalidImageError } from "../../../bytes/errors.ts";
import { LEAST_NEEDS, mostNeeds, needsOf } from "./frame-header.ts";
import type { FrameNeeds } from "../../../model/facts.ts";
import { FRAME, HAS_EXTENSION, HAS_SIZE, SEQUENCE_HEADER } from "./obus.ts";
import { sequenceIn, sequenceOf } from "./sequence-header.ts";

const FRAME_HEADER = 3;
/**
 * Bytes of a sequence header and of the header of a frame that are kept: more than one without operating points takes, and
 * than one takes up to its tiles, of which it may have 128 sizes.
 */
const KEPT_BYTES = { sequence: 64, frame: 160 } as const;
/** Bytes of `av1C` before its units. */
const CONFIGURATION_HEAD_BYTES = 4;
/** The longest leb128 number. */
const SIZE_MAX_BYTES = 8;

/** Makes the counter of units that all walks of a file share. */
export const countUnits = (): (() => void) => countUpTo(AVIF.unitsMax, "AV1 units");

/** The head of a unit, as far as it was read. */
interface Head {
  type: number;
  /** The spatial layer that the unit belongs to: 0 to 3. */
  layer: number;
  /** Bytes of the payload; Infinity for a unit without a size, which is the last one. */
  size: number;
  /** The bytes up to the payload. */
  bytes: number;
}

/** The first bytes of a unit's payload, as far as they have arrived. */
interface Kept {
  bytes: number[];
  most: number;
}

export class FrameWalk {
  readonly #item: string;
  readonly #count: () => void;
  /** The last sequence header, and the headers of frames with those that were the last ones before them. */
  #sequence: Kept | null = null;
  readonly #headers: { sequence: Kept; frame: Kept }[] = [];
  /** The payload that is being kept. */
  #keeping: Kept | null = null;
  /** The beginning of a unit whose head has not arrived whole. */
  #begun: number[] = [];
  /** Bytes of the current unit that are left to skip. */
  #skip = 0;
  #isReduced = false;
  #frames = 0;
  /** The layers that have shown a frame. */
  readonly #shown = new Set<number>();

  /**
   * @param item its name in messages
   * @param configuration the content of its `av1C`, which may have the sequence header
   */
  constructor(item: string, count: () => void, configuration: Uint8Array = new Uint8Array(0)) {
    this.#item = item;
    this.#count = count;
    const sequence = sequenceIn(configuration.subarray(CONFIGURATION_HEAD_BYTES));
    if (sequence) {
      const bytes = [...sequence.subarray(0, KEPT_BYTES.sequence)];
      this.#sequence = { bytes, most: KEPT_BYTES.sequence };
    }
  }

  /** The frames that were met. */
  get frames(): number {
    return this.#frames;
  }

  /** The most that the frames need, as far as their headers can be read. */
  get needs(): FrameNeeds {
    return this.#headers
      .map(({ sequence, frame }) => {
        const read = sequenceOf(Uint8Array.from(sequence.bytes));
        return read ? needsOf(read, Uint8Array.from(frame.bytes)) : LEAST_NEEDS;
      })
      .reduce(mostNeeds, LEAST_NEEDS);
  }

  /** Takes the next bytes of the item. @throws InvalidImageError when it has more frames than a picture needs */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#skip > 0) {
        const step = Math.min(this.#skip, bytes.length - at);
        this.#keep(bytes.subarray(at, at + step));
        this.#skip -= step;
        at += step;
        continue;
      }
      this.#begun.push(bytes[at]!);
      at += 1;
      this.#read();
    }
  }

  #read(): void {
    const head = headOf(this.#begun);
    if (head === null) {
      // No decoder reads on after a size that is none.
      if (this.#begun.length >= 2 + SIZE_MAX_BYTES) this.#skip = Infinity;
      return;
    }
    const { type, layer, size, bytes } = head;
    const needsFirst = size > 0 && (type === SEQUENCE_HEADER || type === FRAME_HEADER || type === FRAME);
    if (needsFirst && this.#begun.length === bytes) return;
    this.#count();
    const first = this.#begun[bytes] ?? 0;
    this.#keeping = null;
    if (needsFirst && type === SEQUENCE_HEADER) {
      this.#isReduced = (first & 0b0000_1000) !== 0;
      this.#sequence = this.#keeping = { bytes: [first], most: Math.min(size, KEPT_BYTES.sequence) };
    } else if (needsFirst) {
      this.#frame(first, layer);
      const frame = { bytes: [first], most: Math.min(size, KEPT_BYTES.frame) };
      if (this.#sequence) this.#headers.push({ sequence: this.#sequence, frame });
      this.#keeping = frame;
    }
    this.#skip = size - (needsFirst ? 1 : 0);
    this.#begun = [];
  }

  /** Keeps what is wanted of the bytes of the current payload. */
  #keep(bytes: Uint8Array): void {
    const kept = this.#keeping;
    if (kept) kept.bytes.push(...bytes.subarray(0, kept.most - kept.bytes.length));
  }

  /** Counts a frame. @param first the first byte of its header */
  #frame(first: number, layer: number): void {
    this.#frames += 1;
    if (this.#frames > AVIF.itemMaxFrames) {
      throw new InvalidImageError(`AVIF ${this.#item} has more than ${AVIF.itemMaxFrames} frames`);
    }
    const isRepeated = (first & 0b1000_0000) !== 0; // show_existing_frame
    const isShown = this.#isReduced || isRepeated || (first & 0b0001_0000) !== 0; // show_frame
    if (!isShown) return;
    if (this.#shown.has(layer)) throw new InvalidImageError(`AVIF ${this.#item} shows more than one frame`);
    this.#shown.add(layer);
  }
}

/** Returns the head of a unit that begins with these bytes; null when it is longer. */
function headOf(bytes: number[]): Head | null {
  const flags = bytes[0]!;
  let at = 1;
  const extension = flags & HAS_EXTENSION ? bytes[at++] : 0;
  if (extension === undefined) return null;
  const head = { type: (flags >> 3) & 15, layer: (extension >> 3) & 3 };
  if (!(flags & HAS_SIZE)) return { ...head, size: Infinity, bytes: at };
  let size = 0;
  for (let i = 0; i < SIZE_MAX_BYTES; i += 1) {
    const byte = bytes[at++];
    if (byte === undefined) return null;
    size += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { ...head, size, bytes: at };
  }
  return null;
}
