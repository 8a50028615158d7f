/**
 * Encodes an AVIF that does not fit memory in one piece: the canvas is encoded tile by tile, and the tiles are
 * stitched to one frame. They do not become an ISOBMFF grid, because Firefox rejects grids, and Chromium draws
 * nothing at odd sizes.
 */
import type { EncoderOptions } from "../../../image/model/encoder-options.ts";
import type { Tiling } from "../../../image/formats/avif/tiling.ts";
import { readItems } from "../../../image/formats/avif/items.ts";
import { boxesIn, firstBox } from "../../../image/formats/avif/isobmff.ts";
import type { Arena } from "../../memory/arena.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import { box, u16 } from "./boxes.ts";
import { type Plane, stillHead } from "./still-writer.ts";
import { type Keep, type Stitched, Stitcher } from "./stitch.ts";
import { copyTile, isTransparent, type TileCopy } from "./tile-pixels.ts";
import type { Size } from "../../../image/model/size.ts";
import { CodecError } from "../../emscripten/errors.ts";

const RGBA_BYTES = 4;

export interface TilesOptions {
  size: Size;
  /** The pixel layout of the canvas. */
  layout: RowSource["layout"];
  /** The encoder's options for tiles of colour, and for those of alpha. */
  settings: Record<TileCopy["plane"], EncoderOptions>;
  tiling: Tiling;
  /** Returns a copy of an encoded tile, because the codec reuses its memory. */
  keep: Keep;
  work: WorkMeter;
}

/** Content of `colr`: sRGB in full range, with the BT.601 matrix that jSquash uses (ITU-T H.273). */
const NCLX = Uint8Array.from(box("nclx", u16(1), u16(13), u16(6), 0x80).slice(4));

/** The MIAF profiles of AVIF (AV1 Image File Format section 8), with their AV1 profile and highest level. */
const BASELINE = { brand: "MA1B", profile: 0, level: 13 };
const ADVANCED = { brand: "MA1A", profile: 1, level: 16 };

/**
 * Encodes the arena's canvas as a file, in pieces.
 * @throws CodecError when a tile does not fit the arena
 * @throws Av1Error when the tiles cannot be one frame
 */
export async function encodeTiles(arena: Arena, options: TilesOptions): Promise<Uint8Array<ArrayBuffer>[]> {
  const { size, layout } = options;
  const colour = await plane(arena, options, "colour");
  const hasAlpha = isTransparent(arena.bytes(arena.canvasSpan), layout);
  const alpha = hasAlpha ? await plane(arena, options, "alpha") : null;
  const { profile, level } = colour.stitched;
  const head = stillHead({
    ...size,
    colour: colour.plane,
    alpha: alpha?.plane ?? null,
    nclx: NCLX,
    premultiplied: false,
    brands: [BASELINE, ADVANCED]
      .filter((miaf) => profile <= miaf.profile && level <= miaf.level)
      .map(({ brand }) => brand),
  });
  return [head, ...colour.stitched.pieces, ...(alpha?.stitched.pieces ?? [])];
}

async function plane(
  arena: Arena,
  { size, layout, settings, tiling, keep, work }: TilesOptions,
  kind: TileCopy["plane"],
): Promise<{ stitched: Stitched; plane: Plane }> {
  const stitcher = new Stitcher(tiling, keep);
  let configuration = new Uint8Array(0);
  let top = 0;
  for (const height of tiling.rows) {
    let left = 0;
    for (const width of tiling.columns) {
      const codec = arena.start("avif-encoder");
      const pixels = codec.malloc(width * height * RGBA_BYTES);
      const tile = { left, top, width, height, plane: kind };
      copyTile(arena.bytes(arena.canvasSpan), layout, size.width, tile, codec.bytes(pixels));
      const file = codec.bytes(codec.call("encode", pixels, width, height, codec.options(settings[kind])));
      const coded = codedPicture(file);
      ({ configuration } = coded);
      stitcher.add(coded.data);
      await work.yield();
      left += width;
    }
    top += height;
  }
  const stitched = stitcher.finish();
  const channels = kind === "alpha" ? [8] : [8, 8, 8];
  return {
    stitched,
    plane: {
      configuration: withLevel(configuration, stitched),
      channels,
      dataBytes: stitched.byteLength,
    },
  };
}

/** The data and the `av1C` of the only picture in a file by jSquash. */
function codedPicture(file: Uint8Array): { data: Uint8Array; configuration: Uint8Array<ArrayBuffer> } {
  const meta = firstBox(boxesIn(file, "file"), "meta");
  const items = meta && readItems(meta);
  const id = items?.primary ?? -1;
  const extent = items?.extents.get(id)?.[0];
  const configuration = items?.properties.get(id)?.configuration;
  if (!extent?.length || !configuration)
    throw new CodecError("The encoder returned a file without a picture");
  return {
    data: file.subarray(extent.offset, extent.offset + extent.length),
    configuration: Uint8Array.from(configuration),
  };
}

/** av1C (AV1-ISOBMFF section 2.3.3) with the profile and level of the whole picture, and without units in it. */
function withLevel(configuration: Uint8Array, { profile, level }: Stitched): Uint8Array {
  const [marker = 0, , flags = 0] = configuration;
  // The tier, the top bit of the flags, is 0 as in the sequence header.
  return Uint8Array.of(marker, (profile << 5) | level, flags & 0x7f, 0);
}
