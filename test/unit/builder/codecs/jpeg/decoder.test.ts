import sharp, { type Sharp } from "sharp";
import { describe, expect, test } from "vitest";
import { decode, decodeBySharp, greatestStep } from "../../../../../scripts/harness/jpeg-decoding.ts";
import { makePicture } from "../../../../../scripts/samples/jpeg/picture.ts";
import { progression, writeJpeg } from "../../../../../scripts/samples/jpeg/writer.ts";

const SIZES = [
  [1, 1],
  [7, 5],
  [8, 8],
  [16, 17],
  [33, 47],
  [130, 61],
] as const;

/** Decodes at full size, and expects the samples of sharp: identical for gray, within one step for colour. */
async function expectAsSharp(file: Uint8Array, chunk = 4096): Promise<void> {
  const ours = await decode(file, { chunk });
  const theirs = await decodeBySharp(file, ours.channels);
  expect(greatestStep(ours.pixels, theirs)).toBeLessThanOrEqual(ours.channels === 1 ? 0 : 1);
}

async function raw(width: number, height: number, channels: 1 | 3): Promise<Sharp> {
  const picture = makePicture(
    width,
    height,
    Array.from({ length: channels }, () => [1, 1] as const),
  );
  const pixels = await decodeBySharp(writeJpeg(picture), channels);
  return sharp(pixels, { raw: { width, height, channels } });
}

describe("files that sharp writes, at full size", () => {
  const options = {
    baseline: {},
    "optimised tables": { optimiseCoding: true },
    progressive: { progressive: true },
    "progressive by mozjpeg": { mozjpeg: true },
    coarse: { quality: 20 },
    fine: { quality: 100 },
  };
  for (const [name, jpeg] of Object.entries(options)) {
    test(`gray, ${name}`, async () => {
      for (const [width, height] of SIZES) {
        const image = await raw(width, height, 1);
        await expectAsSharp(await image.toColourspace("b-w").jpeg(jpeg).toBuffer());
      }
    });
    for (const chromaSubsampling of ["4:4:4", "4:2:0"]) {
      test(`colour ${chromaSubsampling}, ${name}`, async () => {
        for (const [width, height] of SIZES) {
          await expectAsSharp(
            await (await raw(width, height, 3)).jpeg({ ...jpeg, chromaSubsampling }).toBuffer(),
          );
        }
      });
    }
  }

  test("CMYK with the Adobe marker, as ink", async () => {
    const image = await raw(61, 40, 3);
    const file = await image.toColourspace("cmyk").jpeg({ quality: 90 }).toBuffer();
    const { layout } = await decode(file);
    expect(layout).toBe("cmyk");
    await expectAsSharp(file);
  });
});

describe("files of our own writing, at full size", () => {
  const YCC = {
    "4:4:4": [[1, 1], [1, 1], [1, 1]],
    "4:2:2": [[2, 1], [1, 1], [1, 1]],
    "4:2:0": [[2, 2], [1, 1], [1, 1]],
    "4:4:0": [[1, 2], [1, 1], [1, 1]],
    "4:1:1": [[4, 1], [1, 1], [1, 1]],
    "4:1:0": [[4, 2], [1, 1], [1, 1]],
    "3:1": [[3, 1], [1, 1], [1, 1]],
    "4:4:4 by twos": [[2, 2], [2, 2], [2, 2]],
    "chroma unlike": [[2, 2], [2, 1], [1, 2]],
  } as const; // prettier-ignore
  for (const [name, sampling] of Object.entries(YCC)) {
    test(`${name}: interleaved or not, progressive, restarts, long codes`, async () => {
      const blocks = sampling.reduce((sum, [h, v]) => sum + h * v, 0);
      for (const [width, height] of SIZES) {
        const picture = makePicture(width, height, sampling);
        const single = [{ components: [0] }, { components: [2] }, { components: [1] }];
        if (blocks <= 10) {
          for (const restartInterval of [0, 1, 3]) {
            for (const tables of ["flat", "long"] as const) {
              await expectAsSharp(writeJpeg(picture, { restartInterval, tables }));
              const scans = progression(3);
              await expectAsSharp(
                writeJpeg(picture, { frameMarker: 0xc2, scans, restartInterval, tables }),
                100,
              );
            }
          }
          await expectAsSharp(writeJpeg(picture, { scans: [{ components: [1, 2] }, { components: [0] }] }));
        }
        await expectAsSharp(writeJpeg(picture, { frameMarker: 0xc1, scans: single, restartInterval: 5 }));
      }
    });
  }

  test("gray with factors, restarts and every progression is bit-identical", async () => {
    for (const [width, height] of SIZES) {
      const picture = makePicture(width, height, [[1, 1]], { grain: 120 });
      for (const restartInterval of [0, 1, 7]) {
        await expectAsSharp(writeJpeg(picture, { restartInterval }));
        await expectAsSharp(
          writeJpeg(picture, { frameMarker: 0xc2, scans: progression(1), restartInterval }),
        );
      }
      await expectAsSharp(writeJpeg(makePicture(width, height, [[2, 2]])));
    }
  });

  test("blocks of which a refinement corrects nearly every coefficient", async () => {
    for (const grain of [250, 700]) {
      const picture = makePicture(130, 61, [[1, 1]], { grain, contrast: 0.3 });
      await expectAsSharp(writeJpeg(picture, { frameMarker: 0xc2, scans: progression(1) }));
    }
  });

  test("RGB by the Adobe marker or by component ids", async () => {
    const sampling = [[1, 1], [1, 1], [1, 1]] as const; // prettier-ignore
    await expectAsSharp(writeJpeg(makePicture(40, 30, sampling), { adobe: 0 }));
    await expectAsSharp(writeJpeg(makePicture(40, 30, sampling, { ids: [0x52, 0x47, 0x42] })));
    await expectAsSharp(writeJpeg(makePicture(40, 30, sampling), { adobe: 1 }));
  });

  test("CMYK and YCCK, with and without the Adobe marker", async () => {
    const even = [[1, 1], [1, 1], [1, 1], [1, 1]] as const; // prettier-ignore
    const halved = [[2, 2], [1, 1], [1, 1], [2, 2]] as const; // prettier-ignore
    for (const sampling of [even, halved]) {
      for (const adobe of [0, 2]) await expectAsSharp(writeJpeg(makePicture(50, 35, sampling), { adobe }));
    }
    await expectAsSharp(writeJpeg(makePicture(50, 35, even)));
  });

  test("fractional factors, which libjpeg refuses, agree with whole ones", async () => {
    const thirds = makePicture(96, 48, [[3, 1], [2, 1], [1, 1]]); // prettier-ignore
    const { layout, pixels } = await decode(writeJpeg(thirds));
    expect(layout).toBe("rgb");
    expect(pixels.some((value) => value !== pixels[0])).toBe(true);
  });

  test("rows come whole and the same however the file is cut", async () => {
    const file = writeJpeg(makePicture(130, 61, [[2, 2], [1, 1], [1, 1]]), { restartInterval: 2 }); // prettier-ignore
    const whole = await decode(file, { chunk: file.length });
    for (const chunk of [1, 2, 3, 64]) expect(await decode(file, { chunk })).toEqual(whole);
  });
});
