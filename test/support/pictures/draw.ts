/** Pictures for tests over HTTP, drawn by sharp: photos, drawings, and a measure of how near two of them are. */
import sharp, { type JpegOptions, type Sharp } from "sharp";

/** Draws smooth light and soft edges, as a photo has them. The same arguments give the same pixels. */
export function photo(width: number, height: number): Sharp {
  const shapes = Array.from({ length: 24 }, (_, i) => {
    const x = ((i * 37) % 100) / 100;
    const y = ((i * 53) % 100) / 100;
    const r = 0.03 + ((i * 17) % 13) / 100;
    const fill = `hsl(${i * 47} 60% ${30 + (i % 5) * 10}%)`;
    return `<circle cx="${x * width}" cy="${y * height}" r="${r * width}" fill="${fill}" opacity=".7"/>`;
  }).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>
    <linearGradient id="g" x2="1" y2="1"><stop stop-color="#123a6b"/><stop offset="1" stop-color="#f2c48a"/></linearGradient>
    </defs><rect width="100%" height="100%" fill="url(#g)"/>${shapes}</svg>`;
  return sharp(Buffer.from(svg))
    .removeAlpha()
    .blur(1 + width / 1500);
}

export const photoJpeg = (width: number, height: number, options: JpegOptions = {}): Promise<Buffer> =>
  photo(width, height)
    .jpeg({ quality: 90, ...options })
    .toBuffer();

/** Draws flat colours, hard edges and transparency, as a logo has them. */
export function drawingPng(width: number, height: number): Promise<Buffer> {
  const size = `width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>
    <circle cx="35" cy="50" r="30" fill="#d33"/><rect x="50" y="20" width="40" height="60" fill="#36c" opacity=".6"/>
    <path d="M10 90 L50 10 L90 90" stroke="#111" stroke-width="3" fill="none"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** Returns raw RGBA of a file, decoded by sharp. */
export async function pixels(file: Buffer): Promise<{ data: Buffer; width: number; height: number }> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** Returns the peak signal-to-noise ratio in dB over all channels; Infinity for equal pixels. */
export function psnr(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) throw new Error(`${a.length} samples against ${b.length}`);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return sum === 0 ? Infinity : 10 * Math.log10((255 * 255 * a.length) / sum);
}
