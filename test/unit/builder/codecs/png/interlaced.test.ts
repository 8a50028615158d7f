/** Interlaced PNG whose passes are decoded side by side. */
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePng, PngDecodeError } from "../../../../../src/builder/codecs/png/decoder.ts";
import { PNG_BAND_ROWS, pngDecoderPeakBytes } from "../../../../../src/image/formats/png/memory.ts";
import { CHANNELS_OF } from "../../../../../src/image/memory/rows.ts";
import {
  KINDS,
  largestDifference,
  readBySharp,
  somePlan,
} from "../../../../support/pictures/png-pictures.ts";
import {
  decodeSideBySide,
  decodeWhole,
  factsOf,
  inPieces,
  newMemory,
  type Picture,
  readAgainFrom,
  workspaceIn,
} from "../../../../../scripts/harness/png-rows.ts";
import {
  dataChunks,
  filteredRows,
  headerChunk,
  pngChunk,
  type PngPlan,
  SIGNATURE,
  writePng,
} from "../../../../../scripts/samples/png-writer.ts";

const interlaced = (...[depth, type, rest]: Parameters<typeof somePlan>): PngPlan =>
  somePlan(depth, type, { ...rest, interlaced: true });

const packed = (plan: PngPlan): Uint8Array => deflateSync(filteredRows(plan));
const cutsOf = ({ length }: Uint8Array): number[] =>
  Array.from({ length: 50 }, (_, i) => Math.floor(((i + 1) * length) / 51));

/** Returns the bytes, with a bit of the last one turned. */
function withLastWrong(bytes: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[changed.length - 1]! ^= 1;
  return changed;
}

function fileOf(plan: PngPlan, compressed: Uint8Array, idatBytes?: number): Uint8Array {
  const end = pngChunk("IEND", new Uint8Array());
  return Buffer.concat([SIGNATURE, headerChunk(plan), ...dataChunks(compressed, idatBytes), end]);
}

/** Decodes as sharp does, but for 16 bits, which are rounded, where libvips takes the upper byte. */
async function expectAsSharp(png: Uint8Array, picture: Picture, depth: number): Promise<void> {
  const most = largestDifference(picture.data, await readBySharp(png, picture.layout));
  expect(most).toBeLessThanOrEqual(depth === 16 ? 1 : 0);
}

describe("parallel passes", () => {
  for (const [depth, type] of KINDS) {
    it(`have the pixels of libpng for ${depth} bits of type ${type}`, async () => {
      const png = writePng(interlaced(depth, type, { width: 67, height: 83 }));
      await expectAsSharp(png, await decodeSideBySide(png), depth);
    });
  }

  it("give those of a transparent colour and of a palette with alpha", async () => {
    const gray = interlaced(8, 0);
    const colour = interlaced(8, 2);
    const keyOf = (samples: PngPlan["samples"], count: number): Uint8Array =>
      Uint8Array.from({ length: 2 * count }, (_, i) => (i % 2 ? samples[count * 7 + (i >> 1)]! : 0));
    for (const plan of [
      { ...gray, transparency: keyOf(gray.samples, 1) },
      { ...colour, transparency: keyOf(colour.samples, 3) },
      interlaced(4, 3, { transparency: Uint8Array.of(0, 128) }),
    ]) {
      const png = writePng(plan);
      const picture = await decodeSideBySide(png);
      expect(CHANNELS_OF[picture.layout] % 2).toBe(0);
      await expectAsSharp(png, picture, plan.bitDepth);
    }
  });

  it("may be empty: every size up to 17 x 17", async () => {
    for (let width = 1; width <= 17; width++) {
      for (let height = 1; height <= 17; height++) {
        const png = writePng(interlaced(8, 2, { width, height }));
        await expectAsSharp(png, await decodeSideBySide(png), 8);
      }
    }
  });

  it("are those of any size and kind, in chunks and pieces of any length", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...KINDS),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.array(fc.nat(4000), { maxLength: 20 }),
        async ([depth, type], width, height, idatBytes, pieceBytes, cuts) => {
          const png = writePng(interlaced(depth, type, { width, height, idatBytes }));
          const inOrder = [...cuts].sort((a, b) => a - b);
          await expectAsSharp(png, await decodeSideBySide(png, inOrder, pieceBytes), depth);
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([
    ["in stored blocks", { level: 0 }],
    ["with fixed codes", { strategy: 4 }],
    ["in many small blocks", { memLevel: 1 }],
    ["packed as well as can be", { level: 9 }],
    ["with a window of 512 bytes", { windowBits: 9 }],
  ])("may be compressed %s", async (_, options) => {
    const plan = interlaced(8, 6, { width: 400, height: 300 });
    const png = fileOf(plan, deflateSync(filteredRows(plan), options), 8192);
    await expectAsSharp(png, await decodeSideBySide(png), 8);
  });

  it("may repeat what another pass before them held", async () => {
    // Flat and striped: matches reach far back over where passes begin.
    const [width, height] = [700, 500];
    const samples = Array.from({ length: width * height * 3 }, (_, i) => (i % 48 < 24 ? 200 : 30));
    const png = writePng({
      width,
      height,
      bitDepth: 8,
      colourType: 2,
      interlaced: true,
      samples,
      filter: () => 0,
    });
    await expectAsSharp(png, await decodeSideBySide(png), 8);
  });
});

describe("the file of parallel passes", () => {
  it("is read again only once, each pass up to the next one", async () => {
    const png = writePng(interlaced(8, 2, { width: 600, height: 500, filter: () => 0 }));
    const ranges: [from: number, end: number][] = [];
    const again = readAgainFrom(png);
    const noted = (from: number, end: number): AsyncIterable<Uint8Array> => {
      ranges.push([from, end]);
      return again(from, end);
    };
    const rows = await decodePng(workspaceIn(), inPieces(png, [20_000, 90_000]), factsOf(png), noted);
    while (await rows.next());
    expect(ranges).toHaveLength(6);
    expect(ranges.slice(1).map(([from]) => from)).toEqual(ranges.slice(0, -1).map(([, end]) => end));
    // The last pass has half of the pixels.
    expect(ranges[5]![1]).toBeLessThan(0.7 * png.length);
  });

  it("hands out the last rows only after it was checked", async () => {
    const plan = interlaced(8, 2, { width: 400, height: 402 });
    const png = writePng(plan);
    for (const damaged of [png.subarray(0, -13), fileOf(plan, withLastWrong(packed(plan)))]) {
      const again = readAgainFrom(damaged);
      const rows = await decodePng(workspaceIn(), inPieces(damaged, cutsOf(damaged)), factsOf(png), again);
      let given = 0;
      const reading = async (): Promise<void> => {
        for (let batch = await rows.next(); batch; batch = await rows.next()) given += batch.length;
      };
      await expect(reading()).rejects.toBeInstanceOf(PngDecodeError);
      expect(given).toBeGreaterThan(0);
      expect(given).toBeLessThanOrEqual(400 * 400 * 3);
    }
  });

  const plan = interlaced(8, 2, { width: 60, height: 50 });
  it.each([
    [
      "stored in blocks, and cut",
      fileOf(plan, deflateSync(filteredRows(plan), { level: 0 })).subarray(0, 4000),
    ],
    ["with bytes missing between chunks", fileOf(plan, packed(plan), 100).subarray(0, -40)],
    ["with a wrong checksum", fileOf(plan, withLastWrong(packed(plan)))],
    ["that ends a row early", fileOf(plan, deflateSync(filteredRows(plan).subarray(0, -181)))],
    ["that ends within its first pass", fileOf(plan, deflateSync(filteredRows(plan).subarray(0, 50)))],
    ["with a filter that does not exist", writePng({ ...plan, filter: (y) => (y === 20 ? 5 : 0) })],
  ])("is refused %s, as it is when the picture is held whole", async (_, png) => {
    const codeOf = (error: unknown): unknown => (error instanceof PngDecodeError ? error.code : error);
    const whole = await decodeWhole(png).catch(codeOf);
    expect(whole).toMatch(/^(CORRUPT|TRUNCATED)$/);
    expect(await decodeSideBySide(png).catch(codeOf)).toBe(whole);
  });

  it("may be missing when it is read again", async () => {
    const png = writePng(interlaced(8, 2, { width: 300, height: 300 }));
    const lost = (): AsyncIterable<Uint8Array> => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("gone")) }),
    });
    const rows = await decodePng(workspaceIn(), inPieces(png, cutsOf(png)), factsOf(png), lost);
    await expect(rows.next()).rejects.toThrow("gone");
  });
});

describe("memory of parallel passes", () => {
  it.each([
    [8, 2, 4000],
    [16, 6, 3000],
    [1, 3, 8000],
    [8, 6, 500],
  ] as const)("is as predicted for %i bits of type %i, %i wide", async (depth, type, width) => {
    const png = writePng(interlaced(depth, type, { width, height: 60 }));
    const memory = newMemory();
    const rows = await decodePng(workspaceIn(memory), inPieces(png), factsOf(png), readAgainFrom(png));
    while (await rows.next());
    const predicted = pngDecoderPeakBytes(factsOf(png), true);
    expect(memory.buffer.byteLength).toBeLessThanOrEqual(predicted);
    expect(predicted - memory.buffer.byteLength).toBeLessThanOrEqual(65_536);
  });

  it("does not depend on the height", () => {
    const facts = factsOf(writePng(interlaced(8, 2, { width: 100, height: PNG_BAND_ROWS })));
    expect(pngDecoderPeakBytes({ ...facts, codedHeight: 100_000 }, true)).toBe(
      pngDecoderPeakBytes(facts, true),
    );
  });
});
