/** Describes the groups of a VP8L image and their prefix codes (RFC 9649, 3.7.2), in the way that takes the fewest bits. */
import { type Alphabet, extraBits, type Walk } from "./alphabet.ts";
import { type Groups, groupTiles } from "./groups.ts";
import { BitWriter, prefixCodes, putBestCode, putZeroCode } from "./prefix-code.ts";
import { putImage } from "./small-image.ts";
import type { WorkMeter } from "../../../scheduling/work-meter.ts";
import type { Size } from "../../../../image/geometry/size.ts";
import type { WebpExports } from "../module.ts";

/** The bits that are subtracted from the number of bits of a tile before it is written. */
export const LEAST_TILE_BITS = 2;

/** Work units of one way to group. */
const WORK_PER_GROUPS = 8_000_000;

type Weigh = (counts: Uint32Array) => Uint32Array;

export interface Described {
  groups: Groups;
  writer: BitWriter;
  /** The code of each symbol, its first bit lowest, and its length, by group. */
  codes: { code: Uint32Array; length: Uint8Array }[];
  /** The bits of the description and the data. */
  bits: number;
}

/** @param weigh counts to make codes of, from what was counted so far */
export async function describeGroups(
  walk: Walk,
  alphabet: Alphabet,
  { width, height }: Size,
  weigh: Weigh,
  meter: WorkMeter,
): Promise<Described> {
  let best: Described | null = null;
  for (const groups of groupTiles(walk, alphabet, width, height)) {
    const described = groups && describe(groups, alphabet, width, weigh);
    if (described && (!best || described.bits < best.bits)) best = described;
    await meter.spend(WORK_PER_GROUPS);
  }
  return best!;
}

function describe(groups: Groups, alphabet: Alphabet, width: number, weigh: Weigh): Described {
  const writer = new BitWriter();
  const isGrouped = groups.counts.length > 1;
  writer.put(Number(isGrouped), 1);
  if (isGrouped) {
    writer.put(groups.tileBits - LEAST_TILE_BITS, 3);
    putImage(writer, groups.groupOf, Math.ceil(width / 2 ** groups.tileBits));
  }
  let bits = 0;
  const codes = groups.counts.map((counted) => {
    const made = putCodes(writer, weigh(counted), alphabet);
    for (let symbol = 0; symbol < counted.length; symbol++) {
      const count = counted[symbol]!;
      if (count > 0) bits += count * (made.length[symbol]! + extraBits(symbol));
    }
    return made;
  });
  return { groups, writer, codes, bits: bits + 8 * writer.bytes.length };
}

function putCodes(
  writer: BitWriter,
  counts: Uint32Array,
  { symbols, codes }: Alphabet,
): Described["codes"][number] {
  const made = { code: new Uint32Array(symbols), length: new Uint8Array(symbols) };
  for (const ranges of codes) {
    if (ranges.length === 0) putZeroCode(writer);
    else {
      const lengths = putBestCode(
        writer,
        Uint32Array.from(ranges.flatMap((range) => [...counts.subarray(...range)])),
      );
      const own = prefixCodes(lengths);
      let at = 0;
      for (const [from, end] of ranges) {
        made.code.set(own.subarray(at, at + end - from), from);
        made.length.set(lengths.subarray(at, at + end - from), from);
        at += end - from;
      }
    }
  }
  return made;
}

/** Gives the module the groups and their codes. */
export function placeCodes(
  memory: WebAssembly.Memory,
  wasm: WebpExports,
  { groups, codes }: Described,
): void {
  codes.forEach(({ code, length }, group) => {
    const at = wasm.groupCodesAddress() + group * code.length * 8;
    const pairs = new Uint32Array(memory.buffer, at, 2 * code.length);
    code.forEach((bits, symbol) => {
      pairs[2 * symbol] = bits;
      pairs[2 * symbol + 1] = length[symbol]!;
    });
  });
  new Uint8Array(memory.buffer, wasm.tileGroupsAddress(), groups.groupOf.length).set(groups.groupOf);
}
