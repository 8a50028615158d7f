import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodePng, PngDecodeError } from "../../../../../src/builder/codecs/png/decoder.ts";
import { damagedPngs, outcomeOfPng } from "../../../../../scripts/fuzz/png-damage.ts";
import {
  decodeWhole,
  factsOf,
  inPieces,
  newMemory,
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
import { emptyBlocks } from "../../../../../scripts/samples/zlib-streams.ts";
import { rounds } from "../../../../support/ring.ts";

const plan: PngPlan = {
  width: 40,
  height: 30,
  bitDepth: 8,
  colourType: 2,
  samples: Array.from({ length: 3600 }, (_, i) => (i * 7 + (i >> 5)) & 255),
};
const sound = writePng(plan);
const compressed = deflateSync(filteredRows(plan));
const IEND = pngChunk("IEND", new Uint8Array());

/** Returns a file of the plan's header and these chunks. */
function fileOf(...chunks: Uint8Array[]): Uint8Array {
  return Buffer.concat([SIGNATURE, headerChunk(plan), ...chunks]);
}

function withByte(at: number, value: number): Uint8Array {
  const bytes = Uint8Array.from(sound);
  bytes[at] = value;
  return bytes;
}

async function codeOf(png: Uint8Array): Promise<string> {
  return decodeWhole(png).then(
    () => "sound",
    (error: unknown) => (error instanceof PngDecodeError ? `${error.name} ${error.code}` : String(error)),
  );
}

describe("damage is refused by its kind", () => {
  const cases: [string, string, Uint8Array][] = [
    ["nothing", "sound", sound],
    ["wrong signature", "CORRUPT", withByte(1, 0x51)],
    ["wrong CRC of the header", "CORRUPT", withByte(29, (sound[29] ?? 0) ^ 1)],
    ["wrong CRC of the data", "CORRUPT", withByte(sound.length - 16, (sound[sound.length - 16] ?? 0) ^ 1)],
    ["wrong CRC of the end", "sound", withByte(sound.length - 1, (sound[sound.length - 1] ?? 0) ^ 1)],
    ["no end", "sound", sound.subarray(0, -12)],
    ["cut in the CRC of the data", "TRUNCATED", sound.subarray(0, -13)],
    ["cut in the data", "TRUNCATED", sound.subarray(0, 90)],
    ["cut in the header", "TRUNCATED", sound.subarray(0, 20)],
    ["compressed data that end early", "CORRUPT", fileOf(...dataChunks(compressed.subarray(0, -5)), IEND)],
    [
      "too few rows",
      "CORRUPT",
      fileOf(...dataChunks(deflateSync(filteredRows({ ...plan, height: 29 }))), IEND),
    ],
    ["far too many rows", "sound", writePng({ ...plan, padding: new Uint8Array(5000) })],
    ["a little padding", "sound", writePng({ ...plan, padding: new Uint8Array(100) })],
    ["a filter that does not exist", "CORRUPT", writePng({ ...plan, filter: (y) => (y === 20 ? 5 : 0) })],
    [
      "data interrupted by another chunk",
      "CORRUPT",
      fileOf(
        ...dataChunks(compressed.subarray(0, 100)),
        pngChunk("tEXt", new Uint8Array(4)),
        ...dataChunks(compressed.subarray(100)),
        IEND,
      ),
    ],
    ["an unknown critical chunk", "UNSUPPORTED", writePng({ ...plan, extra: [pngChunk("QQQQ", IEND)] })],
    [
      "two palettes",
      "CORRUPT",
      writePng({ ...plan, palette: new Uint8Array(3), extra: [pngChunk("PLTE", new Uint8Array(3))] }),
    ],
    ["no palette", "CORRUPT", writePng({ ...plan, colourType: 3 })],
    ["tRNS of a wrong length", "sound", writePng({ ...plan, transparency: new Uint8Array(2) })],
    ["an impossible depth", "CORRUPT", writePng({ ...plan, bitDepth: 4 })],
    ["no rows at all", "CORRUPT", fileOf(IEND)],
  ];
  it.each(cases)("%s: %s", async (_, code, png) => {
    expect(await codeOf(png)).toBe(code === "sound" ? code : `PngDecodeError ${code}`);
  });

  it("a file that differs from the probed one is refused", async () => {
    const facts = { ...factsOf(sound), codedWidth: 41 };
    await expect(decodePng(workspaceIn(), inPieces(sound), facts)).rejects.toMatchObject({
      code: "CORRUPT",
    });
  });

  it("the last rows are handed out only after the end was checked", async () => {
    const rows = await decodePng(workspaceIn(), inPieces(sound.subarray(0, -13)), factsOf(sound));
    const read = async (): Promise<number> => {
      let bytes = 0;
      for (let batch = await rows.next(); batch; batch = await rows.next()) bytes += batch.length;
      return bytes;
    };
    await expect(read()).rejects.toMatchObject({ code: "TRUNCATED" });
  });
});

it("a decompression bomb is not inflated beyond its rows, and uses no memory", async () => {
  const data = deflateSync(new Uint8Array(64 * 1024 * 1024));
  const png = fileOf(...dataChunks(data), IEND);
  const memory = newMemory(8);
  const rows = await decodePng(workspaceIn(memory), inPieces(png), factsOf(png));
  expect(await rows.next()).toHaveLength(3600);
  expect(await rows.next()).toBeNull();
  expect(memory.buffer.byteLength).toBeLessThan(512 * 1024);
});

it("blocks without output still yield to the event loop", async () => {
  const png = fileOf(...dataChunks(emptyBlocks(80_000)), IEND);
  let turns = 0;
  const count = (): Promise<void> => {
    turns++;
    return Promise.resolve();
  };
  const rows = await decodePng(workspaceIn(newMemory(), count), inPieces(png), factsOf(png));
  await expect(rows.next()).rejects.toMatchObject({ code: "CORRUPT" });
  // Each takes about a microsecond: one turn for 16,000 at least.
  expect(turns).toBeGreaterThanOrEqual(6);
});

it("mutated files are decoded or refused, and the next file is decoded correctly", async () => {
  const right = (await decodeWhole(sound)).data;
  for (const { seed, png } of damagedPngs(1, rounds(400, 10_000))) {
    expect(await outcomeOfPng(png), `seed ${seed}`).toMatch(
      /^(sound|CORRUPT|TRUNCATED|UNSUPPORTED|OUT_OF_MEMORY)$/,
    );
  }
  expect(Buffer.compare((await decodeWhole(sound)).data, right)).toBe(0);
});
