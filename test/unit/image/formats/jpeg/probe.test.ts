import { describe, expect, it } from "vitest";
import { be, bytes, exifBlock } from "../../../../../scripts/samples/probe/bytes.ts";
import { EOI, frame, jpegOf, plainJpeg, scan, segment, SOI } from "../../../../support/probes/probe-jpeg.ts";
import { outcomeOf, probe } from "../../../../../scripts/harness/probe-run.ts";

const ALL = [1, 2, 3];
const exif = (orientation: number) => segment(0xe1, "Exif\0\0", exifBlock(orientation));

describe("readJpeg", () => {
  it("names the process by the frame's marker", () => {
    const process = (marker: number, precision = 8) => {
      const { process, unsupported } = probe(plainJpeg({ marker, precision })) as never;
      return [process, unsupported];
    };
    expect(process(0xc0)).toEqual(["baseline", null]);
    expect(process(0xc1)).toEqual(["extended", null]);
    expect(process(0xc2)).toEqual(["progressive", null]);
    expect(process(0xc1, 12)).toEqual(["unsupported", "12-bit"]);
    expect(process(0xc2, 12)).toEqual(["unsupported", "12-bit"]);
    expect(process(0xc3, 16)).toEqual(["unsupported", "lossless"]);
    expect(process(0xc9)).toEqual(["unsupported", "arithmetic"]);
    expect(process(0xca)).toEqual(["unsupported", "arithmetic"]);
    expect(process(0xc5)).toEqual(["unsupported", "hierarchical"]);
    expect(process(0xcd)).toEqual(["unsupported", "hierarchical"]);
  });

  it("reads several frames after a DHP segment as one hierarchical picture", () => {
    const small = frame({ width: 8, height: 4 });
    const file = jpegOf(frame({ marker: 0xde }), small, scan(ALL), frame({ marker: 0xc5 }), scan(ALL));
    expect(probe(file)).toMatchObject({
      width: 16,
      height: 8,
      process: "unsupported",
      unsupported: "hierarchical",
    });
  });

  it.each([
    [[0x11], "gray", [1, 1], null],
    [[0x11, 0x11], "rgb", [1, 1], "2 components"],
    [[0x22, 0x11, 0x11], "rgb", [2, 2], null],
    [[0x21, 0x11, 0x11], "rgb", [2, 1], null],
    [[0x12, 0x11, 0x11], "rgb", [1, 2], null],
    [[0x41, 0x11, 0x11], "rgb", [4, 1], null],
    [[0x22, 0x22, 0x22], "rgb", [1, 1], null],
    [[0x22, 0x11, 0x11, 0x22], "cmyk", [2, 2], null],
  ])("reads components sampled %j", (sampling, colour, ratio, unsupported) => {
    expect(probe(plainJpeg({ sampling }))).toMatchObject({
      colour,
      sampling: ratio,
      unsupported,
      components: sampling.length,
    });
  });

  it("counts scans through stuffed zeros, restart markers, fill bytes and tables between them", () => {
    const table = segment(0xc4, 0, new Uint8Array(16));
    const data = [1, 0xff, 0, 0xff, 0xd0, 2, 0xff, 0xd7, 0xff, 0xff, 0, 3];
    const file = jpegOf(
      [0xff, 0xff, 0xff, frame()],
      scan([1], data),
      [0xff, 0xff, table],
      scan([2, 3], data, 0xff, 0xff),
    );
    expect(probe(file)).toMatchObject({ scans: 2 });
  });

  it("uses the first EXIF block and ignores other APP1 segments", () => {
    const xmp = segment(0xe1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>");
    const rest = [frame(), scan(ALL)];
    expect(probe(jpegOf(xmp, exif(6), exif(3), rest))).toMatchObject({
      orientation: 6,
      width: 8,
      height: 16,
    });
    expect(probe(jpegOf(segment(0xe1), segment(0xe1, "Exif\0\0"), exif(3), rest))).toMatchObject({
      orientation: 3,
    });
    expect(probe(jpegOf(segment(0xe1, "Exif\0\0nonsense"), rest))).toMatchObject({ orientation: 1 });
  });

  it("sees an ICC profile among other APP2 segments", () => {
    const rest = [frame(), scan(ALL)];
    const icc = segment(0xe2, "ICC_PROFILE\0", 1, 1, "profile");
    expect(
      probe(jpegOf(segment(0xe2, "MPF\0"), segment(0xe2, "FPXR\0 and more of it"), icc, rest)),
    ).toMatchObject({
      profile: "icc",
    });
    expect(probe(jpegOf(segment(0xe2, "MPF\0 and more of it"), rest))).toMatchObject({ profile: "none" });
  });

  it("ignores metadata after a scan, as decoders do", () => {
    const late = jpegOf(frame(), scan([1]), exif(6), segment(0xe2, "ICC_PROFILE\0", 1, 1), scan([2, 3]));
    expect(probe(late)).toMatchObject({ orientation: 1, profile: "none", scans: 2 });
  });

  it("ignores what follows the last component of a sequential picture", () => {
    const whole = probe(plainJpeg());
    expect(probe(jpegOf(frame(), scan(ALL), segment(0xf7)))).toEqual(whole);
    expect(probe(bytes(SOI, frame(), scan(ALL), segment(0xe1, "cut").subarray(0, 5)))).toEqual(whole);
    expect(probe(jpegOf(frame(), scan(ALL), SOI))).toEqual(whole);
    const progressive = jpegOf(frame({ marker: 0xc2 }), scan(ALL), segment(0xf7));
    expect(outcomeOf(progressive)).toHaveProperty("refused");
  });

  it("skips bytes and restart markers between segments", () => {
    const junk = [1, 2, 0xff, 0, 3, 0xff, 0xd3, 0xff, 0x01, 4];
    expect(probe(jpegOf(segment(0xe0), junk, frame(), junk, scan(ALL)))).toEqual(probe(plainJpeg()));
  });

  it("ignores bytes after EOI", () => {
    const file = plainJpeg();
    expect(probe(bytes(file, "a video", plainJpeg({ width: 99 }), 0xff))).toEqual(probe(file));
  });

  it.each([
    ["JPEG of 0×8 pixels", plainJpeg({ width: 0 })],
    ["JPEG of 16×0 pixels", plainJpeg({ height: 0 })],
    ["JPEG has no frame header (SOF)", bytes(SOI, EOI)],
    ["JPEG has no scan (SOS)", jpegOf(frame())],
    ["JPEG has no scan of component 3", jpegOf(frame(), scan([1, 2]))],
    ["JPEG has a scan before its frame header", jpegOf(scan(ALL), frame())],
    ["JPEG has two frame headers", jpegOf(frame(), frame(), scan(ALL))],
    ["JPEG scan names component 9, which the frame does not have", jpegOf(frame(), scan([9]))],
    ["JPEG scan header has a wrong length", jpegOf(frame(), segment(0xda, 1, 1, 0, 0, 63, 0, 0))],
    ["JPEG frame header is too short", jpegOf(segment(0xc0, 8))],
    ["JPEG frame header of 3 components has a wrong length", jpegOf(segment(0xc0, 8, be(2, 8), be(2, 8), 3))],
    ["JPEG component has sampling factors 0×1", plainJpeg({ sampling: [0x01] })],
    ["JPEG component has sampling factors 5×1", plainJpeg({ sampling: [0x51] })],
    ["JPEG frame has a precision of 12 bits", plainJpeg({ marker: 0xc0, precision: 12 })],
    ["JPEG frame has a precision of 9 bits", plainJpeg({ marker: 0xc2, precision: 9 })],
    ["JPEG segment APP0 has a length below 2", jpegOf(0xff, 0xe0, be(2, 1))],
    ["JPEG has marker SOI before byte 4, where it may not be", jpegOf(SOI)],
    ["JPEG has marker F7 before byte 4, where it may not be", jpegOf(segment(0xf7))],
    ["the file ends inside JPEG segment APP1", bytes(SOI, exif(6).subarray(0, 20))],
    ["the file ends inside JPEG scan 1", bytes(SOI, frame(), scan(ALL), 0xff)],
    ["the file ends inside JPEG, before its EOI marker", bytes(SOI, frame())],
  ])("refuses: %s", (refused, file) => {
    expect(outcomeOf(file)).toEqual({ refused, name: "InvalidImageError" });
  });

  it("refuses too many segments", () => {
    const file = jpegOf(Array.from({ length: 65537 }, () => segment(0xe5)));
    expect(outcomeOf(file)).toEqual({ refused: "more than 65536 JPEG segments", name: "InvalidImageError" });
  });
});
