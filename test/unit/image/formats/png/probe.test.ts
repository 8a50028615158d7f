import { describe, expect, it } from "vitest";
import { be, bytes, exifBlock } from "../../../../../scripts/samples/probe/bytes.ts";
import {
  apng,
  chunk,
  fctl,
  iend,
  idat,
  ihdr,
  pngOf,
  SIGNATURE,
  zeroRows,
} from "../../../../../scripts/samples/probe/png.ts";
import { outcomeOf, probe } from "../../../../../scripts/harness/probe-run.ts";

const plte = chunk("PLTE", new Uint8Array(6));
const actl = (frames: number) => chunk("acTL", be(4, frames), be(4, 0));
const damaged = (file: Uint8Array) => file.with(file.length - 1, file.at(-1) ^ 1);
const refusal = (file: Uint8Array) => outcomeOf(file) as { refused: string };

describe("readPng", () => {
  it.each([
    [0, [1, 2, 4, 8, 16], "gray", false],
    [2, [8, 16], "rgb", false],
    [3, [1, 2, 4, 8], "palette", false],
    [4, [8, 16], "gray", true],
    [6, [8, 16], "rgb", true],
  ] as const)("colour type %i", (colourType, depths, colour, hasAlpha) => {
    for (const bitDepth of [1, 2, 4, 8, 16, 3, 0]) {
      const file = pngOf(ihdr(4, 3, bitDepth, colourType), colourType === 3 ? plte : [], idat);
      if ((depths as readonly number[]).includes(bitDepth)) {
        expect(probe(file)).toMatchObject({
          colourType,
          bitDepth,
          colour,
          hasAlpha,
          frames: 1,
          animated: false,
        });
      } else {
        expect(refusal(file).refused).toBe(`PNG has colour type ${colourType} with ${bitDepth} bits`);
      }
    }
  });

  it("sees transparency in tRNS, unless pixels have their own alpha", () => {
    const trns = (size: number) => chunk("tRNS", new Uint8Array(size));
    expect(probe(pngOf(ihdr(), trns(6), idat))).toMatchObject({ hasAlpha: true });
    expect(probe(pngOf(ihdr(4, 3, 8, 0), trns(2), idat))).toMatchObject({ hasAlpha: true });
    expect(probe(pngOf(ihdr(4, 3, 8, 3), plte, trns(2), idat))).toMatchObject({ hasAlpha: true });
  });

  it("ignores a tRNS of another length, before its palette, after the data, or damaged", () => {
    const trns = (size: number) => chunk("tRNS", new Uint8Array(size));
    const palette = ihdr(4, 3, 8, 3);
    for (const file of [
      pngOf(palette, plte, trns(3), idat),
      pngOf(palette, plte, trns(300), idat),
      pngOf(palette, plte, trns(0), idat),
      pngOf(palette, trns(1), plte, idat),
      pngOf(ihdr(), trns(2), idat),
      pngOf(ihdr(), idat, trns(6)),
      pngOf(ihdr(), damaged(trns(6)), idat),
    ])
      expect(probe(file)).toMatchObject({ hasAlpha: false });
  });

  it("does not refuse a huge size if the structure is valid", () => {
    expect(probe(pngOf(ihdr(60000, 60000), idat))).toMatchObject({ width: 60000, height: 60000 });
  });

  it("takes orientation from the first eXIf before the data, as sharp and browsers do", () => {
    const exif = chunk("eXIf", exifBlock(6, "MM"));
    expect(probe(pngOf(ihdr(), exif, idat))).toMatchObject({
      orientation: 6,
      width: 3,
      height: 4,
      codedWidth: 4,
    });
    expect(probe(pngOf(ihdr(), exif, chunk("eXIf", exifBlock(3)), idat))).toMatchObject({ orientation: 6 });
    expect(probe(pngOf(ihdr(), idat, exif))).toMatchObject({ orientation: 1 });
    expect(probe(pngOf(ihdr(), damaged(exif), idat))).toMatchObject({ orientation: 1 });
    expect(probe(pngOf(ihdr(), chunk("eXIf", "Exif\0\0", exifBlock(6)), idat))).toMatchObject({
      orientation: 1,
    });
    const long = chunk("eXIf", exifBlock(8), new Uint8Array(100_000));
    expect(probe(pngOf(ihdr(), long, idat), [1000])).toMatchObject({ orientation: 8 });
  });

  it("prefers code points to an ICC profile", () => {
    const profile = (...chunks: Uint8Array[]) => probe(pngOf(ihdr(), chunks, idat)).profile;
    const iccp = chunk("iCCP", "name\0\0", zeroRows(1, 1, 1));
    expect(profile(iccp)).toBe("icc");
    expect(profile(chunk("cICP", 12, 13, 0, 1))).toBe("cicp");
    expect(profile(chunk("cICP", 9, 16, 0, 1), iccp)).toBe("cicp");
    expect(profile(chunk("cICP", 1, 13, 0, 1), iccp)).toBe("none");
    expect(profile(chunk("cICP", 1, 13, 0, 0))).toBe("cicp");
    expect(profile(chunk("gAMA", be(4, 45455)))).toBe("none");
    for (const nothing of [
      [2, 2, 0, 1],
      [2, 13, 0, 1],
      [1, 2, 0, 1],
      [0, 0, 0, 0],
      [9, 16],
      [9, 16, 0, 1, 1],
    ]) {
      expect(profile(chunk("cICP", nothing), iccp), String(nothing)).toBe("icc");
    }
    expect(profile(damaged(chunk("cICP", 9, 16, 0, 1)), iccp)).toBe("icc");
  });

  it("ends with the file, or with an IEND that is damaged", () => {
    const whole = probe(pngOf(ihdr(), idat));
    expect(probe(bytes(SIGNATURE, ihdr(), idat))).toEqual(whole);
    expect(probe(bytes(SIGNATURE, ihdr(), idat, damaged(iend)))).toEqual(whole);
    expect(probe(bytes(SIGNATURE, ihdr(), idat, iend.subarray(0, 8)))).toEqual(whole);
  });

  it("ignores bytes after IEND", () => {
    expect(probe(bytes(pngOf(ihdr(), idat), "more"))).toEqual(probe(pngOf(ihdr(), idat)));
  });

  it.each([
    ["PNG of 0×3 pixels", pngOf(ihdr(0, 3), idat)],
    ["PNG of 2147483648×3 pixels", pngOf(ihdr(2 ** 31, 3), idat)],
    ["PNG has interlace method 2", pngOf(ihdr(4, 3, 8, 2, 2), idat)],
    ["PNG chunk IHDR has 14 bytes, not 13", pngOf(chunk("IHDR", new Uint8Array(14)), idat)],
    ["PNG chunk IHDR has 4000 bytes", pngOf(chunk("IHDR", new Uint8Array(4000)), idat)],
    ["PNG chunk IHDR does not match its check sum", pngOf(damaged(ihdr()), idat)],
    ["PNG chunk PLTE does not match its check sum", pngOf(ihdr(4, 3, 8, 3), damaged(plte), idat)],
    ["PNG chunk PLTE has 7 bytes", pngOf(ihdr(), chunk("PLTE", new Uint8Array(7)), idat)],
    ["PNG begins with chunk CgBI, not IHDR", pngOf(chunk("CgBI", be(4, 0)), ihdr(), idat)],
    ["PNG has two IHDR chunks", pngOf(ihdr(), ihdr(), idat)],
    ["PNG has two PLTE chunks", pngOf(ihdr(), plte, plte, idat)],
    ["PNG has chunk PLTE after IDAT", pngOf(ihdr(), idat, plte)],
    ["PNG has a palette's colour type and no PLTE before IDAT", pngOf(ihdr(4, 3, 8, 3), idat)],
    ["PNG has other chunks between its IDAT chunks", pngOf(ihdr(), idat, chunk("tEXt", "a\0b"), idat)],
    ["PNG has no image data (IDAT)", pngOf(ihdr())],
    ["PNG has no image data (IDAT)", pngOf(ihdr(), chunk("IDAT"))],
    ["PNG has unknown critical chunk ABCD", pngOf(ihdr(), chunk("ABCD"), idat)],
    ['PNG has no chunk at byte 33, but "??12"', pngOf(ihdr(), be(4, 0), [0, 1], "12")],
    ["the file ends inside PNG chunk IDAT", bytes(SIGNATURE, ihdr(), idat.subarray(0, 12))],
    ["the file ends inside PNG, before its IEND chunk", bytes(SIGNATURE, ihdr(), idat, iend.subarray(0, 7))],
  ])("refuses: %s", (refused, file) => {
    expect(outcomeOf(file)).toEqual({ refused, name: "InvalidImageError" });
  });
});

describe("PngAnimation", () => {
  it("counts the frames", () => {
    expect(probe(apng([{}, {}, {}]))).toMatchObject({ frames: 3, animated: true, hasAlpha: false });
    expect(probe(apng([{}]))).toMatchObject({ frames: 1, animated: false });
  });

  it("does not count the still picture if no fcTL comes before it", () => {
    const frame = (n: number) => [fctl(2 * n), chunk("fdAT", be(4, 2 * n + 1), zeroRows(4, 3, 3))];
    expect(probe(pngOf(ihdr(), actl(2), idat, frame(0), frame(1)))).toMatchObject({ frames: 2 });
  });

  it("ignores frames if no acTL comes before the data", () => {
    expect(probe(pngOf(ihdr(), fctl(7), idat, actl(2), fctl(3), chunk("fdAT", 1)))).toMatchObject({
      frames: 1,
    });
  });

  it("ignores an acTL that claims no frames, is damaged or is not the first", () => {
    for (const nothing of [actl(0), damaged(actl(2)), chunk("acTL", be(4, 2))]) {
      expect(probe(pngOf(ihdr(), nothing, fctl(9), idat))).toMatchObject({ frames: 1 });
    }
    expect(probe(pngOf(ihdr(), actl(1), actl(3), fctl(0), idat))).toMatchObject({ frames: 1 });
  });

  it("notes a single frame that is not the default image", () => {
    const frame = [fctl(0), chunk("fdAT", be(4, 1), zeroRows(4, 3, 3))];
    expect(probe(pngOf(ihdr(), actl(1), idat, frame))).toMatchObject({ frames: 1, hidesDefault: true });
    expect(probe(apng([{}]))).not.toHaveProperty("hidesDefault");
  });

  it("sees the canvas if the next frame does not cover a cleared one", () => {
    const part = { width: 2, height: 2 };
    expect(probe(apng([{}, part]))).toMatchObject({ hasAlpha: false });
    expect(probe(apng([{ dispose: 1 }, {}]))).toMatchObject({ hasAlpha: false });
    expect(probe(apng([{ dispose: 1 }, part]))).toMatchObject({ hasAlpha: true });
    expect(probe(apng([{}, { ...part, dispose: 1 }, { ...part, left: 1 }]))).toMatchObject({
      hasAlpha: true,
    });
    expect(probe(apng([{ dispose: 2 }, part]))).toMatchObject({ hasAlpha: true });
  });

  it.each([
    ["APNG claims 3 frames and has 2", apng([{}, {}], 3)],
    ["APNG claims 1 frames and has 2", apng([{}, {}], 1)],
    ["APNG frame 1 does not fit its canvas", apng([{ width: 2 }])],
    ["APNG frame 2 does not fit its canvas", apng([{}, { left: 1 }])],
    ["APNG frame 2 does not fit its canvas", apng([{}, { width: 0 }])],
    ["APNG frame 2 does not fit its canvas", apng([{}, { dispose: 3 }])],
    ["APNG frame 2 has no data", pngOf(ihdr(), actl(2), fctl(0), idat, fctl(1))],
    ["APNG frame 2 has no data", pngOf(ihdr(), actl(3), fctl(0), idat, fctl(1), fctl(2))],
    ["APNG chunk fcTL has number 5 where 0 comes next", pngOf(ihdr(), actl(1), fctl(5), idat)],
    [
      "APNG chunk fdAT has number 4 where 0 comes next",
      pngOf(ihdr(), actl(1), idat, chunk("fdAT", be(4, 4))),
    ],
    ["APNG has frame data before its first frame", pngOf(ihdr(), actl(1), idat, chunk("fdAT", be(4, 0)))],
    ["APNG frame 1 has no data", pngOf(ihdr(), actl(2), fctl(0), fctl(1), idat)],
    ["APNG chunk fdAT out of place", pngOf(ihdr(), actl(1), chunk("fdAT", be(4, 0)), idat)],
  ])("refuses: %s", (refused, file) => {
    expect(outcomeOf(file)).toEqual({ refused, name: "InvalidImageError" });
  });
});
