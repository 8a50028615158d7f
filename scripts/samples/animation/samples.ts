/** Small animations with what real ones have: things that move, over a ground that stands still. */
import sharp, { type Sharp } from "sharp";

export interface Sample {
  gif: Buffer;
  webp: Buffer;
}

const W = 160;
const H = 120;

const shapes = (i: number): string =>
  `<circle cx="${20 + i * 12}" cy="50" r="16" fill="#d33" stroke="#111" stroke-width="2"/>
   <rect x="${110 - i * 6}" y="80" width="30" height="24" rx="5" fill="#26a"/>`;
const grounds = {
  graphic: '<rect width="160" height="120" fill="#3b7"/><rect y="95" width="160" height="25" fill="#852"/>',
  sticker: "",
};

/** @param frames of 160 x 120 each, shown 0, 10, 20, 50 ... ms */
export async function sample(kind: keyof typeof grounds, frames = 6): Promise<Sample> {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, i) =>
      sharp(
        Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}">${grounds[kind]}${shapes(i)}</svg>`,
        ),
      )
        .ensureAlpha()
        .raw()
        .toBuffer(),
    ),
  );
  const raw = { width: W, height: H * frames, channels: 4 as const, pageHeight: H };
  const image = (): Sharp => sharp(Buffer.concat(pages), { raw });
  const delay = Array.from({ length: frames }, (_, i) => [0, 10, 20, 50, 100, 2000][i % 6] ?? 0);
  const [gif, webp] = await Promise.all([
    image().gif({ delay, loop: 3 }).toBuffer(),
    image()
      .webp({ delay: delay.map((ms) => ms + 23), loop: 3, quality: 90 })
      .toBuffer(),
  ]);
  return { gif, webp };
}
