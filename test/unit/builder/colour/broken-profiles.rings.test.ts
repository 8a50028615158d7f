/** Profiles damaged at random, by a seed: they convert somehow or not at all, and the next build is right. */
import { expect, it } from "vitest";
import { conversionFor } from "../../../../src/builder/colour/conversion.ts";
import { readProfile } from "../../../../src/image/colour/icc-profile.ts";
import { build, order } from "../../../../scripts/harness/builds.ts";
import { image, photo } from "../../../../scripts/samples/pictures.ts";
import {
  adobeRgb,
  grayDots,
  intoJpeg,
  intoPng,
  srgbV2,
  srgbV4,
  TABLES,
} from "../../../../scripts/samples/colour/profiles.ts";
import { rounds } from "../../../support/ring.ts";

function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Values that break counts, offsets and numbers. */
const SPITEFUL = [0, 1, 0x7f, 0x80, 0xff];

/** Changes some bytes, mostly where the structure is; sometimes cuts the end off, or moves a piece. */
function damaged(icc: Buffer, next: (below: number) => number): Buffer {
  const copy = Buffer.from(icc);
  const changes = 1 + next(8);
  for (let i = 0; i < changes; i++) {
    const at = next(3) > 0 ? next(Math.min(copy.length, 700)) : next(copy.length);
    copy[at] = next(2) === 0 ? (SPITEFUL[next(SPITEFUL.length)] as number) : next(256);
  }
  if (next(4) === 0) copy.copyWithin(next(copy.length), next(copy.length));
  return next(4) === 0 ? copy.subarray(0, next(copy.length)) : copy;
}

const LIGHT = { adobeRgb, srgbV2, srgbV4, ...TABLES };

for (const [name, icc] of Object.entries({ ...LIGHT, grayDots })) {
  const channels = name.includes("CMYK") ? 4 : name.startsWith("gray") ? 1 : 3;
  const layout = ({ 1: "gray", 3: "rgb", 4: "cmyk" } as const)[channels];
  it(`damage to ${name} is borne`, () => {
    const next = random(name.length);
    // Laying a table takes some 50 ms: fewer of those.
    for (let run = 0; run < (name.includes("lut") ? rounds(6, 30) : rounds(40, 200)); run++) {
      const meaning = readProfile(Uint8Array.from(damaged(icc, next)), channels);
      const conversion = meaning && conversionFor(meaning, layout);
      const rows = Uint8Array.from({ length: 1200 }, () => next(256));
      if (conversion) expect(conversion.convert(rows)).toBe(channels === 4 ? 900 : 1200);
    }
  });
}

it("a damaged profile never breaks a build, nor the next one", async () => {
  const next = random(7);
  const picture = image(await photo(64, 48));
  const [png, jpeg] = [await picture.png().toBuffer(), await picture.jpeg().toBuffer()];
  const press = await picture.clone().toColourspace("cmyk").jpeg().toBuffer();
  const sound = intoPng(png, adobeRgb);
  const right = (await build(sound, { format: "png", effort: "quick" })).bytes;
  for (let run = 0; run < rounds(12, 40); run++) {
    const icc = damaged(run % 4 === 0 ? TABLES["lut16, CMYK"] : adobeRgb, next);
    const master =
      run % 4 === 0 ? intoJpeg(press, icc) : run % 4 === 1 ? intoPng(png, icc) : intoJpeg(jpeg, icc, 200);
    expect(await order(master, { format: "png", effort: "quick" })).toMatchObject({ ok: true });
  }
  expect((await build(sound, { format: "png", effort: "quick" })).bytes).toEqual(right);
});
