/** Pictures with what photographs have: noise of every scale, soft light, hard edges, small text. Seeded. */
import sharp, { type Sharp } from "sharp";

export interface Picture {
  width: number;
  height: number;
  channels: 3 | 4;
  data: Buffer;
}

function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Returns one octave: noise of `cells` across, blown up to the whole picture. */
async function octave(width: number, height: number, cells: number, next: () => number): Promise<Buffer> {
  const across = Math.max(1, Math.min(width, cells));
  const down = Math.max(1, Math.min(height, Math.round((cells * height) / width)));
  const noise = Buffer.alloc(across * down * 3);
  for (let i = 0; i < noise.length; i++) noise[i] = next() * 256;
  return sharp(noise, { raw: { width: across, height: down, channels: 3 } })
    .resize(width, height, { kernel: "cubic", fit: "fill" })
    .raw()
    .toBuffer();
}

const drawing = (width: number, height: number): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 75"
  preserveAspectRatio="none"><circle cx="26" cy="28" r="15" fill="#d33" stroke="#fff" stroke-width=".6"/>
  <path d="M50 70 70 20 92 66Z" fill="#182c55"/><rect x="8" y="52" width="22" height="14" fill="#f5d90a"/>
  <path d="${Array.from({ length: 20 }, (_, i) => `M${70 + i * 1.3} 4V16`).join("")}" stroke="#111" stroke-width=".3"/>
  <text x="5" y="12" font-size="6" font-family="sans-serif" fill="#fff">Silverprint</text></svg>`);

/** Returns noise of all scales. */
async function clouds(width: number, height: number, seed: number): Promise<Buffer> {
  const next = random(seed);
  const data = Buffer.alloc(width * height * 3);
  const octaves: [cells: number, strength: number][] = [
    [3, 0.5],
    [9, 0.26],
    [40, 0.13],
    [160, 0.07],
    [600, 0.05],
  ];
  const sum = new Float32Array(data.length);
  for (const [cells, strength] of octaves) {
    const layer = await octave(width, height, cells, next);
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (layer[i] as number) * strength;
  }
  for (let i = 0; i < sum.length; i++) data[i] = Math.max(0, Math.min(255, Math.round(sum[i] as number)));
  return data;
}

async function paint(width: number, height: number, seed: number): Promise<Buffer> {
  return sharp(await clouds(width, height, seed), { raw: { width, height, channels: 3 } })
    .composite([{ input: drawing(width, height) }])
    .removeAlpha()
    .raw()
    .toBuffer();
}

/** Pictures that are asked for again and again are painted once per process: the largest that is kept, and how many. */
const KEPT = { bytes: 4_500_000, count: 16 } as const;
const kept = new Map<string, Promise<Buffer>>();

function painted(width: number, height: number, seed: number): Promise<Buffer> {
  if (width * height * 3 > KEPT.bytes) return paint(width, height, seed);
  const key = `${width} ${height} ${seed}`;
  const data = kept.get(key) ?? paint(width, height, seed);
  kept.delete(key);
  kept.set(key, data);
  const [oldest] = kept.keys();
  if (kept.size > KEPT.count && oldest !== undefined) kept.delete(oldest);
  return data;
}

/**
 * Returns a photograph of no thing. The same arguments give the same pixels, in a buffer that the caller may write to.
 */
export async function photo(width: number, height: number, seed = 1): Promise<Picture> {
  return { width, height, channels: 3, data: Buffer.from(await painted(width, height, seed)) };
}

/** Returns the same with a soft hole and a hard one in it. */
export async function cutout(width: number, height: number, seed = 1): Promise<Picture> {
  const opaque = await painted(width, height, seed);
  const data = Buffer.alloc(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) data[i * 4 + c] = opaque[i * 3 + c] as number;
    const x = (i % width) / width;
    const y = Math.floor(i / width) / height;
    const distance = Math.hypot(x - 0.4, y - 0.5);
    const isCut = x > 0.8 && y > 0.5;
    data[i * 4 + 3] = isCut ? 0 : Math.max(0, Math.min(255, Math.round((distance - 0.1) * 1500)));
  }
  return { width, height, channels: 4, data };
}

export const image = ({ data, width, height, channels }: Picture): Sharp =>
  sharp(data, { raw: { width, height, channels } });
