import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePng } from "../../../../../src/builder/codecs/png/decoder.ts";
import { pngDecoderPeakBytes } from "../../../../../src/image/formats/png/memory.ts";
import { resampleRows } from "../../../../../src/builder/pixels/resampler.ts";
import {
  collectRows,
  decodeWhole,
  factsOf,
  inPieces,
  newMemory,
  workspaceIn,
} from "../../../../../scripts/harness/png-rows.ts";
import {
  KINDS,
  largestDifference,
  LAYOUTS,
  readBySharp,
  somePlan,
} from "../../../../support/pictures/png-pictures.ts";
import { type PngPlan, pngChunk, writePng } from "../../../../../scripts/samples/png-writer.ts";

describe("every bit depth and colour type", () => {
  for (const [depth, type] of KINDS) {
    for (const interlaced of [false, true]) {
      it(`reads ${depth} bits of type ${type}${interlaced ? ", interlaced" : ""} as libpng does`, async () => {
        const png = writePng(somePlan(depth, type, { interlaced }));
        const picture = await decodeWhole(png);
        expect(picture.layout).toBe(LAYOUTS[type]);
        const most = largestDifference(picture.data, await readBySharp(png, picture.layout));
        // libvips takes the upper byte of 16 bits, the PNG specification the nearest value.
        expect(most).toBeLessThanOrEqual(depth === 16 ? 1 : 0);
      });
    }
  }

  it("rounds 16 bits to the nearest of 8", async () => {
    const samples = Array.from({ length: 65_536 }, (_, i) => i);
    const plan: PngPlan = { width: 256, height: 256, bitDepth: 16, colourType: 0, samples };
    const { data } = await decodeWhole(writePng(plan));
    expect([...data]).toEqual(samples.map((value) => Math.round((value * 255) / 65_535)));
  });

  it("reads pictures of every small size, interlaced too", async () => {
    for (let width = 1; width <= 9; width++) {
      for (let height = 1; height <= 9; height++) {
        for (const interlaced of [false, true]) {
          const png = writePng(somePlan(8, 2, { width, height, interlaced }));
          const { data } = await decodeWhole(png);
          expect(largestDifference(data, await readBySharp(png, "rgb"))).toBe(0);
        }
      }
    }
  });

  it.each([0, 1, 2, 3, 4])("reverses filter type %i for every pixel size", async (filter) => {
    for (const [depth, type] of KINDS) {
      const png = writePng(somePlan(depth, type, { filter: () => filter }));
      const cycled = writePng(somePlan(depth, type));
      expect((await decodeWhole(png)).data).toEqual((await decodeWhole(cycled)).data);
    }
  });
});

describe("transparency without an alpha channel", () => {
  const key = (...values: number[]): Uint8Array =>
    Uint8Array.from(values.flatMap((value) => [value >> 8, value & 255]));

  it.each([1, 2, 4, 8, 16] as const)("makes one gray of %i bits transparent", async (depth) => {
    const plan = somePlan(depth, 0);
    const value = plan.samples[50] ?? 0;
    const picture = await decodeWhole(writePng({ ...plan, transparency: key(value) }));
    expect(picture.layout).toBe("gray-alpha");
    const alpha = picture.data.filter((_, i) => i % 2 === 1);
    expect([...alpha]).toEqual(Array.from(plan.samples, (sample) => (sample === value ? 0 : 255)));
  });

  it.each([8, 16] as const)("makes one colour of %i bits transparent", async (depth) => {
    const plan = somePlan(depth, 2);
    const [r = 0, g = 0, b = 0] = Array.from(plan.samples).slice(30, 33);
    const png = writePng({ ...plan, transparency: key(r, g, b) });
    const picture = await decodeWhole(png);
    expect(picture.layout).toBe("rgba");
    expect(picture.data[10 * 4 + 3]).toBe(0);
    expect(largestDifference(picture.data, await readBySharp(png, "rgba"))).toBeLessThanOrEqual(
      depth === 16 ? 1 : 0,
    );
  });

  it.each([1, 2, 4, 8] as const)("gives palette entries of %i bits their alpha", async (depth) => {
    const transparency = Uint8Array.of(0, 128);
    for (const interlaced of [false, true]) {
      const png = writePng(somePlan(depth, 3, { transparency, interlaced }));
      const picture = await decodeWhole(png);
      expect(picture.layout).toBe("rgba");
      expect(largestDifference(picture.data, await readBySharp(png, "rgba"))).toBe(0);
    }
  });
});

describe("the file", () => {
  it("may arrive in any pieces and hold its data in chunks of any length", async () => {
    const plan = somePlan(8, 6);
    const whole = await decodeWhole(writePng(plan));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(4000), { maxLength: 30 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.boolean(),
        async (cuts, idatBytes, interlaced) => {
          const png = writePng({ ...plan, idatBytes, interlaced });
          const picture = await decodeWhole(
            png,
            [...cuts].sort((a, b) => a - b),
          );
          expect(Buffer.compare(picture.data, whole.data)).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("may be a stream of single bytes with chunks of one byte", async () => {
    const png = writePng(somePlan(4, 3, { idatBytes: 1 }));
    const cuts = Array.from(png, (_, i) => i + 1);
    expect((await decodeWhole(png, cuts)).data).toEqual((await decodeWhole(png)).data);
  });

  it.each([1, 7, 100])("may come in pieces of %i bytes that all lie in one buffer", async (size) => {
    const png = writePng(somePlan(8, 2, { width: 40, height: 30, idatBytes: 90 }));
    async function* body(): AsyncGenerator<Uint8Array> {
      const buffer = new Uint8Array(size);
      for (let at = 0; at < png.length; at += size) {
        const piece = png.subarray(at, at + size);
        buffer.set(piece);
        await Promise.resolve();
        yield buffer.subarray(0, piece.length);
        buffer.fill(0xaa);
      }
    }
    const rows = await decodePng(workspaceIn(), body(), factsOf(png));
    expect((await collectRows(rows)).data).toEqual((await decodeWhole(png)).data);
  });

  it("may be a ReadableStream, which is not read beyond IEND", async () => {
    const png = writePng(somePlan(8, 2));
    const body = new Blob([png as Uint8Array<ArrayBuffer>, new Uint8Array(9)]).stream();
    const rows = await decodePng(workspaceIn(), body, factsOf(png));
    expect((await collectRows(rows)).data).toEqual((await decodeWhole(png)).data);
  });

  it("is decoded without its animation", async () => {
    const extra = [pngChunk("acTL", new Uint8Array(8)), pngChunk("fcTL", new Uint8Array(26))];
    const png = writePng(somePlan(8, 2, { extra }));
    expect((await decodeWhole(png)).data).toEqual((await decodeWhole(writePng(somePlan(8, 2)))).data);
  });

  it("may be decoded in part", async () => {
    const png = writePng(somePlan(8, 2, { width: 200, height: 200 }));
    const rows = await decodePng(workspaceIn(), inPieces(png), factsOf(png));
    await rows.next();
    rows.cancel();
  });
});

describe("memory", () => {
  it.each([
    [8, 2, 4000, false],
    [16, 6, 3000, false],
    [1, 3, 8000, false],
    [8, 6, 500, true],
  ] as const)("is as predicted for %i bits of type %i, %i wide", async (depth, type, width, interlaced) => {
    const png = writePng(somePlan(depth, type, { width, height: 60, interlaced }));
    const memory = newMemory();
    await collectRows(await decodePng(workspaceIn(memory), inPieces(png), factsOf(png)));
    const predicted = pngDecoderPeakBytes(factsOf(png));
    expect(memory.buffer.byteLength).toBeLessThanOrEqual(predicted);
    expect(predicted - memory.buffer.byteLength).toBeLessThanOrEqual(65_536);
  });

  it("has a named error when it cannot grow", async () => {
    const png = writePng(somePlan(8, 6, { width: 300, height: 300, interlaced: true }));
    const decoding = decodePng(workspaceIn(newMemory(3)), inPieces(png), factsOf(png));
    await expect(decoding).rejects.toMatchObject({ code: "OUT_OF_MEMORY" });
  });
});

it("feeds the resampler row by row", async () => {
  const png = writePng(somePlan(8, 2, { width: 200, height: 120 }));
  const rows = await decodePng(workspaceIn(), inPieces(png), factsOf(png));
  const small = await collectRows(resampleRows(workspaceIn(), rows, { width: 50, height: 30 }));
  expect(small.data.length).toBe(50 * 30 * 3);
});
