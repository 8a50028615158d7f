/**
 * Makes one AV1 frame of many tiles from tiles that were encoded separately, each as a picture.
 *
 * AV1 codes tiles independently (specification section 7.1: contexts and predictions end at their edges). They share
 * only the frame header. So if all tiles were encoded with the same header, their data can follow one header, in
 * which the size of the whole picture and tile_info() are replaced. Only the deblocking filter, which the decoder
 * applies to the finished frame, crosses the edges of tiles, which makes them less visible.
 */
import type { Tiling } from "../../../image/formats/avif/tiling.ts";
import { OBU } from "../../../image/formats/avif/av1-obu.ts";
import { obuHead, readObus } from "./av1-obu.ts";
import { levelOf, readStillSequence, resized, type StillSequence } from "./av1-sequence.ts";
import { type Frame, readFrame } from "./av1-frame.ts";
import { TILE_SIZE_BYTES, writeTileInfo } from "./av1-tiles.ts";
import { Av1Error } from "../../../image/formats/avif/av1-bits.ts";
import { BitWriter, sameBits } from "./bit-writer.ts";

export interface Stitched {
  /** One temporal unit: a sequence header and a frame. */
  pieces: Uint8Array<ArrayBuffer>[];
  byteLength: number;
  profile: number;
  level: number;
}

/** Returns a copy of bytes that will soon be overwritten. */
export type Keep = (bytes: Uint8Array) => Uint8Array<ArrayBuffer>;

/** Collects the tiles of one frame, row by row. */
export class Stitcher {
  readonly #tiling: Tiling;
  readonly #keep: Keep;
  readonly #tiles: Uint8Array<ArrayBuffer>[] = [];
  #first: { sequence: StillSequence; frame: Frame } | null = null;

  constructor(tiling: Tiling, keep: Keep = (bytes) => Uint8Array.from(bytes)) {
    this.#tiling = tiling;
    this.#keep = keep;
  }

  /** Bytes of tile data that are held. */
  get byteLength(): number {
    return this.#tiles.reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Adds the next tile, given as the AV1 data of a still picture of the tile's size.
   * @throws Av1Error when it cannot be in the same frame as the tiles before
   */
  add(data: Uint8Array): void {
    const { columns, rows } = this.#tiling;
    const units = readObus(data).filter(({ type }) => type !== OBU.temporalDelimiter);
    const [head, body] = units;
    if (units.length !== 2 || head?.type !== OBU.sequenceHeader || body?.type !== OBU.frame) {
      throw new Av1Error("A tile is not one sequence header and one frame");
    }
    const sequence = readStillSequence(head.payload);
    const place = this.#tiles.length;
    const [width, height] = [columns[place % columns.length], rows[Math.floor(place / columns.length)]];
    if (sequence.width !== width || sequence.height !== height) {
      throw new Av1Error(`A tile is ${sequence.width} x ${sequence.height}, not ${width} x ${height}`);
    }
    const frame = readFrame(body.payload, sequence);
    this.#first ??= {
      sequence: { ...sequence, bytes: sequence.bytes.slice() },
      frame: { ...frame, bytes: frame.bytes.slice(0, Math.ceil(frame.after.to / 8)) },
    };
    expectAlike(this.#first, { sequence, frame });
    this.#tiles.push(this.#keep(frame.tileData));
  }

  /** The finished frame. @throws Av1Error when tiles are missing, or AV1 does not allow this tiling */
  finish(): Stitched {
    const first = this.#first;
    const { columns, rows } = this.#tiling;
    const count = columns.length * rows.length;
    if (!first || this.#tiles.length !== count) throw new Av1Error("A frame lacks tiles");
    const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
    const [width, height] = [sum(columns), sum(rows)];
    const level = levelOf(width, height);
    const sequence = resized(first.sequence, width, height, level);
    const header = frameHeader(first.frame, this.#tiling, first.sequence.superblock);
    // tile_group_obu() (section 5.11.1): with several tiles, a flag says that the group has all of them.
    const group = count > 1 ? [0] : [];
    const sizes = (count - 1) * TILE_SIZE_BYTES;
    const frameBytes = header.length + group.length + sizes + this.byteLength;
    const pieces = [
      Uint8Array.from([
        ...obuHead(OBU.sequenceHeader, sequence.length),
        ...sequence,
        ...obuHead(OBU.frame, frameBytes),
        ...header,
        ...group,
      ]),
    ];
    this.#tiles.forEach((tile, i) => {
      if (i < count - 1) pieces.push(sizeOf(tile));
      pieces.push(tile);
    });
    const byteLength = pieces.reduce((total, { length }) => total + length, 0);
    return { pieces, byteLength, profile: first.sequence.profile, level };
  }
}

/** Checks that a tile has the same headers as the first one, apart from its size and level. */
function expectAlike(
  a: { sequence: StillSequence; frame: Frame },
  b: { sequence: StillSequence; frame: Frame },
): void {
  const alike = (x: Uint8Array, y: Uint8Array, from: Frame["before"], other: Frame["before"]): boolean =>
    from.to - from.from === other.to - other.from &&
    sameBits(x, y, from.from, other.from, from.to - from.from);
  const isSame =
    a.sequence.profile === b.sequence.profile &&
    alike(a.sequence.bytes, b.sequence.bytes, a.sequence.tail, b.sequence.tail) &&
    alike(a.frame.bytes, b.frame.bytes, a.frame.before, b.frame.before) &&
    alike(a.frame.bytes, b.frame.bytes, a.frame.after, b.frame.after);
  if (!isSame) throw new Av1Error("The tiles have different frame headers");
}

function frameHeader(frame: Frame, tiling: Tiling, superblock: number): Uint8Array {
  const out = new BitWriter();
  out.copy(frame.bytes, frame.before.from, frame.before.to);
  writeTileInfo(out, tiling, superblock);
  out.copy(frame.bytes, frame.after.from, frame.after.to);
  return out.bytes();
}

/** tile_size_minus_1 as le(TileSizeBytes) (section 5.11.1). */
function sizeOf(tile: Uint8Array): Uint8Array<ArrayBuffer> {
  const size = new Uint8Array(TILE_SIZE_BYTES);
  new DataView(size.buffer).setUint32(0, tile.length - 1, true);
  return size;
}
