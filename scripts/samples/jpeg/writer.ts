/** A small JPEG writer for what sharp cannot make: any order of scans, restarts, factors, markers and tables. */
import { BandWriter, BitWriter, type HuffmanTable, TABLES, putAc, putDc } from "./entropy.ts";
import { type Picture, type PictureComponent, quantStep } from "./picture.ts";

/** A scan (ITU T.81 B.2.3). Sequential scans leave the band out. */
export interface ScanSpec {
  components: number[];
  first?: number;
  last?: number;
  high?: number;
  low?: number;
}

export interface WriteOptions {
  /** SOF0, SOF1 or SOF2; any other frame marker may be stated with nothing behind it. */
  frameMarker?: number;
  scans?: ScanSpec[];
  /** MCUs between restart markers. */
  restartInterval?: number;
  /** The transform flag of an APP14 "Adobe" segment. */
  adobe?: number;
  tables?: keyof typeof TABLES;
  precision?: number;
}

/** Returns the scans of a progressive file with every kind of refinement; `components` of them. */
export function progression(components: number): ScanSpec[] {
  const all = Array.from({ length: components }, (_, index) => index);
  return [
    { components: all, first: 0, last: 0, low: 1 },
    ...all.map((index) => ({ components: [index], first: 1, last: 5, low: 2 })),
    ...all.map((index) => ({ components: [index], first: 6, last: 63, low: 2 })),
    ...all.map((index) => ({ components: [index], first: 1, last: 63, high: 2, low: 1 })),
    { components: all, first: 0, last: 0, high: 1, low: 0 },
    ...all.map((index) => ({ components: [index], first: 1, last: 63, high: 1, low: 0 })),
  ];
}

function segment(marker: number, body: number[]): number[] {
  const length = body.length + 2;
  return [0xff, marker, length >> 8, length & 255, ...body];
}

function huffmanSegment(slot: number, table: HuffmanTable): number[] {
  return segment(0xc4, [slot, ...table.counts, ...table.symbols]);
}

export function writeJpeg(picture: Picture, options: WriteOptions = {}): Uint8Array {
  const { width, height, components } = picture;
  const frameMarker = options.frameMarker ?? 0xc0;
  const tables = TABLES[options.tables ?? "flat"];
  const scans = options.scans ?? [{ components: components.map((_, index) => index) }];
  const bytes: number[] = [0xff, 0xd8];
  if (options.adobe !== undefined) {
    bytes.push(...segment(0xee, [...new TextEncoder().encode("Adobe"), 0, 100, 0, 0, 0, 0, options.adobe]));
  }
  bytes.push(...segment(0xdb, [0, ...Array.from({ length: 64 }, (_, k) => quantStep(k))]));
  const frame = [options.precision ?? 8, height >> 8, height & 255, width >> 8, width & 255];
  frame.push(components.length, ...components.flatMap(({ id, h, v }) => [id, (h << 4) | v, 0]));
  bytes.push(...segment(frameMarker, frame));
  bytes.push(...huffmanSegment(0x00, tables.dc), ...huffmanSegment(0x10, tables.ac));
  const interval = options.restartInterval ?? 0;
  if (interval > 0) bytes.push(...segment(0xdd, [interval >> 8, interval & 255]));
  for (const scan of scans) {
    const { first = 0, last = frameMarker === 0xc2 ? 0 : 63, high = 0, low = 0 } = scan;
    const selectors = scan.components.flatMap((index) => [components[index]!.id, 0]);
    bytes.push(...segment(0xda, [scan.components.length, ...selectors, first, last, (high << 4) | low]));
    const band = { first, last, high, low };
    for (const byte of writeScan(
      picture,
      scan.components,
      frameMarker === 0xc2 ? band : null,
      interval,
      tables,
    ))
      bytes.push(byte);
  }
  bytes.push(0xff, 0xd9);
  return Uint8Array.from(bytes);
}

interface Band {
  first: number;
  last: number;
  high: number;
  low: number;
}

/** Returns the blocks of one MCU, in order: one component alone goes by its own blocks (A.2.2, A.2.3). */
function mcuBlocks(members: PictureComponent[], x: number, y: number): [member: number, block: Int16Array][] {
  return members.flatMap((component, member) => {
    const [h, v] = members.length === 1 ? [1, 1] : [component.h, component.v];
    return Array.from({ length: h * v }, (_, i): [number, Int16Array] => {
      const block = (y * v + Math.floor(i / h)) * component.blocksWide + x * h + (i % h);
      return [member, component.coefficients.subarray(block * 64, block * 64 + 64)];
    });
  });
}

function writeScan(
  picture: Picture,
  indices: number[],
  band: Band | null,
  interval: number,
  tables: { dc: HuffmanTable; ac: HuffmanTable },
): number[] {
  const members = indices.map((index) => picture.components[index]!);
  const [alone] = members;
  const single = members.length === 1;
  const blocks = (length: number, factor: number, maximum: number): number =>
    Math.ceil(Math.ceil((length * factor) / maximum) / 8);
  const wide = single ? blocks(picture.width, alone!.h, picture.maxH) : picture.mcusWide;
  const high = single ? blocks(picture.height, alone!.v, picture.maxV) : picture.mcusHigh;
  const out = new BitWriter();
  const bandWriter = band && band.first > 0 ? new BandWriter(out, tables.ac, band) : null;
  let predictions = members.map(() => 0);
  for (let mcu = 0; mcu < wide * high; mcu++) {
    if (interval > 0 && mcu > 0 && mcu % interval === 0) {
      bandWriter?.endRun();
      out.marker(0xd0 + ((mcu / interval - 1) & 7));
      predictions = members.map(() => 0);
    }
    for (const [member, block] of mcuBlocks(members, mcu % wide, Math.floor(mcu / wide))) {
      if (bandWriter) {
        bandWriter.block(block);
      } else if (band && band.high > 0) {
        out.put(block[0]! >> band.low, 1);
      } else {
        const dc = block[0]! >> (band?.low ?? 0);
        putDc(out, tables.dc, dc - predictions[member]!);
        predictions[member] = dc;
        if (!band) putAc(out, tables.ac, block);
      }
    }
  }
  bandWriter?.endRun();
  out.flush();
  return out.bytes;
}
