/**
 * Codes the scans of a progressive file from the tokens of the whole picture. In a small file, headers and tables weigh:
 * there the division into scans that takes the fewest bytes is found by counting.
 */
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import {
  type BandRange,
  BANDS,
  CHROMA_DIVISIONS,
  FULL,
  GRAY,
  HALVED,
  type JpegEncoderModule,
  LUMA_DIVISIONS,
} from "./encoder-module.ts";
import { codesOf, type HuffmanTable, optimalTable } from "./huffman-tables.ts";
import { type PlacedTable, type Scan, scanBytes, scanHeader } from "./markers.ts";
import { bitsOf, type CodedScans, type CountedScan, shareTables } from "./shared-tables.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type Chunks = AsyncGenerator<Bytes, void, undefined>;

/** Approximate nanoseconds of computing per byte of the file, and per call that counts or codes. */
const WORK = { perFileByte: 10, perCall: 300_000 } as const;
/**
 * The largest picture whose scans are chosen. A larger one gets the usual scans: the tokens are not read once more to
 * count others.
 */
const SMALL_PIXELS = 1 << 17;
const CODES = 512;

export interface Progressive {
  readonly wasm: JpegEncoderModule;
  readonly memory: WebAssembly.Memory;
  readonly meter: WorkMeter;
  /** Copies the module's output. */
  readonly output: (bytes: number) => Bytes;
  readonly pixels: number;
  readonly isGray: boolean;
  readonly isHalved: boolean;
}

export async function* progressiveScans(file: Progressive): Chunks {
  const parts = file.isGray ? GRAY : file.isHalved ? HALVED : FULL;
  const isSmall = file.pixels <= SMALL_PIXELS;
  yield* dcScans(file, parts, isSmall);
  let luma = usualScans(file, parts, 0, 1);
  let chroma = usualScans(file, parts, 1, parts.length);
  let best = shareTables([...luma, ...chroma]);
  for (const division of isSmall ? LUMA_DIVISIONS : []) {
    const other = await countScans(file, parts, 0, 1, division);
    const coded = shareTables([...other, ...chroma]);
    if (bitsWithHeaders(coded) < bitsWithHeaders(best)) [luma, best] = [other, coded];
  }
  for (const division of isSmall && !file.isGray ? CHROMA_DIVISIONS : []) {
    chroma = await countScans(file, parts, 1, parts.length, division);
    const coded = shareTables([...luma, ...chroma]);
    if (bitsWithHeaders(coded) < bitsWithHeaders(best)) best = coded;
  }
  yield* codeScans(file, best);
}

const bitsWithHeaders = ({ scans, bits }: CodedScans): number => bits + 8 * scanBytes(1) * scans.length;

const countsAt = ({ memory }: Progressive, address: number): Uint32Array =>
  new Uint32Array(memory.buffer, address, 256).slice();

const counted = (file: Progressive, part: number, scan: Scan, address: number): CountedScan => ({
  part,
  scan,
  counts: countsAt(file, address),
});

/** Returns the scans of components `from` to `end`, whose symbols were counted when the levels were chosen. */
const usualScans = (file: Progressive, parts: readonly number[], from: number, end: number): CountedScan[] =>
  BANDS.flatMap((range, band) =>
    scansOf(parts, from, end, range).map(({ part, scan }) =>
      counted(file, part, scan, file.wasm.acCountsAddress(part, band)),
    ),
  );

/** Returns the scans of components `from` to `end` in another division, whose symbols are counted now. */
async function countScans(
  file: Progressive,
  parts: readonly number[],
  from: number,
  end: number,
  division: readonly BandRange[],
): Promise<CountedScan[]> {
  const { wasm, memory, meter } = file;
  const address = wasm.countsAddress();
  const scans: CountedScan[] = [];
  for (const { part, scan } of division.flatMap((range) => scansOf(parts, from, end, range))) {
    new Uint32Array(memory.buffer, address, 256).fill(0);
    wasm.openScan(part, scan.from, scan.to);
    while (wasm.countPart()) await meter.spend(WORK.perCall);
    scans.push(counted(file, part, scan, address));
  }
  return scans;
}

/** Returns a scan of a band per component. Neighbours hold alike symbols, so they may share a table. */
const scansOf = (
  parts: readonly number[],
  first: number,
  end: number,
  [from, to]: BandRange,
): { part: number; scan: Scan }[] =>
  parts.slice(first, end).map((part, i) => ({ part, scan: { first: first + i, components: 1, from, to } }));

/** Yields the DC coefficients: a scan per component, or one of all. */
async function* dcScans(file: Progressive, parts: readonly number[], isSmall: boolean): Chunks {
  const each = shareTables(
    parts.map((part, i) =>
      counted(file, part, { first: i, components: 1, from: 0, to: 0 }, file.wasm.dcCountsAddress(part)),
    ),
  );
  const tables = isSmall && !file.isGray ? await countAll(file) : null;
  if (!tables || bitsWithHeaders(each) <= tables.bits) return yield* codeScans(file, each);
  const { wasm, memory, meter } = file;
  const codes = new Uint32Array(memory.buffer, wasm.codesAddress(), 4 * CODES);
  tables.placed.forEach(({ table, id }) => codes.set(codesOf(table), 2 * CODES * id));
  yield scanHeader({ first: 0, components: 3, from: 0, to: 0 }, tables.placed);
  for (let bytes = wasm.emitRows(); bytes > 0; bytes = wasm.emitRows()) {
    yield file.output(bytes);
    await meter.spend(WORK.perFileByte * bytes);
  }
  yield file.output(wasm.flush());
}

/**
 * Returns the tables of a scan of the DC coefficients of all components, and the bits of the scan. It is then at its
 * beginning.
 */
async function countAll(file: Progressive): Promise<{ placed: PlacedTable[]; bits: number }> {
  const { wasm, memory, meter } = file;
  const address = wasm.countsAddress();
  new Uint32Array(memory.buffer, address, 4 * 256).fill(0);
  wasm.openAll(Number(file.isHalved), 1);
  while (wasm.countRows()) await meter.spend(WORK.perCall);
  let bits = 8 * scanBytes(3);
  const placed = [0, 1].map((id): PlacedTable => {
    const counts = countsAt(file, address + 2 * 1024 * id);
    const table: HuffmanTable = optimalTable(counts);
    bits += bitsOf(counts, table, false);
    return { kind: "dc", id, table };
  });
  return { placed, bits };
}

async function* codeScans(file: Progressive, { scans }: CodedScans): Chunks {
  const { wasm, memory, meter } = file;
  for (const { part, scan, table, isShared } of scans) {
    if (!isShared) new Uint32Array(memory.buffer, wasm.codesAddress(), CODES).set(codesOf(table));
    const kind = scan.to === 0 ? "dc" : "ac";
    yield scanHeader(scan, isShared ? [] : [{ kind, id: 0, table }]);
    wasm.openScan(part, scan.from, scan.to);
    while (!wasm.isDone()) {
      const bytes = wasm.emit();
      if (bytes > 0) yield file.output(bytes);
      await meter.spend(WORK.perCall + WORK.perFileByte * bytes);
    }
    yield file.output(wasm.flush());
  }
}
