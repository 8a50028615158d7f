import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { BitWriter } from "../../../../../src/builder/codecs/avif/bit-writer.ts";
import type { AvifFacts } from "../../../../../src/image/model/facts.ts";
import { be, bytes } from "../../../../../scripts/samples/probe-bytes.ts";
import {
  box,
  ftyp,
  fullBox,
  gridPayload,
  heif,
  property,
  track,
  type HeifOptions,
  type Item,
} from "../../../../../scripts/samples/probe-avif.ts";
import { outcomeOf, probe } from "../../../../../scripts/harness/probe-run.ts";

const data = bytes("AV1 data");
const coded = (properties: Uint8Array[] = [], size: [number, number] = [6, 4]): Item => ({
  type: "av01",
  properties: [property.ispe(...size), property.av1C(), ...properties],
  data,
});
const still = (properties: Uint8Array[] = [], options?: HeifOptions) =>
  probe(heif([coded(properties)], options)) as AvifFacts;

const tile = coded([], [64, 48]);
const gridItem = (payload = gridPayload(2, 3, 180, 90), tiles = 6): Item => ({
  type: "grid",
  properties: [property.ispe(180, 90)],
  data: payload,
  dimg: Array.from({ length: tiles }, (_, i) => i + 2),
});
const grid = (options: HeifOptions & { inIdat?: boolean } = {}, item = gridItem(), extra: Item[] = []) => {
  const tiles = item.dimg!.map(() => tile);
  return heif([{ ...item, inIdat: options.inIdat ?? false }, ...tiles, ...extra], options);
};

describe("readAvif", () => {
  it("reads a still in every version of the tables", () => {
    for (const wide of [false, true]) {
      for (const mdatFirst of [false, true]) {
        expect(still([], { wide, mdatFirst })).toMatchObject({
          width: 6,
          height: 4,
          frames: 1,
          animated: false,
          hasAlpha: false,
          bitDepth: 8,
          chroma: "420",
          colour: "rgb",
          profile: "none",
          grid: null,
          crop: null,
        });
      }
    }
    expect(still([], { brands: ["mif1", "miaf"] })).toMatchObject({ format: "avif" });
    expect(still([], { after: [be(4, 1), "free", be(8, 16), be(4, 0), "free", "to the end"] })).toEqual(
      still(),
    );
  });

  it.each([
    [0b0000_1100, "420", 8, "rgb"],
    [0b0000_1000, "422", 8, "rgb"],
    [0b0000_0000, "444", 8, "rgb"],
    [0b0001_1100, "400", 8, "gray"],
    [0b0100_0000, "444", 10, "rgb"],
    [0b0110_1000, "422", 12, "rgb"],
  ])("reads av1C %i", (packed, chroma, bitDepth, colour) => {
    const properties = [property.ispe(6, 4), property.av1C(packed), property.pixi(bitDepth)];
    expect(probe(heif([{ type: "av01", properties, data }]))).toMatchObject({ chroma, bitDepth, colour });
  });

  // The table agrees, pixel for pixel, with what libheif draws for these properties.
  it.each([
    [undefined, undefined, 1],
    [undefined, 0, 4],
    [undefined, 1, 2],
    [1, undefined, 8],
    [1, 0, 5],
    [1, 1, 7],
    [2, undefined, 3],
    [2, 0, 2],
    [2, 1, 4],
    [3, undefined, 6],
    [3, 0, 7],
    [3, 1, 5],
  ] as const)("turned %s times and mirrored on %s it has orientation %i", (turns, axis, orientation) => {
    const turned = turns === undefined ? [] : [property.irot(turns)];
    const mirrored = axis === undefined ? [] : [property.imir(axis)];
    const [width, height] = orientation >= 5 ? [4, 6] : [6, 4];
    expect(still([...turned, ...mirrored])).toMatchObject({ orientation, width, height, codedWidth: 6 });
  });

  it("crops to the clean aperture before it turns", () => {
    const crop = { left: 1, top: 0, width: 3, height: 2 };
    const clap = property.clap([6, 4], [1, 0, 3, 2]);
    expect(still([clap])).toMatchObject({ crop, width: 3, height: 2, codedWidth: 6, codedHeight: 4 });
    expect(still([clap, property.irot(1)])).toMatchObject({ crop, width: 2, height: 3 });
    expect(still([property.clap([6, 4], [0, 0, 6, 4])])).toMatchObject({ crop: null, width: 6 });
  });

  it("tells where the colour space is stated", () => {
    const profile = (...properties: Uint8Array[]) => still(properties).profile;
    expect(profile(property.nclx(1, 13))).toBe("none");
    expect(profile(property.nclx(2, 2))).toBe("none");
    expect(profile(property.nclx(12, 13))).toBe("cicp");
    expect(profile(property.nclx(9, 16))).toBe("cicp");
    expect(profile(property.nclx(9, 16), property.icc())).toBe("icc");
    expect(profile(property.icc(), property.nclx(1, 13))).toBe("icc");
    expect(profile(box("colr", "what"))).toBe("none");
  });

  it("sees alpha in an auxiliary item, by either name, and not in other ones", () => {
    const withAuxiliary = (name?: string) =>
      probe(heif([coded(), { ...coded([property.alpha(name)]), auxl: [1] }])).hasAlpha;
    expect(withAuxiliary()).toBe(true);
    expect(withAuxiliary("urn:mpeg:hevc:2015:auxid:1")).toBe(true);
    expect(withAuxiliary("urn:mpeg:mpegB:cicp:systems:auxiliary:depth")).toBe(false);
    expect(withAuxiliary("x".repeat(300_000))).toBe(false);
  });

  it("takes the primary item, wherever it stands", () => {
    expect(probe(heif([coded(), coded([], [60, 40])], { primary: 2 }))).toMatchObject({ width: 60 });
  });
});

describe("readAvif, on grids", () => {
  it("reads the description from mdat or idat, before or after the tables", () => {
    for (const inIdat of [false, true]) {
      for (const mdatFirst of [false, true]) {
        for (const size of [1, 50, 100_000]) {
          expect(probe(grid({ inIdat, mdatFirst }), [size])).toMatchObject({
            width: 180,
            height: 90,
            bitDepth: 8,
            grid: { rows: 2, columns: 3, tileWidth: 64, tileHeight: 48 },
          });
        }
      }
    }
    expect(probe(grid({}, gridItem(gridPayload(2, 3, 180, 90, true))))).toMatchObject({ width: 180 });
  });

  it("sees alpha of the grid and of its tiles", () => {
    const alpha = { ...coded([property.alpha()]) };
    expect(probe(grid({}, gridItem(), [{ ...alpha, auxl: [1] }]))).toMatchObject({ hasAlpha: true });
    expect(probe(grid({}, gridItem(), [{ ...alpha, auxl: [2] }]))).toMatchObject({ hasAlpha: true });
    expect(probe(grid({}, gridItem(), [{ ...alpha, auxl: [9] }]))).toMatchObject({ hasAlpha: false });
  });

  it.each([
    ["AVIF grid would be 2 rows of 3 tiles and has 5 tiles", grid({}, gridItem(undefined, 5))],
    ["AVIF grid has no tiles", grid({}, gridItem(undefined, 0))],
    [
      "AVIF grid is described otherwise than its tiles and size are",
      grid({}, gridItem(gridPayload(3, 2, 180, 90))),
    ],
    [
      "AVIF grid is described otherwise than its tiles and size are",
      grid({}, gridItem(gridPayload(2, 3, 99, 90))),
    ],
    ["AVIF grid is too short", grid({}, gridItem(bytes(0, 0, 1, 2, 0)))],
    ["AVIF grid has tiles of different sizes", heif([{ ...gridItem(), dimg: [2, 3] }, tile, coded()])],
    ["AVIF names a picture that is not there", heif([gridItem()])],
  ])("refuses: %s", (refused, file) => {
    expect(outcomeOf(file)).toEqual({ refused, name: "InvalidImageError" });
  });
});

describe("readAvif, on sequences", () => {
  const brands = ["avis", "avif", "mif1"];
  const sequence = (...tracks: Uint8Array[]) => heif([coded()], { brands, after: box("moov", ...tracks) });
  const alone = (...tracks: Uint8Array[]) =>
    bytes(ftyp("avis"), box("moov", ...tracks), box("mdat", "samples"));

  it("counts the samples of the track of pictures", () => {
    expect(probe(sequence(track({ samples: 5 })))).toMatchObject({ frames: 5, animated: true, width: 6 });
    expect(probe(sequence(track({ samples: 1 })))).toMatchObject({ frames: 1, animated: false });
    expect(probe(sequence(track({ samples: 0 })))).toMatchObject({ frames: null, animated: true });
    expect(probe(sequence(track({ handler: "soun" })))).toMatchObject({ frames: null, animated: true });
    expect(probe(heif([coded()], { brands }))).toMatchObject({ frames: 1, animated: false });
  });

  it("leaves the count open where the tables are too large to hold", () => {
    expect(probe(sequence(track(), box("free", new Uint8Array(1_048_576))))).toMatchObject({
      frames: null,
      animated: true,
    });
  });

  it("takes everything from the track where there are no items", () => {
    const colour = [property.av1C(0b0100_1100), property.nclx(9, 16), property.irot(1)];
    expect(probe(alone(track({ properties: colour })))).toMatchObject({
      width: 4,
      height: 6,
      frames: 3,
      bitDepth: 10,
      profile: "cicp",
    });
  });

  it("sees alpha in an auxiliary track", () => {
    const auxi = fullBox("auxi", 0, 0, "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", 0);
    const alpha = track({ handler: "auxv", properties: [property.av1C(0x1c), auxi] });
    expect(probe(sequence(track(), alpha))).toMatchObject({ hasAlpha: true });
    expect(probe(alone(track(), alpha))).toMatchObject({ hasAlpha: true, frames: 3 });
  });

  it.each([
    ["AVIF ends before the samples of its track", alone(track({ chunkAt: 100_000 }))],
    ["AVIF has no primary item and no track of pictures", alone()],
    ["AVIF has no primary item and no track of pictures", ftyp("avis")],
    ["AVIF picture has no property av1C", alone(track({ properties: [] }))],
  ])("refuses: %s", (refused, file) => {
    expect(outcomeOf(file)).toEqual({ refused, name: "InvalidImageError" });
  });

  it("refuses other codecs in a track", () => {
    expect(outcomeOf(alone(track({ codec: "hvc1" })))).toMatchObject({ name: "UnsupportedMediaError" });
    expect(outcomeOf(alone(track({ codec: "mp4v" })))).toMatchObject({ name: "UnsupportedMediaError" });
  });
});

describe("readAvif, on files that lie", () => {
  const meta = (...boxes: Uint8Array[]) => bytes(ftyp(), fullBox("meta", 0, 0, ...boxes));
  const without = (index: number) =>
    heif([{ ...coded(), properties: coded().properties.toSpliced(index, 1) }]);
  const iloc = (count: number) => fullBox("iloc", 0, 0, 0x44, 0, be(2, 1), be(2, 1), be(2, 0), be(2, count));
  const many = (count: number) => Array.from({ length: count }, () => box("free"));
  it.each([
    ["AVIF has no primary item and no track of pictures", ftyp()],
    ["AVIF has no primary item and no track of pictures", meta()],
    ["AVIF names a picture that is not there", heif([coded()], { primary: 7 })],
    ["AVIF picture has no property ispe", without(0)],
    ["AVIF picture has no property av1C", without(1)],
    ["AVIF picture of 0×4 pixels", heif([coded([], [0, 4])])],
    ["AVIF says 10, 10 bits in pixi and 8 in av1C", heif([coded([property.pixi(10, 10)])])],
    ["AVIF property clap divides by 0", heif([coded([box("clap", new Uint8Array(32))])])],
    ["AVIF property clap is too short", heif([coded([box("clap", new Uint8Array(8).fill(1))])])],
    [
      "AVIF property av1C is of an unknown version",
      heif([coded()]).map((byte) => (byte === 0x81 ? 1 : byte)),
    ],
    ["AVIF clean aperture reaches out of the picture", heif([coded([property.clap([6, 4], [4, 0, 4, 4])])])],
    ["AVIF ends before the data of item 1", bytes(heif([coded()]).slice(0, -data.length - 8), box("mdat"))],
    ["the file ends inside AVIF box mdat", heif([coded()]).subarray(0, -1)],
    ["the file ends inside AVIF box header", heif([coded()], { after: [0, 0, 0] })],
    ["AVIF box what has a size of 7 bytes", heif([coded()], { after: [be(4, 7), "what"] })],
    ["AVIF box what has a size of 9 bytes", heif([coded()], { after: [be(4, 1), "what", be(8, 9)] })],
    ["AVIF has two meta boxes", heif([coded()], { after: fullBox("meta", 0, 0) })],
    ["AVIF box meta is over 1048576 bytes", meta(box("free", new Uint8Array(1_048_576)))],
    ["AVIF box pitm is too short", meta(box("pitm", 0, 0, 0, 0, 1))],
    ["AVIF box meta is too short", meta(bytes(be(4, 100), "free"))],
    ["AVIF box free has a size of 3 bytes", meta(bytes(be(4, 3), "free"))],
    ["AVIF has more than 16384 extents", meta(iloc(65535))],
    ["AVIF has more than 4096 items in iloc", meta(fullBox("iloc", 2, 0, 0, 0, be(4, 1_000_000)))],
    ["AVIF has more than 4096 items in ipma", meta(box("iprp", fullBox("ipma", 0, 0, be(4, 5000))))],
    ["AVIF has more than 4096 properties", meta(box("iprp", box("ipco", ...many(5000))))],
    ["AVIF has more than 4096 items", meta(fullBox("iinf", 1, 0, be(4, 5000)))],
    ["more than 65536 AVIF boxes", bytes(heif([coded()]), many(65537))],
    [
      "AVIF item 1 has a property that is not there",
      meta(box("iprp", box("ipco"), fullBox("ipma", 0, 0, be(4, 1), be(2, 1), 1, 1))),
    ],
    ["ISO media box ftyp has 4 bytes", box("ftyp", "avif")],
    ["ISO media box ftyp has 8192 bytes", box("ftyp", new Uint8Array(8192))],
  ])("refuses: %s", (refused, file) => {
    expect(outcomeOf(file)).toEqual({ refused, name: "InvalidImageError" });
  });
});

describe("loop restoration", () => {
  /** A sequence header of 6 x 4 pixels up to enable_restoration, behind a temporal delimiter. */
  const sequence = (
    begin: [value: number, bits: number][],
    between: [number, number][],
    last: number,
  ): Uint8Array => {
    const bits = new BitWriter();
    const size: [number, number][] = [[3, 4], [3, 4], [5, 4], [3, 4]]; // prettier-ignore
    for (const [value, count] of [...begin, ...size, ...between, [0, 2], [last, 1], [0, 8]] as const)
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

  it("is what slow encoders make use of", async () => {
    const noise = { type: "gaussian", mean: 128, sigma: 20 } as const;
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background: "#888", noise } });
    for (const effort of [4, 6]) {
      expect(restorable(await picture.clone().avif({ effort }).toBuffer())).toBe(effort === 6);
    }
  });

  it("is not found in what is no sequence header", () => {
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
