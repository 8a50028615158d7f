/** Whether an AVIF may use loop restoration, which its decoder needs more memory for. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { BitWriter } from "../../../../../src/builder/codecs/avif/bit-writer.ts";
import type { AvifFacts } from "../../../../../src/image/model/facts.ts";
import { bytes } from "../../../../../scripts/samples/probe/bytes.ts";
import { heif, type Item } from "../../../../../scripts/samples/probe/avif.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { coded, tile, gridItem } from "../../../../support/probes/probe-avif.ts";

describe("loop restoration", () => {
  /** Returns a sequence header of 6 x 4 pixels up to enable_restoration, behind a temporal delimiter. */
  const sequence = (
    begin: [value: number, bits: number][],
    between: [number, number][],
    last: number,
    colour: [number, number][] = [[0, 8]],
  ): Uint8Array => {
    const bits = new BitWriter();
    const size: [number, number][] = [[3, 4], [3, 4], [5, 4], [3, 4]]; // prettier-ignore
    for (const [value, count] of [...begin, ...size, ...between, [0, 2], [last, 1], ...colour] as const)
      bits.write(value, count);
    const header = bits.bytes();
    return bytes([0x12, 0x00, 0x0a, header.length], header, [0x32, 0x7f]);
  };
  const reduced = (last: number) => sequence([[0, 3], [1, 1], [1, 1], [0, 5]], [[0, 3]], last); // prettier-ignore
  const full = (last: number): Uint8Array =>
    sequence(
      [
        ...([[0, 3], [0, 2], [1, 1], [1, 32], [25, 32], [1, 1], [0b00101, 5]] as [number, number][]),
        ...([[1, 1], [9, 5], [1, 32], [0, 10], [1, 1], [1, 5]] as [number, number][]),
        ...([[1, 12], [8, 5], [1, 1], [1, 1], [3, 10], [3, 10], [0, 1], [1, 1], [9, 4]] as [number, number][]),
        ...([[0, 12], [7, 5], [0, 1], [0, 1]] as [number, number][]),
      ],
      [[1, 1], [5, 7], [0, 3], [0, 4], [1, 1], [0, 2], [0, 1], [1, 1], [0, 1], [1, 1], [6, 3]],
      last,
    ); // prettier-ignore
  /** Returns a reduced header without restoration, with the fields from high_bitdepth to film_grain_params_present. */
  const coloured = (profile: number, colour: [number, number][]) =>
    sequence([[profile, 3], [1, 1], [1, 1], [0, 5]], [[0, 3]], 0, [...colour, [1, 1]]); // prettier-ignore
  const restorable = (file: Uint8Array): boolean => (probe(file) as AvifFacts).restorable;

  it("is allowed by a sequence header, reduced or full, wherever the tables stand", () => {
    for (const header of [reduced, full]) {
      for (const last of [0, 1]) {
        const item = { ...coded(), data: header(last) };
        expect(restorable(heif([item]))).toBe(last === 1);
        expect(restorable(heif([{ ...item, inIdat: true }]))).toBe(last === 1);
        expect(restorable(heif([gridItem(), ...Array<Item>(6).fill({ ...tile, data: header(last) })]))).toBe(
          last === 1,
        );
        expect(restorable(heif([item], { mdatFirst: true }))).toBe(false);
      }
    }
  });

  it.each<[string, number, [number, number][]]>([
    [
      "4:2:0",
      0,
      [
        [0, 3],
        [1, 1],
        [2, 2],
        [0, 1],
      ],
    ],
    [
      "gray",
      0,
      [
        [0, 1],
        [1, 1],
        [0, 1],
        [1, 1],
      ],
    ],
    [
      "4:4:4",
      1,
      [
        [1, 1],
        [0, 1],
        [1, 1],
        [0, 1],
      ],
    ],
    [
      "4:4:4 with code points",
      1,
      [
        [0, 1],
        [1, 1],
        [9, 8],
        [16, 8],
        [9, 8],
        [1, 1],
        [0, 1],
      ],
    ],
    [
      "RGB",
      1,
      [
        [0, 1],
        [1, 1],
        [1, 8],
        [13, 8],
        [0, 8],
        [0, 1],
      ],
    ],
    [
      "4:2:2",
      2,
      [
        [1, 1],
        [0, 1],
        [0, 1],
        [0, 1],
        [1, 1],
        [0, 1],
      ],
    ],
    [
      "4:4:4 of 12 bits",
      2,
      [
        [1, 1],
        [1, 1],
        [0, 1],
        [0, 1],
        [1, 1],
        [0, 1],
        [0, 1],
      ],
    ],
    [
      "4:2:0 of 12 bits",
      2,
      [
        [1, 1],
        [1, 1],
        [0, 1],
        [0, 1],
        [1, 1],
        [1, 1],
        [1, 1],
        [2, 2],
        [0, 1],
      ],
    ],
  ])("is told from film grain, behind the colours of %s", (_, profile, colour) => {
    const keptBy = (more: [number, number][]) => {
      const file = heif([{ ...coded(), data: coloured(profile, more) }]);
      return (probe(file) as AvifFacts).keptFrames;
    };
    expect(keptBy(colour)).toBe(1);
    expect(keptBy([...colour, [0, 1]])).toBe(0);
  });

  it("is used by slow encoders", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 20 } as const;
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: "#888", noise } });
    for (const effort of [4, 6]) {
      expect(restorable(await picture.clone().avif({ effort }).toBuffer())).toBe(effort === 6);
    }
  });

  it("is not found in other data than a sequence header", () => {
    for (const junk of [
      [],
      [0x0a],
      [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff],
      [0x7e, 0x00],
      Array<number>(80).fill(0xff),
    ])
      expect(restorable(heif([{ ...coded(), data: bytes([0x12, 0x00], junk) }]))).toBe(false);
  });
});
