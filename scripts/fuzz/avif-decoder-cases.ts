/** Our AVIF files of every kind of picture, size, quality and effort. */
import { encodeAvifRows } from "../../src/builder/codecs/avif/row-encoder.ts";
import { rowAvifOptions } from "../../src/image/formats/avif/encoder-options.ts";
import { CHANNELS_OF } from "../../src/image/memory/rows.ts";
import { newMemory, type Picture, rowsOf, workspaceIn } from "../harness/png-rows.ts";
import { palettePicture } from "../samples/palette-pictures.ts";
import { bars, strips } from "../samples/stripe-pictures.ts";
import { KINDS, picture } from "../samples/webp-rows-pictures.ts";

export interface AvifCase {
  name: string;
  chroma: "420" | "444";
  file: Buffer;
}

const SIZES = [
  [1, 1],
  [2, 3],
  [7, 65],
  [64, 64],
  [129, 131],
  [200, 150],
  [333, 257],
] as const;
const LARGE = [
  [4000, 4000],
  [8192, 1953],
] as const;
/** Large pictures repeat one of this size. */
const PIECE = 512;

const CASES = [...KINDS, "smooth", "palette", "bars", "strips"].flatMap((kind) =>
  (["rgb", "rgba"] as const).map((layout) => ({ kind, layout })),
);
const SETTINGS = (["quick", "thorough", "drawing"] as const).flatMap((effort) =>
  ([80, 100] as const).map((quality) => ({ effort, quality })),
);

/** Draws slopes and waves without grain, which get blocks of 64 x 64. */
function smooth(width: number, height: number, layout: "rgb" | "rgba"): Picture {
  const channels = CHANNELS_OF[layout];
  const data = Uint8Array.from({ length: width * height * channels }, (_, i) => {
    const [pixel, channel] = [Math.floor(i / channels), i % channels];
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    if (channel === 3) return Math.min(255, 2 * x + y);
    return 128 + 60 * Math.sin(0.01 * (x + channel * 40)) + 50 * Math.cos(0.008 * y);
  });
  return { width, height, layout, data };
}

function source(kind: string, width: number, height: number, layout: "rgb" | "rgba"): Picture {
  if (kind === "smooth") return smooth(width, height, layout);
  if (kind === "palette") return palettePicture(width, height, 7, layout);
  if (kind === "bars") return bars(width, height, true, layout);
  if (kind === "strips") return strips(width, height, 4, false, layout);
  return picture(kind as (typeof KINDS)[number], width, height, layout);
}

function repeated(piece: Picture, width: number, height: number): Picture {
  const channels = CHANNELS_OF[piece.layout];
  const rowBytes = width * channels;
  const data = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const at = (y % piece.height) * piece.width * channels;
    const row = piece.data.subarray(at, at + piece.width * channels);
    for (let x = 0; x < rowBytes; x += row.length) data.set(row.subarray(0, rowBytes - x), y * rowBytes + x);
  }
  return { width, height, layout: piece.layout, data };
}

/** @param kinds of pictures; all without it */
export async function* avifCases(isLarge: boolean, kinds?: readonly string[]): AsyncGenerator<AvifCase> {
  for (const { kind, layout } of CASES) {
    if (kinds?.includes(kind) === false) continue;
    for (const [width, height] of isLarge ? LARGE : SIZES) {
      const shown = isLarge
        ? repeated(source(kind, PIECE, PIECE, layout), width, height)
        : source(kind, width, height, layout);
      // Large pictures take seconds each: one setting of each, in turns.
      const turn =
        CASES.findIndex((one) => one.kind === kind && one.layout === layout) + (width > height ? 1 : 0);
      const settings = isLarge ? [SETTINGS[turn % SETTINGS.length]!] : SETTINGS;
      for (const { effort, quality } of settings) {
        const chroma = quality === 80 && effort !== "drawing" ? "420" : "444";
        const isDrawing = effort === "drawing";
        const options = rowAvifOptions(quality, chroma, isDrawing, effort === "quick" ? "quick" : "thorough");
        const file = Buffer.concat(
          await encodeAvifRows(workspaceIn(newMemory(1024)), rowsOf(shown), options),
        );
        yield { name: `${kind}, ${width} x ${height}, ${layout}, ${effort}, q ${quality}`, chroma, file };
      }
    }
  }
}
