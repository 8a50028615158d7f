/** The needs of frames, which plans of memory follow from, in headers of every form. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BitWriter } from "../../../../../../src/builder/codecs/avif/bit-writer.ts";
import { needsOf } from "../../../../../../src/image/formats/avif/av1/frame-header.ts";
import { sequenceOf } from "../../../../../../src/image/formats/avif/av1/sequence-header.ts";
import type { AvifFacts, FrameNeeds } from "../../../../../../src/image/model/facts.ts";
import { probe } from "../../../../../../scripts/harness/probe-run.ts";

type Field = readonly [value: number, bits: number];

function bytesOf(fields: readonly Field[]): Uint8Array {
  const bits = new BitWriter();
  for (const [value, count] of fields) bits.write(value, count);
  return bits.bytes();
}

const LEAST: FrameNeeds = {
  ...{ tileColumns: 1, copiedRows: 0, isEnlarged: false, hasMatrices: false },
  hasScreenTools: false,
};
const [ON, OFF]: [Field, Field] = [[1, 1], [0, 1]]; // prettier-ignore
const PADDING: Field[] = Array.from({ length: 8 }, () => [0, 8]);
/** color_config of 8 bits in 4:2:0, and film_grain_params_present. */
const COLOUR: Field[] = [OFF, OFF, OFF, OFF, [0, 2], OFF, OFF];

/** Returns the sequence header of reduced stills of a size, with superblocks of 64. */
const reduced = (width: number, height: number, superres = OFF): Uint8Array =>
  bytesOf([
    [0, 3],
    ON,
    ON,
    [8, 5],
    ...([
      [15, 4],
      [15, 4],
      [width - 1, 16],
      [height - 1, 16],
    ] as const),
    ...[OFF, OFF, OFF, superres, OFF, OFF],
    ...COLOUR,
    ...PADDING,
  ]);

/** Fields of a reduced frame up to its size: the distributions are adapted, and screen content has its tools. */
const SCREEN: Field[] = [OFF, ON, OFF];
/** One tile: uniform, and no more columns and rows. */
const SMALL_TILES: Field[] = [ON, OFF, OFF];
const QUANTISER: Field[] = [[100, 8], OFF, OFF, OFF];

const needs = (sequence: Uint8Array, frame: readonly Field[]): FrameNeeds =>
  needsOf(sequenceOf(sequence)!, bytesOf([...frame, ...PADDING]));

describe("a frame", () => {
  it("without screen content needs the least, and matrices where it has them", () => {
    const sequence = reduced(1000, 700);
    const frame = [OFF, OFF, OFF, ...SMALL_TILES, ...QUANTISER];
    expect(needs(sequence, [...frame, OFF])).toEqual(LEAST);
    expect(needs(sequence, [...frame, ON])).toEqual({ ...LEAST, hasMatrices: true });
  });

  it("with intra block copy needs the rows of its tallest tile, in whole superblocks", () => {
    const sequence = reduced(1000, 700);
    // 11 rows of superblocks: in one tile, in two of 6 and 5, and in three of 4, 4 and 3.
    for (const [tiles, rows] of [
      [[OFF, OFF], 704],
      [[OFF, ON, OFF], 384],
      [[OFF, ON, ON, OFF], 192],
    ] as const) {
      const frame = [...SCREEN, OFF, ON, ON, ...tiles, ...QUANTISER, OFF];
      expect(needs(sequence, frame)).toMatchObject({ tileColumns: 1, copiedRows: rows });
    }
    const without = [...SCREEN, OFF, OFF, ...SMALL_TILES, ...QUANTISER, OFF];
    expect(needs(sequence, without)).toEqual({ ...LEAST, hasScreenTools: true });
  });

  it("of stated sizes of tiles needs those", () => {
    // 4 columns and 3 rows of superblocks: tiles of 1 and 3 columns, and of 2 rows and 1.
    const sizes: Field[] = [OFF, [0, 2], [3, 2], [2, 2]];
    const frame = [...SCREEN, OFF, ON, ...sizes, [0, 4], ...QUANTISER, ON] as const;
    const expected = { tileColumns: 2, copiedRows: 128, isEnlarged: false, hasMatrices: true };
    expect(needs(reduced(256, 192), frame)).toEqual({ ...expected, hasScreenTools: true });
  });

  it("of more than 4096 columns has at least two columns of tiles", () => {
    const frame = [OFF, OFF, OFF, ON, OFF, [0, 3], ...QUANTISER, ON] as const;
    expect(needs(reduced(4097, 64), frame)).toEqual({ ...LEAST, tileColumns: 2, hasMatrices: true });
  });

  it("that super-resolution enlarges is known, and copies no blocks", () => {
    const frame = [...SCREEN, ON, [4, 3], OFF, ...SMALL_TILES, ...QUANTISER, ON] as const;
    const expected = { ...LEAST, isEnlarged: true, hasMatrices: true, hasScreenTools: true };
    expect(needs(reduced(640, 300, ON), frame)).toEqual(expected);
  });

  it("of up to 16 columns is not reduced by super-resolution, and may copy blocks", () => {
    const frame = [...SCREEN, ON, [6, 3], OFF, ON, ON, ...QUANTISER, ON] as const;
    const expected = { ...LEAST, copiedRows: 64, hasMatrices: true, hasScreenTools: true };
    expect(needs(reduced(12, 2, ON), frame)).toEqual(expected);
  });

  it("whose header ends early needs the least", () => {
    const sequence = sequenceOf(reduced(1000, 700))!;
    expect(needsOf(sequence, bytesOf([...SCREEN, OFF, ON]))).toEqual(LEAST);
    expect(sequenceOf(reduced(1000, 700).subarray(0, 6))).toBeNull();
  });
});

describe("the facts of a file", () => {
  const factsOf = (name: string): AvifFacts =>
    probe(readFileSync(`test/fixtures/avif/${name}.avif`)) as AvifFacts;

  for (const [name, colour] of [
    ["block-copy", { ...LEAST, copiedRows: 576, hasScreenTools: true }],
    ["block-copy-tiles", { ...LEAST, copiedRows: 384, tileColumns: 2, hasScreenTools: true }],
    ["super-resolution", { ...LEAST, isEnlarged: true }],
    ["matrices", { ...LEAST, tileColumns: 4, hasMatrices: true }],
  ] as const) {
    it(`of ${name}.avif state what its frame needs`, () => {
      expect(factsOf(name).needs).toEqual({ colour, alpha: LEAST });
    });
  }

  it("are the same however the file arrives", () => {
    const file = readFileSync("test/fixtures/avif/block-copy-tiles.avif");
    for (const chunk of [1, 7, 64]) expect(probe(file, [chunk])).toEqual(probe(file));
  });
});
