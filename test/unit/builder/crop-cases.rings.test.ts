/** Random crops, a thousand in the second ring, against sharp's extract and resize (RULES 5.9). */
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { parseRatio } from "../../../src/image/geometry/aspect-ratio.ts";
import { cropOf } from "../../../src/image/geometry/crop.ts";
import { CROP } from "../../../src/limits.ts";
import { bitmap, build } from "../../../scripts/harness/builds.ts";
import { type Bitmap, psnr } from "../../../scripts/harness/ssim.ts";
import { image, photo } from "../../../scripts/samples/pictures.ts";
import { displayed } from "../../support/pictures/displayed.ts";
import { extract } from "../../support/pictures/extract.ts";
import { resizeExactly } from "../../support/pictures/jpeg-exact-resize.ts";
import { rounds } from "../../support/ring.ts";

const CASES = rounds(120, 1000);
const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const NARROWEST = 12;

/** The decibels that a crop may lose against sharp's, both against the exact resize. */
const LOSS = 0.5;
/**
 * How near to the exact resize a crop is good, whatever sharp makes of it: rounding decides there. JPEGs are read at a DCT
 * scale, and their chroma without a filter before that of the resize: those of full chroma are compared here, and others
 * in test/unit/builder/codecs/jpeg/decoder-crop.rings.test.ts.
 */
const GOOD = { jpeg: 39, progressive: 39, png: 43, webp: 43 } as const;
type Kind = keyof typeof GOOD;
const KINDS = Object.keys(GOOD) as Kind[];

/** Returns the same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function encoded(kind: Kind, picture: Sharp): Promise<Buffer> {
  if (kind === "png") return picture.png().toBuffer();
  if (kind === "webp") return picture.webp({ quality: 95 }).toBuffer();
  const chromaSubsampling = "4:4:4";
  return picture.jpeg({ quality: 95, chromaSubsampling, progressive: kind === "progressive" }).toBuffer();
}

interface Master {
  orientation: number;
  file: Buffer;
  /** Upright, as sharp reads it. */
  pixels: Bitmap;
}

const masters = {} as Record<Kind, Master[]>;
beforeAll(async () => {
  const next = numbers(7);
  for (const kind of KINDS) {
    masters[kind] = [];
    for (const orientation of ORIENTATIONS) {
      const picture = image(await photo(30 + next(90), 30 + next(90), 1 + next(99)));
      const file = await encoded(kind, picture.withMetadata({ orientation }));
      masters[kind].push({ orientation, file, pixels: await bitmap(await displayed(file), 3) });
    }
  }
});

describe("crops of masters of every orientation", () => {
  for (const [seed, kind] of KINDS.entries()) {
    it(`${CASES / KINDS.length} of ${kind} are as good as sharp's`, async () => {
      const next = numbers(seed + 1);
      for (let n = 0; n < CASES / KINDS.length; n++) {
        const { file, pixels, orientation } = masters[kind][n % ORIENTATIONS.length]!;
        const ratio = CROP.aspectRatiosDefault[next(CROP.aspectRatiosDefault.length)]!;
        const focalPoint = { x: next(101), y: next(101) };
        const whole = { left: 0, top: 0, width: pixels.width, height: pixels.height };
        const rect = cropOf(pixels, parseRatio(ratio)!, focalPoint)?.rect ?? whole;
        const width = Math.max(Math.min(NARROWEST, rect.width), rect.width - next(rect.width));
        const ask = { format: "png", effort: "quick", ratio, focalPoint, width } as const;
        const { bytes, spec } = await build(file, ask);
        const at = JSON.stringify({ n, orientation, ratio, focalPoint, rect, width });
        const mine = await bitmap(sharp(bytes), 3);
        expect([at, mine.width, mine.height]).toEqual([at, spec.width, spec.height]);

        const cut = extract(pixels, rect);
        const data = Buffer.from(resizeExactly(cut, { ...rect, channels: 3 }, spec));
        const exact = { width: spec.width, height: spec.height, channels: 3, data };
        const likeness = psnr(mine, exact);
        if (likeness > GOOD[kind]) continue;
        const { width: across, height: down } = rect;
        const part = sharp(cut, { raw: { width: across, height: down, channels: 3 } });
        const theirs = await bitmap(part.resize(spec.width, spec.height, { fit: "fill" }), 3);
        expect(likeness, at).toBeGreaterThan(psnr(theirs, exact) - LOSS);
      }
    });
  }
});
