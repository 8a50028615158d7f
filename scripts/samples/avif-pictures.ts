/** Pictures of every kind that an encoder treats apart, opaque, 4 bytes a pixel. Seeded. */
import sharp from "sharp";
import { photo, type Picture } from "./pictures.ts";

export type Kind = "photo" | "flat" | "gradient" | "noise" | "drawing" | "mixed";
export const KINDS: readonly Kind[] = ["photo", "flat", "gradient", "noise", "drawing", "mixed"];

export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
}

export async function pictureOf(kind: Kind, width: number, height: number, seed = 1): Promise<Picture> {
  const next = random(seed);
  if (kind === "photo") return opaque(width, height, (await photo(width, height, seed)).data);
  if (kind === "drawing" || kind === "mixed") return drawing(width, height, next, kind === "mixed");
  const pixel: Record<"flat" | "gradient" | "noise", (x: number, y: number, c: number) => number> = {
    flat: (_x, _y, c) => [120, 90, 200][c]!,
    gradient: (x, y, c) => [(255 * x) / width, (255 * y) / height, 128 + 127 * Math.sin((x + y) / 900)][c]!,
    noise: () => next(256),
  };
  const data = Buffer.alloc(width * height * 3);
  for (let i = 0; i < data.length; i++) {
    const at = Math.floor(i / 3);
    data[i] = pixel[kind](at % width, Math.floor(at / width), i % 3);
  }
  return opaque(width, height, data);
}

function opaque(width: number, height: number, rgb: Buffer): Picture {
  const data = Buffer.alloc(width * height * 4, 255);
  for (let i = 0; i < width * height; i++) rgb.copy(data, i * 4, i * 3, i * 3 + 3);
  return { width, height, channels: 4, data };
}

/** Shapes and text on white; mixed, with a photograph among them. */
async function drawing(
  width: number,
  height: number,
  next: (below: number) => number,
  isMixed: boolean,
): Promise<Picture> {
  const colour = (): string => `rgb(${next(256)},${next(256)},${next(256)})`;
  const shape = (i: number): string => {
    const place = `x="${next(width)}" y="${next(height)}" fill="${colour()}"`;
    return i % 2
      ? `<rect ${place} width="${20 + next(200)}" height="${20 + next(100)}" stroke="#000"/>`
      : `<text ${place} font-size="${10 + next(40)}" font-family="sans-serif">The quick brown fox</text>`;
  };
  const shapes = Array.from({ length: Math.ceil((width * height) / 30_000) }, (_, i) => shape(i));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#fff"/>${shapes.join("")}</svg>`;
  const drawn = sharp(Buffer.from(svg)).removeAlpha();
  if (isMixed) {
    const { data, ...inside } = await photo(width >> 1, height >> 1);
    drawn.composite([{ input: data, raw: inside, left: width >> 2, top: height >> 2 }]);
  }
  return opaque(width, height, await drawn.removeAlpha().raw().toBuffer());
}
