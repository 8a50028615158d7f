/** Masters of every kind, kept in .bench/: photographs, and a drawing in the formats that are used for drawings. */
import sharp, { type Sharp } from "sharp";
import { sanitizeSvg } from "../../../src/image/formats/svg/safe/sanitize.ts";
import { gridAvif } from "../../samples/avif/grids.ts";
import { random } from "../../samples/avif-pictures.ts";
import { cached, drawPhoto, photoMaster, SIZES, type Megapixels } from "./photographs.ts";

export interface MasterKind {
  /** The name that flags and snapshots have for it. */
  name: string;
  label: string;
  megapixels: readonly Megapixels[];
  make(megapixels: Megapixels): Promise<Buffer>;
}

const PHOTO_WEBP = { quality: 86, effort: 0 };
const PHOTO_AVIF = { quality: 60, effort: 0, chromaSubsampling: "4:2:0" };
/** The size of tiles that phones write. libheif reads at most 256 items, which limits a grid to 48 megapixels. */
const GRID_TILE = 512;
const GRID_QUALITY = 60;
const SHAPES = 240;

/** Shapes on a transparent ground. Some of them are translucent. */
function drawing(width: number, height: number): Buffer {
  const next = random(7);
  const shape = (i: number): string => {
    const fill = `fill="rgb(${next(256)},${next(256)},${next(256)})" opacity="${i % 3 ? 1 : 0.6}"`;
    const [x, y, size] = [next(4000), next(3000), 40 + next(360)];
    if (i % 4 === 0) return `<circle cx="${x}" cy="${y}" r="${size}" ${fill}/>`;
    if (i % 4 === 1) return `<rect x="${x}" y="${y}" width="${size * 2}" height="${size}" ${fill}/>`;
    const curve = `M${x} ${y}q${size} ${-size} ${size * 2} 0t${size} ${size}l${-size} ${size}z`;
    return i % 4 === 2
      ? `<path d="${curve}" ${fill}/>`
      : `<path d="${curve}" fill="none" stroke="url(#g)" stroke-width="${4 + next(20)}"/>`;
  };
  const shapes = Array.from({ length: SHAPES }, (_, i) => shape(i)).join("");
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 4000 3000">
    <linearGradient id="g" x2="1" y2="1"><stop stop-color="#06c"/><stop offset="1" stop-color="#f60"/></linearGradient>
    ${shapes}</svg>`);
}

const drawn = (megapixels: Megapixels): Sharp => {
  const [width, height] = SIZES[megapixels];
  return sharp(drawing(width, height), { unlimited: true, limitInputPixels: false });
};

const photoOf = (megapixels: Megapixels): Promise<Sharp> => {
  const [width, height] = SIZES[megapixels];
  return drawPhoto(width, height);
};

/** Returns a photograph, encoded once and kept on disk. */
const photograph =
  (name: string, encode: (picture: Sharp) => Sharp) =>
  (megapixels: Megapixels): Promise<Buffer> =>
    cached(`photo-${megapixels}.${name}`, async () => encode(await photoOf(megapixels)).toBuffer());

const drawingIn =
  (name: string, encode: (picture: Sharp) => Sharp) =>
  (megapixels: Megapixels): Promise<Buffer> =>
    cached(`shapes-${megapixels}.${name}`, () => encode(drawn(megapixels)).toBuffer());

function grid(megapixels: Megapixels): Promise<Buffer> {
  const [width, height] = SIZES[megapixels];
  return cached(`photo-${megapixels}.grid.avif`, async () => {
    const data = await (await drawPhoto(width, height)).raw().toBuffer();
    const options = { tileWidth: GRID_TILE, tileHeight: GRID_TILE, quality: GRID_QUALITY };
    const file = gridAvif({ width, height, channels: 3, data }, options);
    return Buffer.from(file);
  });
}

/** Returns the drawing as the service stores it, rewritten by the sanitizer. */
function vector(megapixels: Megapixels): Promise<Buffer> {
  const [width, height] = SIZES[megapixels];
  const { document } = sanitizeSvg(drawing(width, height));
  return Promise.resolve(Buffer.from(document));
}

const ALL = [2, 12, 24, 48, 80] as const;

export const MASTERS: readonly MasterKind[] = [
  { name: "jpeg", label: "JPEG", megapixels: ALL, make: (mp) => photoMaster("jpeg", mp) },
  {
    name: "progressive",
    label: "JPEG, progressive",
    megapixels: ALL,
    make: (mp) => photoMaster("progressive", mp),
  },
  {
    name: "turned",
    label: "JPEG, on its side",
    megapixels: [12, 48, 80],
    make: photograph("turned.jpeg", (picture) =>
      picture.rotate(270).withMetadata({ orientation: 6 }).jpeg({ quality: 86 }),
    ),
  },
  // Larger photographs exceed the 40 MB of a master.
  { name: "png", label: "PNG, photograph", megapixels: [2, 12], make: (mp) => photoMaster("png", mp) },
  {
    name: "png-alpha",
    label: "PNG, drawing with alpha",
    megapixels: [12, 48, 80],
    make: drawingIn("png", (picture) => picture.png({ compressionLevel: 6 })),
  },
  {
    name: "interlaced",
    label: "PNG, interlaced, with alpha",
    megapixels: [12, 80],
    make: drawingIn("interlaced.png", (picture) => picture.png({ compressionLevel: 6, progressive: true })),
  },
  {
    name: "webp",
    label: "WebP",
    megapixels: ALL,
    make: photograph("webp", (picture) => picture.webp(PHOTO_WEBP)),
  },
  {
    name: "webp-lossless",
    label: "WebP, lossless, with alpha",
    megapixels: [2, 8, 12, 80],
    make: drawingIn("webp", (picture) => picture.webp({ lossless: true, effort: 0 })),
  },
  {
    name: "avif",
    label: "AVIF",
    megapixels: [2, 4, 12, 80],
    make: photograph("avif", (picture) => picture.avif(PHOTO_AVIF)),
  },
  { name: "avif-grid", label: "AVIF, grid of tiles", megapixels: [12, 48], make: grid },
  {
    name: "gif",
    label: "GIF, still",
    megapixels: [2, 12, 48, 80],
    make: drawingIn("gif", (picture) =>
      picture.flatten({ background: "#fff" }).gif({ effort: 1, dither: 0 }),
    ),
  },
  // A drawing has no size in pixels: only the size of the variant matters.
  { name: "svg", label: "SVG", megapixels: [48], make: vector },
];
