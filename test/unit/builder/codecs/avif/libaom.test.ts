/** AVIF of one item: the clean aperture is cut out of the pixels, wherever it lies. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeLibaom } from "../../../../../src/builder/codecs/avif/libaom.ts";
import type { AvifFacts } from "../../../../../src/image/model/facts.ts";
import { contextOf } from "../../../../../scripts/harness/builds.ts";
import { probe } from "../../../../../scripts/harness/probe-run.ts";
import { cutout, photo, type Picture } from "../../../../../scripts/samples/pictures.ts";
import { be } from "../../../../../scripts/samples/probe/bytes.ts";
import { box, codedPicture, heif, property } from "../../../../../scripts/samples/probe/avif.ts";

type Crop = [left: number, top: number, width: number, height: number];

async function decoded(file: Uint8Array): Promise<Picture> {
  const facts = probe(file) as AvifFacts;
  const rows = await decodeLibaom(contextOf(file, { facts }), facts);
  const pieces: Buffer[] = [];
  for (let piece = await rows.next(); piece; piece = await rows.next()) pieces.push(Buffer.from(piece));
  const channels = rows.layout === "rgba" ? 4 : 3;
  return { width: rows.width, height: rows.height, channels, data: Buffer.concat(pieces) };
}

function cut({ width, channels, data }: Picture, [left, top, across, down]: Crop): Buffer {
  const rows = Array.from({ length: down }, (_, y) => {
    const from = ((top + y) * width + left) * channels;
    return data.subarray(from, from + across * channels);
  });
  return Buffer.concat(rows);
}

/** Returns a file of one item in 4:2:0, with a `clap` where one is given. */
async function file(picture: Picture, aperture: Uint8Array[]): Promise<Uint8Array> {
  const { width, height, channels } = picture;
  const avif = sharp(picture.data, { raw: { width, height, channels } });
  const { av1C, data } = codedPicture(await avif.avif({ chromaSubsampling: "4:2:0" }).toBuffer());
  const properties = [property.ispe(width, height), av1C, property.pixi(8, 8, 8), ...aperture];
  return heif([{ type: "av01", properties, data }]);
}

describe("an AVIF of one item", () => {
  const size: [number, number] = [60, 40];

  for (const crop of [
    [0, 0, 30, 20],
    [1, 0, 30, 20],
    [0, 1, 30, 20],
    [7, 5, 31, 21],
    [59, 39, 1, 1],
  ] satisfies Crop[]) {
    it(`with a clean aperture at ${crop[0]}, ${crop[1]} of ${crop[2]} × ${crop[3]} is cut to it`, async () => {
      const picture = await photo(...size);
      const whole = await decoded(await file(picture, []));
      const got = await decoded(await file(picture, [property.clap(size, crop)]));
      expect(got).toMatchObject({ width: crop[2], height: crop[3] });
      expect(got.data.equals(cut(whole, crop))).toBe(true);
    });
  }

  it("with one at a fraction of a pixel is cut to the nearest pixels", async () => {
    const picture = await photo(...size);
    const whole = await decoded(await file(picture, []));
    // 29.5 × 20.25, 0.25 to the right and 1/3 down of the centre.
    const fractions = [59, 2, 81, 4, 1, 4, 1, 3].map((value) => be(4, value));
    const aperture = box("clap", ...fractions);
    const { crop } = probe(await file(picture, [aperture])) as AvifFacts;
    const got = await decoded(await file(picture, [aperture]));
    expect(crop).toEqual({ left: 15, top: 10, width: 30, height: 20 });
    expect(got.data.equals(cut(whole, [15, 10, 30, 20]))).toBe(true);
  });

  it("without one is whole, with its alpha", async () => {
    const picture = await cutout(40, 30);
    const { width, height, channels, data } = picture;
    const avif = await sharp(data, { raw: { width, height, channels } }).avif().toBuffer();
    expect(await decoded(avif)).toMatchObject({ width: 40, height: 30, channels: 4 });
  });
});
