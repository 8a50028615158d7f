/** The facts that the probe reads from AVIF stills, grids and sequences. */
import { describe, expect, it } from "vitest";
import { be, bytes } from "../../../../../scripts/samples/probe/bytes.ts";
import {
  box,
  ftyp,
  fullBox,
  gridPayload,
  heif,
  property,
  track,
} from "../../../../../scripts/samples/probe/avif.ts";
import { outcomeOf, probe } from "../../../../../scripts/harness/probe-run.ts";
import { data, coded, still, tile, gridItem, grid } from "../../../../support/probes/probe-avif.ts";

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

  it("leaves the count open if the tables are too large", () => {
    expect(probe(sequence(track(), box("free", new Uint8Array(1_048_576))))).toMatchObject({
      frames: null,
      animated: true,
    });
  });

  it("takes everything from the track if there are no items", () => {
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
