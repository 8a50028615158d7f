/** Encodes AVIF in rows, by the AV1 encoder of assembly/. It holds one row of superblocks, but not the picture. */
import { FRAME, SEQUENCE_HEADER } from "../../../image/formats/avif/av1/obus.ts";
import { CHANNELS_OF, rowsPerBatch } from "../../../image/memory/rows.ts";
import type { RowAvifOptions } from "../../../image/formats/avif/encoder-options.ts";
import { wholePages } from "../../../image/memory/pages.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { type Embedded, NOTHING_EMBEDDED } from "../../metadata/embedded.ts";
import { RowShortageError } from "../../scheduling/row-errors.ts";
import type { RowWorkspace } from "../../scheduling/row-workspace.ts";
import { frameHeader, sequenceHeader, type StillFrame } from "./av1-headers.ts";
import { alphaSettings, frameSettings } from "./frame-settings.ts";
import { obuHead } from "./av1-obu.ts";
import { tileGroup } from "./av1-tiles.ts";
import { box, u16 } from "./boxes.ts";
import { metadataOf, type Plane, stillHead } from "./still-writer.ts";
import { type Frame, FrameEncoder, type Keep } from "./frame-encoder.ts";

type Bytes = Uint8Array<ArrayBuffer>;
/** The data of each tile of a frame, in pieces. */
type Tiles = readonly (readonly Bytes[])[];

/** Work units per sample of luma by effort and in drawings, and per sample of alpha. */
const WORK_PER_SAMPLE = { thorough: 330, quick: 100, drawing: 600, alpha: 90 };
const SUPERBLOCK_SAMPLES = 64 * 64;
/** Content of `colr`: sRGB or Display P3 in full range, with the matrix of BT.601 (ITU-T H.273). */
const NCLX = { srgb: nclx(1), p3: nclx(12) };

function nclx(primaries: number): Uint8Array {
  return Uint8Array.from(box("nclx", u16(primaries), u16(13), u16(6), 0x80).slice(4));
}

/**
 * Encodes rows as an AVIF file, in pieces, with the metadata in `embedded`; a profile becomes code points. Gray layouts have no chroma. Alpha that is opaque throughout
 * is left out.
 *
 * @throws RowMemoryError when the memory is too small
 * @throws RowShortageError when the source ends early
 * @throws RangeError for CMYK, and for a picture that is too large for AV1
 */
export async function encodeAvifRows(
  workspace: RowWorkspace,
  source: RowSource,
  options: RowAvifOptions,
  keep: Keep = (bytes) => Uint8Array.from(bytes),
  { exif, xmp, profile }: Embedded = NOTHING_EMBEDDED,
): Promise<Bytes[]> {
  const { width, height, layout } = source;
  if (layout === "cmyk") throw new RangeError("CMYK must be converted before it is encoded");
  const chroma = layout === "gray" || layout === "gray-alpha" ? "none" : options.chroma;
  const hasAlpha = layout === "rgba" || layout === "gray-alpha";
  const { isDrawing = false, effort = "thorough", tilesLog2 } = options;
  const frames: Record<"colour", Frame> & Record<"alpha", Frame | null> = {
    colour: {
      ...{ width, height, tilesLog2, chroma, isDrawing, effort },
      ...frameSettings(options.baseIndex, chroma),
      ...(options.isFiltered === false ? { deblocking: 0 } : {}),
    },
    // The edges of shapes are like those of a drawing, with any colours inside.
    alpha: hasAlpha
      ? { width, height, tilesLog2, chroma: "none", isDrawing: true, ...alphaSettings(options.alphaIndex) }
      : null,
  };
  const coded = await encodeFrames(workspace, source, frames, keep);
  const colour = codedPicture(frames.colour, coded.colour);
  const alpha = frames.alpha && coded.alpha && codedPicture(frames.alpha, coded.alpha);
  const head = stillHead({
    width,
    height,
    colour: colour.plane,
    alpha: alpha?.plane ?? null,
    nclx: NCLX[profile ? "p3" : "srgb"],
    metadata: { exif, xmp },
    premultiplied: false,
    brands: [profileOf(colour.plane.configuration)],
  });
  return [head, ...colour.pieces, ...(alpha?.pieces ?? []), ...metadataOf({ exif, xmp })];
}

const bytesOf = (pieces: readonly Bytes[]): number => pieces.reduce((sum, { length }) => sum + length, 0);

/** Returns the units of a picture, and the boxes of the file about it. */
function codedPicture(frame: Frame, tiles: Tiles): { plane: Plane; pieces: Bytes[] } {
  const header = frameHeader(frame);
  const sequence = sequenceHeader(frame);
  const { head, sizes } = tileGroup(tiles.map(bytesOf));
  const group = [Uint8Array.from(head), ...tiles.flatMap((tile, i) => [Uint8Array.from(sizes[i]!), ...tile])];
  const pieces = [
    Uint8Array.from(obuHead(SEQUENCE_HEADER, sequence.length)),
    sequence,
    Uint8Array.from(obuHead(FRAME, header.length + bytesOf(group))),
    header,
    ...group,
  ];
  const plane = {
    configuration: configurationOf(sequence, frame.chroma),
    channels: frame.chroma === "none" ? [8] : [8, 8, 8],
    dataBytes: bytesOf(pieces),
  };
  return { plane, pieces };
}

/**
 * Returns the MIAF profile of AVIF (AV1 Image File Format section 8): Baseline has the main profile, up to level 5.1.
 */
const profileOf = ([, profileAndLevel = 0]: Uint8Array): string => (profileAndLevel <= 13 ? "MA1B" : "MA1A");

/** Returns the content of `av1C` (AV1-ISOBMFF section 2.3.3), without units in it. */
function configurationOf(sequence: Bytes, chroma: StillFrame["chroma"]): Bytes {
  const [first = 0, second = 0] = sequence;
  const level = ((first & 7) << 2) | (second >> 6);
  const flags = { "420": 0b0000_1100, "444": 0, none: 0b0001_1100 }[chroma];
  return Uint8Array.of(0x81, (first & 0xe0) | level, flags, 0);
}

/** Returns the colour, and the alpha unless the picture is opaque. */
async function encodeFrames(
  { memory, work, counted }: RowWorkspace,
  source: RowSource,
  frames: { colour: Frame; alpha: Frame | null },
  keep: Keep,
): Promise<{ colour: Tiles; alpha: Tiles | null }> {
  const { width, height, layout } = source;
  const rowBytes = width * CHANNELS_OF[layout];
  const stagedRows = rowsPerBatch(rowBytes, height);
  const colour = new FrameEncoder(memory, frames.colour, layout, stagedRows, keep);
  const alpha = frames.alpha && colour.besideForAlpha(frames.alpha);
  counted?.(wholePages((alpha?.encoder ?? colour).usedBytes));
  const { isDrawing, effort = "thorough" } = frames.colour;
  const perSample = WORK_PER_SAMPLE[isDrawing ? "drawing" : effort];
  const encode = async (): Promise<void> => {
    if (alpha) {
      alpha.exchange();
      while (alpha.encoder.encode()) await work.spend(WORK_PER_SAMPLE.alpha * SUPERBLOCK_SAMPLES);
      alpha.exchange();
    }
    while (colour.encode()) await work.spend(perSample * SUPERBLOCK_SAMPLES);
  };
  const push = (done: number, count: number): number => {
    alpha?.encoder.push(done, count);
    return colour.push(done, count);
  };
  for (let row = 0; row < height;) {
    const rows = await source.next();
    if (!rows) throw new RowShortageError("The picture to be encoded ended before its last row");
    row += rows.length / rowBytes;
    for (let at = 0; at < rows.length; at += stagedRows * rowBytes) {
      const part = rows.subarray(at, at + stagedRows * rowBytes);
      const count = part.length / rowBytes;
      colour.stage(part);
      for (let done = push(0, count); done < count; done = push(done, count)) await encode();
    }
  }
  await encode();
  return { colour: colour.tiles, alpha: alpha && !alpha.isOpaque() ? alpha.encoder.tiles : null };
}
