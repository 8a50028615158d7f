/** How the memory of one isolate is shared out among the parts of a build. */
import { ISOLATE, MEGABYTE_BYTES, MULTIPART } from "../../limits.ts";
import { PAGE_BYTES } from "./pages.ts";

/** Resampler, row codec, beside and arena are ISOLATE.buildBytes together. */
export const MEMORY = {
  /** For the widest picture there is: 3.9 MB at 30,000 pixels across. */
  resamplerMaxBytes: 4 * MEGABYTE_BYTES,
  /** The JPEG encoder keeps up to 11 MB of coded blocks and 1 of rows, the one for WebP 9 MB and 3 of other things. */
  rowCodecMaxBytes: 13 * MEGABYTE_BYTES,
  /** What no memory can have taken before: tables, text and output of almost every build fit whatever it was. */
  besideBytes: 10 * MEGABYTE_BYTES,
  arenaMaxBytes: ISOLATE.buildBytes - 27 * MEGABYTE_BYTES,
  /** Tiles of an AVIF above a side of 512 are worth memory only up to here: the rest of the process grows with them. */
  arenaOfLargeTilesBytes: 60 * MEGABYTE_BYTES,
} as const;

/**
 * No canvas that a codec is to encode lies below this in the arena, so that the data and stack of any of them fit
 * under it: the AVIF encoder's heap begins at 6,166,448.
 */
export const CANVAS_FLOOR_BYTES = 6_291_456;

/** What is kept of jSquash's AVIF codecs for one tile after the other: their data as they are when they start. */
export const AVIF_STATE_BYTES = { encoder: 640_000, decoder: 370_000 } as const;

/** Where the frames of an animation begin in the arena: codecs have their data and stack below. */
export const FRAMES_FLOOR_BYTES = 131_072;

/** Codecs differ a little from picture to picture: what they were measured to take is raised by this. */
export const MARGIN = 1.04;

const CANVAS_ALIGNMENT = 16;

/** Bytes of an arena that are left below a canvas of `canvasBytes`. */
export const roomBeside = (canvasBytes: number, arenaMaxBytes: number = MEMORY.arenaMaxBytes): number =>
  Math.floor(arenaMaxBytes / PAGE_BYTES) * PAGE_BYTES -
  Math.ceil(canvasBytes / CANVAS_ALIGNMENT) * CANVAS_ALIGNMENT;

/** What the memories have when they are made: the arena what every module of jSquash demands at least. */
export const INITIAL_MEMORY: MemoryBytes = {
  arena: 260 * PAGE_BYTES,
  resampler: 16 * PAGE_BYTES,
  rowCodec: 16 * PAGE_BYTES,
};

/** Lengths of the WebAssembly memories, which are kept from build to build and never shrink. */
export interface MemoryBytes {
  arena: number;
  resampler: number;
  rowCodec: number;
}

/** The bytes of a build by where they are, each at its most. */
export interface BuildBytes extends MemoryBytes {
  /** Held outside of the memories from beginning to end: tables, text, the platform's streams. */
  buffers: number;
  /** Room for a colour profile and its tables, and for the variant, or a part of it, until it is taken away. */
  colour: number;
  output: number;
}

/** Memories never shrink, and the output is complete at the end: what counts is the sum. */
export const peakOf = ({ arena, resampler, rowCodec, buffers, colour, output }: BuildBytes): number =>
  Math.ceil(arena + resampler + rowCodec + buffers + colour + output);

/** The most that earlier builds may have left an isolate's memories at. */
const GROWN: MemoryBytes = {
  arena: MEMORY.arenaMaxBytes,
  resampler: MEMORY.resamplerMaxBytes,
  rowCodec: MEMORY.rowCodecMaxBytes,
};

/** Whether a build fits an isolate, whatever was built there before. */
export const fitsIsolate = (bytes: BuildBytes): boolean =>
  bytes.arena <= GROWN.arena &&
  bytes.resampler <= GROWN.resampler &&
  bytes.rowCodec <= GROWN.rowCodec &&
  fitsBeside(bytes, GROWN, ISOLATE.buildBytes);

/**
 * Whether a build fits `budgetBytes` where memories have already grown to `grown`. What it does not use of these may
 * hold its variant: they never shrink, and would lie idle. That is copied out of there part by part.
 */
export function fitsBeside(bytes: BuildBytes, grown: MemoryBytes, budgetBytes: number): boolean {
  const memories =
    Math.max(grown.arena, bytes.arena) +
    Math.max(grown.resampler, bytes.resampler) +
    Math.max(grown.rowCodec, bytes.rowCodec);
  const roomBytes = budgetBytes - memories - bytes.buffers - bytes.colour;
  if (bytes.output <= roomBytes) return true;
  const besideParts = roomBytes - MULTIPART.partBytes;
  return besideParts >= 0 && bytes.output <= besideParts + spareBytes(bytes, grown);
}

/** Bytes of `grown` memories that a build does not use. */
const spareBytes = (planned: MemoryBytes, grown: MemoryBytes): number =>
  Math.max(0, grown.arena - planned.arena) + Math.max(0, grown.rowCodec - planned.rowCodec);

/** The most that a build may use of the arena, by what else it takes. */
export function arenaBeside({
  rowCodec,
  buffers,
  colour,
  output,
}: Omit<BuildBytes, "arena" | "resampler">): number {
  const roomBytes = MEMORY.besideBytes - buffers - colour;
  if (output <= roomBytes) return GROWN.arena;
  const inMemories = output - (roomBytes - MULTIPART.partBytes);
  return GROWN.arena - Math.max(0, inMemories - (GROWN.rowCodec - rowCodec));
}
