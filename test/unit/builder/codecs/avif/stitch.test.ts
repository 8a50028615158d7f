/** What cannot be stitched is refused by name: other headers, other sizes, damaged data. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { settleAvifDecoder } from "../../../../../scripts/wasm/avif-decoder.ts";
import { settleAvifEncoder } from "../../../../../scripts/wasm/avif-encoder.ts";
import { Arena } from "../../../../../src/builder/memory/arena.ts";
import { obuHead, readObus } from "../../../../../src/builder/codecs/avif/av1-obu.ts";
import { levelOf, readStillSequence, resized } from "../../../../../src/builder/codecs/avif/av1-sequence.ts";
import { writeTileInfo } from "../../../../../src/builder/codecs/avif/av1-tiles.ts";
import { BitWriter } from "../../../../../src/builder/codecs/avif/bit-writer.ts";
import { Av1Error, BitReader } from "../../../../../src/image/formats/avif/av1-bits.ts";
import { OBU } from "../../../../../src/image/formats/avif/av1-obu.ts";
import { Stitcher } from "../../../../../src/builder/codecs/avif/stitch.ts";
import { avifOptions, avifTileOptions } from "../../../../../src/image/formats/avif/encoder-options.ts";
import type { EncoderOptions } from "../../../../../src/image/model/encoder-options.ts";
import { readItems } from "../../../../../src/image/formats/avif/items.ts";
import { boxesIn, firstBox } from "../../../../../src/image/formats/avif/isobmff.ts";
import { type Kind, KINDS, pictureOf, random } from "../../../../../scripts/samples/avif-pictures.ts";

const arena = new Arena();
const TILE = avifTileOptions(80, "420");

/** The AV1 data of a picture that jSquash encoded. */
async function tile(
  kind: Kind,
  width: number,
  height: number,
  options: EncoderOptions = TILE,
): Promise<Uint8Array> {
  const { data } = await pictureOf(kind, width, height);
  const codec = arena.start("avif-encoder");
  const pixels = codec.malloc(data.length);
  codec.bytes(pixels).set(data);
  const file = codec.bytes(codec.call("encode", pixels, width, height, codec.options(options))).slice();
  arena.reset();
  const { extents, primary } = readItems(firstBox(boxesIn(file, "file"), "meta")!);
  const { offset, length } = extents.get(primary!)![0]!;
  return file.slice(offset, offset + length!);
}

const pair = { columns: [256, 100], rows: [128] };

describe("the encoder", () => {
  it("gives tiles of every kind and size one frame header", async () => {
    for (const chroma of ["420", "444", "alpha"] as const) {
      const options = avifTileOptions(90, chroma);
      for (const kind of KINDS) {
        const stitcher = new Stitcher({ columns: [256, 33], rows: [128] });
        stitcher.add(await tile("photo", 256, 128, options));
        stitcher.add(await tile(kind, 33, 128, options));
        expect(stitcher.finish().pieces.length).toBe(4);
      }
    }
  });

  it("is refused at build time if it is not the version for which the changes were made", () => {
    const module = readFileSync("node_modules/@jsquash/avif/codec/enc/avif_enc.wasm");
    expect(settleAvifEncoder(module).length).toBe(module.length);
    expect(() => settleAvifEncoder(settleAvifEncoder(module))).toThrow("no single place");
    const decoder = readFileSync("node_modules/@jsquash/avif/codec/dec/avif_dec.wasm");
    expect(() => settleAvifEncoder(decoder)).toThrow("no single place");
    expect(settleAvifDecoder(decoder).length).toBe(decoder.length);
    expect(() => settleAvifDecoder(settleAvifDecoder(decoder))).toThrow("no single place");
    expect(() => settleAvifDecoder(module)).toThrow("no single place");
  });
});

describe("a tile is refused", () => {
  const refused: [why: string, options: EncoderOptions][] = [
    ["of another quality", { quality: 20 }],
    ["of other chroma", { subsample: 3 }],
    ["of another depth of superblocks", { superblocks: 0 }],
    ["of gray", { subsample: 0 }],
    ["with CDEF", { speed: 4 }],
  ];
  for (const [why, options] of refused) {
    it(why, async () => {
      const stitcher = new Stitcher(pair);
      stitcher.add(await tile("photo", 256, 128));
      const other = await tile("photo", 100, 128, { ...TILE, ...options });
      expect(() => stitcher.add(other)).toThrow(Av1Error);
    });
  }

  it("with screen content tools, which libaom takes for a smooth picture", async () => {
    const stitcher = new Stitcher({ columns: [1024], rows: [1024] });
    const smooth = await tile("gradient", 1024, 1024, avifOptions(80, "420"));
    expect(() => stitcher.add(smooth)).toThrow("screen content tools");
  });

  it("of another size, and a frame that lacks one", async () => {
    const stitcher = new Stitcher(pair);
    expect(() => stitcher.finish()).toThrow(Av1Error);
    const first = await tile("photo", 256, 128);
    stitcher.add(first);
    expect(() => stitcher.add(first)).toThrow("256 x 128, not 100 x 128");
    expect(() => stitcher.finish()).toThrow("lacks tiles");
  });

  it("that is damaged is refused or decoded, without any other effect", async () => {
    const whole = await tile("photo", 256, 128);
    const next = random(3);
    for (let round = 0; round < 2000; round++) {
      const damaged = whole.slice(0, round % 3 ? whole.length : next(whole.length));
      for (let n = 1 + next(3); n > 0 && damaged.length > 0; n--)
        damaged[next(Math.min(40, damaged.length))] = next(256);
      const stitcher = new Stitcher({ columns: [256], rows: [128] });
      try {
        stitcher.add(damaged);
        stitcher.finish();
      } catch (error) {
        expect(error).toBeInstanceOf(Av1Error);
      }
    }
  });
});

describe("headers", () => {
  let sequence: Uint8Array;
  beforeAll(async () => {
    sequence = readObus(await tile("photo", 256, 128)).find(
      ({ type }) => type === OBU.sequenceHeader,
    )!.payload;
  });

  it("say the size and the level of the whole", () => {
    const original = readStillSequence(sequence);
    for (const [width, height, level] of [
      [1, 1, 0],
      [256, 128, 0],
      [2048, 1152, 8],
      [4000, 4000, 16],
      [8192, 1953, 16],
      [500, 32_000, 31],
    ] as const) {
      expect(levelOf(width, height)).toBe(level);
      const bytes = resized(original, width, height, level);
      expect(readStillSequence(bytes)).toMatchObject({ width, height, superblock: 128, profile: 0 });
      expect((bytes[0]! & 7) * 4 + (bytes[1]! >> 6)).toBe(level);
    }
  });

  it("keep sizes of units of every length", () => {
    for (const size of [0, 1, 127, 128, 16_383, 16_384, 2_097_152]) {
      const data = new Uint8Array([...obuHead(OBU.frame, size), ...new Uint8Array(size)]);
      expect(readObus(data)).toEqual([{ type: OBU.frame, payload: new Uint8Array(size) }]);
    }
  });

  it("write numbers below a limit as the specification reads them", () => {
    for (const limit of [1, 2, 3, 5, 8, 9, 32, 63]) {
      for (let value = 0; value < limit; value++) {
        const out = new BitWriter();
        out.writeBelow(value, limit);
        const bits = new BitReader(out.bytes());
        // ns(n): AV1 specification section 4.10.7.
        const w = Math.floor(Math.log2(limit)) + 1;
        const m = 2 ** w - limit;
        let read = bits.read(w - 1);
        if (read >= m) read = 2 * read - m + bits.read(1);
        expect(read).toBe(value);
        expect(out.length).toBe(bits.at);
      }
    }
  });

  it("do not describe tiles that AV1 does not have", () => {
    const write = (columns: number[], rows: number[]) => () =>
      writeTileInfo(new BitWriter(), { columns, rows }, 128);
    expect(write([100, 128], [128])).toThrow("whole superblocks");
    expect(write([4224], [128])).toThrow("larger than AV1 allows");
    expect(write(Array<number>(65).fill(128), [128])).toThrow("this many tiles");
    expect(write([128], Array<number>(65).fill(128))).toThrow("this many tiles");
    expect(write([128, 1], [128, 128, 7])).not.toThrow();
  });
});
