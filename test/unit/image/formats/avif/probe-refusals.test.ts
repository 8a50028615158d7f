/** AVIF files that lie are refused, each with what is wrong. */
import { describe, expect, it } from "vitest";
import { be, bytes } from "../../../../../scripts/samples/probe/bytes.ts";
import { box, ftyp, fullBox, heif, property } from "../../../../../scripts/samples/probe/avif.ts";
import { outcomeOf } from "../../../../../scripts/harness/probe-run.ts";
import { data, coded } from "../../../../support/probes/probe-avif.ts";

describe("readAvif, on files with false claims", () => {
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
    ["AVIF ends before the data of item 1", heif([coded()]).subarray(0, -1)],
    ["the file ends inside AVIF box header", bytes(ftyp("avif"), [0, 0, 0])],
    ["AVIF box what has a size of 7 bytes", bytes(ftyp("avif"), be(4, 7), "what")],
    ["AVIF box what has a size of 9 bytes", bytes(ftyp("avif"), be(4, 1), "what", be(8, 9))],
    ["AVIF box meta is over 1048576 bytes", meta(box("free", new Uint8Array(1_048_576)))],
    ["AVIF box pitm is too short", meta(box("pitm", 0, 0, 0, 0, 1))],
    ["AVIF box meta is too short", meta(bytes(be(4, 100), "free"))],
    ["AVIF box free has a size of 3 bytes", meta(bytes(be(4, 3), "free"))],
    ["AVIF has more than 16384 extents", meta(iloc(65535))],
    ["AVIF has more than 4096 items in iloc", meta(fullBox("iloc", 2, 0, 0, 0, be(4, 1_000_000)))],
    ["AVIF has more than 4096 items in ipma", meta(box("iprp", fullBox("ipma", 0, 0, be(4, 5000))))],
    ["AVIF has more than 4096 properties", meta(box("iprp", box("ipco", ...many(5000))))],
    ["AVIF has more than 4096 items", meta(fullBox("iinf", 1, 0, be(4, 5000)))],
    ["more than 65536 AVIF boxes", bytes(ftyp("avif"), many(65537))],
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
