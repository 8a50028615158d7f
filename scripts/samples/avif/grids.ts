/** AVIF grids, made of tiles that jSquash encodes apart. No encoder at hand writes them in every depth and layout. */
import { hash } from "node:crypto";
import { encodeLibaom } from "./libaom.ts";
import type { Picture } from "../pictures.ts";
import { codedPicture, gridPayload, heif, type HeifOptions, type Item, property } from "../probe/avif.ts";

export interface GridOptions {
  tileWidth: number;
  tileHeight: number;
  /** 0 gray, 1 4:2:0, 2 4:2:2, 3 4:4:4. */
  subsample?: 0 | 1 | 2 | 3;
  bitDepth?: 8 | 10 | 12;
  /** jSquash's scale. */
  quality?: number;
  /** The alpha of the picture as a grid beside the colour, or tile by tile. */
  alpha?: "grid" | "tiles";
  /** Properties of the whole picture besides its size. */
  properties?: Uint8Array[];
  heif?: HeifOptions;
  /** Tiles in idat, not in mdat. */
  inIdat?: boolean;
}

/** Tiles by their pixels and settings: many grids differ in nothing but their tables. */
const encodedTiles = new Map<string, Uint8Array>();

/** Encodes a picture of RGBA by jSquash in one piece, to a whole file. */
export function encodeTile(
  rgba: Uint8Array,
  width: number,
  height: number,
  options: GridOptions,
): Uint8Array {
  const { subsample = 1, bitDepth = 8, quality = 90 } = options;
  const settings = { quality, subsample, bitDepth, speed: 9 };
  const key = JSON.stringify([width, height, settings, hash("sha1", rgba)]);
  const known = encodedTiles.get(key);
  if (known) return known;
  const pixels = bitDepth === 8 ? rgba : widened(rgba, bitDepth);
  const tile = encodeLibaom(pixels, width, height, settings);
  encodedTiles.set(key, tile);
  return tile;
}

/** Returns 16 bits per sample, at the scale of the depth, as jSquash takes samples of more than 8 bits. */
function widened(samples: Uint8Array, bitDepth: number): Uint8Array {
  const scale = (2 ** bitDepth - 1) / 255;
  const wide = new Uint16Array(samples.length);
  for (let i = 0; i < samples.length; i++) wide[i] = Math.round(samples[i]! * scale);
  return new Uint8Array(wide.buffer);
}

/** Cuts a tile out of the picture, its edge repeated beyond it; of alpha, as gray. */
function cut(
  picture: Picture,
  left: number,
  top: number,
  options: GridOptions,
  isAlpha: boolean,
): Uint8Array {
  const { tileWidth, tileHeight } = options;
  const tile = new Uint8Array(tileWidth * tileHeight * 4).fill(255);
  for (let y = 0; y < tileHeight; y++) {
    for (let x = 0; x < tileWidth; x++) {
      const column = Math.min(left + x, picture.width - 1);
      const row = Math.min(top + y, picture.height - 1);
      const from = (row * picture.width + column) * picture.channels;
      for (let c = 0; c < 3; c++) {
        tile[(y * tileWidth + x) * 4 + c] = picture.data[from + (isAlpha ? 3 : c)]!;
      }
    }
  }
  return tile;
}

export function gridAvif(picture: Picture, options: GridOptions): Uint8Array {
  const { tileWidth, tileHeight, alpha, inIdat = false } = options;
  const rows = Math.ceil(picture.height / tileHeight);
  const columns = Math.ceil(picture.width / tileWidth);
  const count = rows * columns;
  const places = Array.from({ length: count }, (_, i) => ({
    left: (i % columns) * tileWidth,
    top: Math.floor(i / columns) * tileHeight,
  }));
  const bits = options.bitDepth ?? 8;
  const item = (rgba: Uint8Array, subsample: 0 | 1 | 2 | 3, more: Uint8Array[] = []): Item => {
    const { av1C, data } = codedPicture(encodeTile(rgba, tileWidth, tileHeight, { ...options, subsample }));
    const pixi = property.pixi(...Array<number>(subsample === 0 ? 1 : 3).fill(bits));
    return {
      type: "av01",
      data,
      inIdat,
      properties: [property.ispe(tileWidth, tileHeight), pixi, av1C, ...more],
    };
  };
  const grid = (first: number, properties: Uint8Array[]): Item => ({
    type: "grid",
    data: gridPayload(rows, columns, picture.width, picture.height),
    inIdat: true,
    dimg: Array.from({ length: count }, (_, i) => first + i),
    properties: [property.ispe(picture.width, picture.height), ...properties],
  });
  const colours = places.map(({ left, top }) =>
    item(cut(picture, left, top, options, false), options.subsample ?? 1),
  );
  const items: Item[] = [grid(2, options.properties ?? []), ...colours];
  const alphas = alpha ? places.map(({ left, top }) => cut(picture, left, top, options, true)) : [];
  if (alpha === "grid") {
    items.push({ ...grid(count + 3, [property.alpha()]), auxl: [1] });
    items.push(...alphas.map((tile) => item(tile, 0)));
  } else {
    items.push(...alphas.map((tile, i) => ({ ...item(tile, 0, [property.alpha()]), auxl: [i + 2] })));
  }
  return heif(items, options.heif);
}
