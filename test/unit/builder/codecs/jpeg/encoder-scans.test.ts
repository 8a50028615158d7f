/** The contents of the scans of a progressive JPEG. */
import { describe, expect, it } from "vitest";
import {
  somePicture,
  encode,
  GOOD,
  segmentsOf,
  markersOf,
} from "../../../../support/pictures/jpeg-encoding.ts";

const scansOf = (jpeg: Buffer): Buffer[] =>
  segmentsOf(jpeg).flatMap(({ marker, content }) => (marker === 0xda ? [content] : []));

/** Returns the first and last coefficients of the scans of AC coefficients of Cb. */
const bandsOfCb = (jpeg: Buffer): number[][] =>
  scansOf(jpeg)
    .filter((scan) => scan[1] === 2 && scan.at(-2) !== 0)
    .map((scan) => [...scan.subarray(-3, -1)]);

describe("the scans of chroma", () => {
  it("hold its lowest coefficients, which are seldom 0, apart from the others", async () => {
    expect(bandsOfCb(await encode(somePicture(640, 480, "rgb"), GOOD))).toEqual([
      [1, 2],
      [3, 63],
    ]);
  });

  it("are one per component where two would cost more tables than they spare", async () => {
    expect(bandsOfCb(await encode(somePicture(64, 48, "rgb"), GOOD))).toEqual([[1, 63]]);
  });
});

describe("the scans of a small picture", () => {
  it("code all DC coefficients together where that is smaller", async () => {
    // Grey in three channels: luma and chroma have tables of their own.
    const gray = somePicture(320, 240, "gray", 60);
    const data = Uint8Array.from({ length: 3 * gray.data.length }, (_, i) => gray.data[Math.floor(i / 3)]!);
    const [first, ...others] = scansOf(await encode({ ...gray, layout: "rgb", data }, GOOD));
    expect(first).toEqual(Buffer.of(3, 1, 0x00, 2, 0x10, 3, 0x10, 0, 0, 0));
    for (const scan of others) expect(scan[0]).toBe(1);
  });

  it("share tables", async () => {
    const markers = markersOf(await encode(somePicture(64, 48, "rgb"), GOOD));
    const count = (marker: number): number => markers.filter((other) => other === marker).length;
    expect(count(0xc4)).toBeLessThan(count(0xda));
  });

  it("cover every coefficient once", async () => {
    for (const [width, grain] of [
      [8, 0],
      [64, 4],
      [64, 250],
      [230, 12],
    ] as const) {
      for (const scale of [0.1, 0.5, 2]) {
        const jpeg = await encode(somePicture(width, 90, "rgb", grain), { scale, chroma: "420" });
        const bands: number[][] = [[], [], []];
        for (const scan of scansOf(jpeg)) {
          const [from, to] = [...scan.subarray(-3)] as [number, number];
          for (let i = 0; i < scan[0]!; i++) {
            for (let k = from; k <= to; k++) bands[scan[1 + 2 * i]! - 1]!.push(k);
          }
        }
        const all = Array.from({ length: 64 }, (_, k) => k);
        for (const band of bands) expect(band.sort((a, b) => a - b)).toEqual(all);
      }
    }
  });

  it("take less than 500 bytes of tables and headers", async () => {
    const jpeg = await encode(somePicture(236, 177, "rgb"), GOOD);
    const bytes = segmentsOf(jpeg).reduce((sum, { content }) => sum + 4 + content.length, 0);
    expect(bytes).toBeLessThan(500);
  });
});
