/** Random pads and boxes, a thousand in the second ring, against sharp's "contain" and "inside" (RULES 5.12 to 5.14). */
import sharp, { type Sharp } from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { gridWidth, heightAt } from "../../../src/image/geometry/grid.ts";
import { bitmap } from "../../../scripts/harness/builds.ts";
import { type Bitmap, psnr } from "../../../scripts/harness/ssim.ts";
import { cutout, image, photo } from "../../../scripts/samples/pictures.ts";
import { buildAsked } from "../../support/pictures/asked-build.ts";
import { displayed } from "../../support/pictures/displayed.ts";
import { resizeExactly } from "../../support/pictures/jpeg-exact-resize.ts";
import type { Rect } from "../../../src/image/geometry/size.ts";
import { rounds } from "../../support/ring.ts";
import { CROP } from "../../../src/limits.ts";

const CASES = rounds(64, 1000);
const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
/** The decibels that a picture may lose against sharp's, both against the exact resize. */
const LOSS = 0.5;
/** How near to sharp's picture one is good without a look at the exact one: rounding decides there. */
const LEAST = { jpeg: 38, png: 43, webp: 43, cutout: 38, gray: 43 } as const;
type Kind = keyof typeof LEAST;
const KINDS = Object.keys(LEAST) as Kind[];
const BACKGROUNDS = ["ff8000", "0000ff", "808080", "ffffff", null] as const;

/** Returns the same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const encode: Record<Kind, (picture: Sharp) => Promise<Buffer>> = {
  jpeg: (picture) => picture.jpeg({ quality: 95, chromaSubsampling: "4:4:4" }).toBuffer(),
  png: (picture) => picture.png().toBuffer(),
  webp: (picture) => picture.webp({ quality: 95 }).toBuffer(),
  cutout: (picture) => picture.png().toBuffer(),
  gray: (picture) => picture.toColourspace("b-w").png().toBuffer(),
};

interface Master {
  file: Buffer;
  /** Upright, as sharp reads it. */
  pixels: Bitmap;
}

const masters = {} as Record<Kind, Master[]>;
beforeAll(async () => {
  const next = numbers(11);
  for (const kind of KINDS) {
    masters[kind] = [];
    for (const orientation of ORIENTATIONS) {
      const make = kind === "cutout" ? cutout : photo;
      const picture = image(await make(40 + next(400), 40 + next(400), 1 + next(99)));
      const file = await encode[kind](picture.withMetadata({ orientation }));
      masters[kind].push({ file, pixels: await bitmap(await displayed(file), 4) });
    }
  }
});

const raw = ({ data, width, height }: Bitmap): Sharp =>
  sharp(data as Buffer, { raw: { width, height, channels: 4 } });

/** Returns a picture on a colour that none of them has, so that transparent pixels count. */
async function onMagenta(picture: Sharp): Promise<Bitmap> {
  const flat = picture.flatten({ background: "#ff00ff" });
  return bitmap(sharp(await flat.png().toBuffer()), 3);
}

/** Returns the canvas of `like` with the exact resize of an opaque picture at `place`. */
function exactly(pixels: Bitmap, place: Rect, like: Bitmap): Bitmap {
  const opaque = Buffer.from(pixels.data.filter((_, i) => i % 4 !== 3));
  const resized = resizeExactly(opaque, { width: pixels.width, height: pixels.height, channels: 3 }, place);
  const data = Buffer.from(like.data);
  for (let y = 0; y < place.height; y++) {
    const row = resized.subarray(y * place.width * 3, (y + 1) * place.width * 3);
    data.set(row, ((place.top + y) * like.width + place.left) * 3);
  }
  return { ...like, data };
}

describe("padded masters of every orientation", () => {
  for (const [seed, kind] of KINDS.entries()) {
    it(`${kind}: as sharp's "contain"`, async () => {
      const next = numbers(seed + 1);
      for (let n = 0; n < CASES / KINDS.length; n++) {
        const { file, pixels } = masters[kind][n % ORIENTATIONS.length]!;
        const ratio = CROP.aspectRatiosDefault[next(CROP.aspectRatiosDefault.length)]!;
        const background = BACKGROUNDS[next(BACKGROUNDS.length)] ?? null;
        const w = 1 + next(600);
        const query = `fit=pad&ar=${ratio}&w=${w}&fm=png${background === null ? "" : `&bg=${background}`}`;
        const { bytes, spec } = await buildAsked(file, query);
        const [across = 1, down = 1] = ratio.split(":").map(Number);
        const most = Math.max(pixels.width, Math.ceil((pixels.height * across) / down));
        const width = Math.min(gridWidth(w), most);
        const height = Math.max(1, Math.round((width * down) / across));
        const empty = background === null ? { r: 0, g: 0, b: 0, alpha: 0 } : `#${background}`;
        const fits = pixels.width <= width && pixels.height <= height;
        const [left, top] = [
          Math.floor((width - pixels.width) / 2),
          Math.floor((height - pixels.height) / 2),
        ];
        const borders = {
          left,
          top,
          right: width - pixels.width - left,
          bottom: height - pixels.height - top,
        };
        // Sharp enlarges a picture by a pixel where the height of the canvas is rounded.
        const theirs = fits
          ? raw(pixels).extend({ ...borders, background: empty })
          : raw(pixels).resize(width, height, { fit: "contain", background: empty });
        // The pipeline of sharp would compose before it resizes.
        const settled = sharp(await theirs.png().toBuffer());
        const mine = await onMagenta(sharp(bytes));
        const at = JSON.stringify({ n, query, pixels: [pixels.width, pixels.height] });
        expect([at, mine.width, mine.height]).toEqual([at, width, height]);
        const { place } = spec.pad ?? { place: { left: 0, top: 0, width, height } };
        const flat =
          background === null
            ? settled
            : sharp(
                await settled
                  .flatten({ background: `#${background}` })
                  .png()
                  .toBuffer(),
              );
        const reference = await onMagenta(flat);
        const likeness = psnr(mine, reference);
        if (likeness > LEAST[kind]) continue;
        const exact = exactly(pixels, place, reference);
        expect(psnr(mine, exact), at).toBeGreaterThan(psnr(reference, exact) - LOSS);
      }
    });
  }
});

describe("masters inside boxes", () => {
  it('are as large as sharp\'s "inside", then as the grid', async () => {
    const next = numbers(77);
    for (let n = 0; n < CASES / 4; n++) {
      const kind = KINDS[n % 3]!;
      const { file, pixels } = masters[kind][next(ORIENTATIONS.length)]!;
      const box = { width: 1 + next(500), height: 1 + next(500) };
      const { info } = await raw(pixels)
        .resize({ ...box, fit: "inside", withoutEnlargement: true })
        .raw()
        .toBuffer({ resolveWithObject: true });
      const { bytes, spec } = await buildAsked(file, `fit=inside&w=${box.width}&h=${box.height}&fm=png`);
      const at = JSON.stringify({
        n,
        kind,
        box,
        pixels: [pixels.width, pixels.height],
        info,
        width: spec.width,
      });
      // Sharp rounds the side that follows, so the step may be the one below.
      const steps = [info.width, Math.max(1, info.width - 1)].map((width) =>
        Math.min(gridWidth(width), pixels.width),
      );
      expect(steps, at).toContain(spec.width);
      const mine = await bitmap(sharp(bytes), 3);
      expect([at, mine.width, mine.height]).toEqual([at, spec.width, heightAt(spec.width, pixels)]);
      const theirs = await bitmap(raw(pixels).resize(spec.width, spec.height, { fit: "fill" }), 3);
      if (psnr(mine, theirs) > LEAST[kind]) continue;
      const exact = exactly(pixels, { left: 0, top: 0, width: spec.width, height: spec.height }, theirs);
      expect(psnr(mine, exact), at).toBeGreaterThan(psnr(theirs, exact) - LOSS);
    }
  });
});
