/** Random pictures with alpha or without, ways to encode them as lossless WebP or with alpha, and ways to damage files. */
import { libwebpOptions } from "../../../src/image/formats/webp/encoder-options.ts";
import type { Arena } from "../../../src/builder/memory/arena.ts";
import type { Picture } from "../../samples/pictures.ts";

export type Random = (limit: number) => number;

const SIDE_MAX_PIXELS = 300;
const TRANSPARENT = 0;
/** Signature, size, flag of alpha and version. */
const VP8L_HEAD_BYTES = 5;
const KINDS = ["palette", "squares", "noise", "slope", "waves", "repeated", "tiles"] as const;
const ALPHAS = ["opaque", "binary", "few", "slope", "noise", "hole"] as const;

type Sample = (x: number, y: number) => number;

/** Returns the colour (r, g, b) at each place, by the kind of picture. */
function colourOf(random: Random, width: number): Sample {
  const kind = KINDS[random(KINDS.length)]!;
  const salt = random(1 << 24);
  const hash = (a: number, b: number): number => {
    let mixed = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + salt, 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
    return (mixed ^ (mixed >>> 13)) >>> 0;
  };
  const colours = [1, 2, 3, 4, 5, 15, 16, 17, 100, 255, 256, 257][random(12)]!;
  const colour = (index: number): number => hash(index % colours, 3) & 0xffffff;
  const size = 1 + random(24);
  const depth = random(256);
  switch (kind) {
    case "palette":
      return (x, y) => colour(hash(x, y));
    case "squares":
      return (x, y) => colour(hash(Math.floor(x / size), Math.floor(y / size)));
    case "noise":
      return (x, y) => hash(x, y) & (depth * 0x010101);
    case "slope":
      return (x, y) => ((x * 2) & 255) | ((y & 255) << 8) | (((x + y) & 255) << 16);
    case "waves": {
      const wave = (at: number, by: number): number => 128 + 100 * Math.sin(at / by);
      return (x, y) =>
        (wave(x + y, size + 3) & 255) | ((wave(x - y, 20) & 255) << 8) | (hash(x, y) & (depth << 16));
    }
    case "repeated":
      return (x, y) => hash(x % (2 * size), y % (size + 3)) & 0xffffff;
    case "tiles":
      // Statistics that change from tile to tile make many groups of codes.
      return (x, y) => {
        const tile = hash(x >> 4, y >> 4);
        return (tile + (hash(x, y + width) & (((1 << (tile & 7)) - 1) * 0x010101))) & 0xffffff;
      };
  }
}

function alphaOf(random: Random, { width, height }: { width: number; height: number }): Sample {
  const kind = ALPHAS[random(ALPHAS.length)]!;
  const few = 2 + random(20);
  const size = 1 + random(30);
  switch (kind) {
    case "opaque":
      return () => 255;
    case "binary":
      return (x, y) => ((Math.floor(x / size) + Math.floor(y / size)) % 2 ? 255 : TRANSPARENT);
    case "few":
      return (x, y) => ((Math.imul(x, y) >> 3) % few) * Math.floor(255 / few);
    case "slope":
      return (x, y) => (255 * (x + y)) / (width + height);
    case "noise":
      return () => random(256);
    case "hole":
      return (x, y) => Math.max(0, Math.min(255, 8 * Math.hypot(x - width / 2, y - height / 2) - 90));
  }
}

/** Returns a picture of up to 300 x 300 pixels, RGBA. */
export function randomPicture(random: Random): Picture {
  const side = (): number => 1 + random(random(3) ? SIDE_MAX_PIXELS : 20);
  const size = { width: side(), height: side() };
  const { width, height } = size;
  const colour = colourOf(random, width);
  const alpha = alphaOf(random, size);
  const data = Buffer.alloc(4 * width * height);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    data.writeUInt32LE(colour(x, y) >>> 0, 4 * i);
    data[4 * i + 3] = alpha(x, y);
  }
  return { ...size, channels: 4, data };
}

/** Settings of libwebp's encoder, by the names of its fields. */
export type Settings = Record<string, number>;

export function randomSettings(random: Random): Settings {
  const isLossless = random(3) > 0;
  return {
    ...libwebpOptions(80),
    lossless: isLossless ? 1 : 0,
    quality: random(101),
    method: random(7),
    exact: random(2),
    near_lossless: random(3) ? 100 : 20 * random(6),
    alpha_compression: random(3) ? 1 : 0,
    alpha_filtering: random(3),
    alpha_quality: random(2) ? 100 : random(101),
    image_hint: random(4),
  };
}

/** Returns random flags for `cwebp`. */
export function randomFlags(random: Random): string[] {
  const filters = ["none", "fast", "best"];
  const lossless = random(4) ? ["-z", `${random(10)}`] : ["-lossless", "-q", `${random(101)}`];
  const near = random(3) ? [] : ["-near_lossless", `${20 * random(6)}`];
  const lossy = ["-q", `${random(101)}`, "-m", `${random(7)}`];
  const alpha = [
    ...["-alpha_method", `${random(2)}`, "-alpha_filter", filters[random(3)]!],
    ...["-alpha_q", `${random(2) ? 100 : random(101)}`],
  ];
  const exact = random(2) ? ["-exact"] : [];
  return [...(random(3) ? [...lossless, ...near] : [...lossy, ...alpha]), ...exact];
}

/** Encodes a picture by jSquash's libwebp. */
export function encoded(arena: Arena, { data, width, height }: Picture, settings: Settings): Buffer {
  arena.reset();
  arena.bytes(arena.canvas(data.length)).set(data);
  const codec = arena.start("webp-encoder");
  const span = codec.call("encode", arena.canvasSpan, width, height, codec.options(settings));
  return Buffer.from(codec.bytes(span));
}

/** Returns the offset of the content of a chunk; null if the file has none. */
function contentOf(file: Buffer, type: string): number | null {
  for (let at = 12; at + 8 <= file.length;) {
    if (file.toString("latin1", at, at + 4) === type) return at + 8;
    const size = file.readUInt32LE(at + 4);
    at += 8 + size + (size & 1);
  }
  return null;
}

/**
 * Changes some bits or bytes of the lossless picture or of the alpha in a file, or removes some. The headers of the
 * container stay as they are.
 */
export function damaged(file: Buffer, random: Random): Buffer {
  const alpha = contentOf(file, "ALPH");
  const picture = contentOf(file, "VP8L");
  // A lossy picture without alpha is not for this run.
  if (alpha === null && picture === null) return file;
  const from = alpha ?? (picture as number) + VP8L_HEAD_BYTES;
  const length = alpha === null ? file.length - from : file.readUInt32LE(alpha - 4);
  if (length < 1) return file;
  const result = Buffer.from(file);
  for (let left = 1 + random(4); left > 0; left--) {
    const at = from + random(random(2) ? length : Math.min(length, 40));
    const kind = random(10);
    if (kind === 9) result.copyWithin(at, at + 1 + random(4), from + length);
    else if (kind === 8) result.fill(255 * random(2), at, Math.min(from + length, at + 1 + random(30)));
    else if (kind > 4) result[at]! ^= 1 << random(8);
    else result[at] = random(256);
  }
  return result;
}
