/** The division of the memory of one isolate among the parts of a build. */
import { ISOLATE, MEGABYTE_BYTES, MULTIPART } from "../../limits.ts";
import { PAGE_BYTES } from "./pages.ts";

/** Limits of what a build has beside the arena. */
const BESIDE_ARENA = {
  /** Enough for the widest picture: 3.9 MB at 30,000 pixels. */
  resamplerMaxBytes: 4 * MEGABYTE_BYTES,
  /** The JPEG encoder holds up to 11 MB of coded blocks and 1 MB of rows, the WebP encoder 8 MB and 3 MB. */
  rowCodecMaxBytes: 13 * MEGABYTE_BYTES,
  /**
   * Reserved for what lies outside the WebAssembly memories: tables, text and output of almost every build. The largest
   * file that is held whole takes 9.6 MB of it: a WebP of 32 megapixels at q 100. Because the memories can never grow
   * into it, these fit whatever the isolate built before.
   */
  besideBytes: 10 * MEGABYTE_BYTES,
} as const;

/** Limits of each part, which add up to ISOLATE.buildBytes. The arena has what the others leave. */
export const MEMORY = {
  ...BESIDE_ARENA,
  arenaMaxBytes: Object.values(BESIDE_ARENA).reduce((left, bytes) => left - bytes, ISOLATE.buildBytes),
} as const;

/**
 * The lowest address in the arena of a canvas that a codec of jSquash encodes. The data and stack of each codec fit
 * below it: the AVIF decoder's heap begins at 5,867,488.
 */
export const CANVAS_FLOOR_BYTES = 6_291_456;

/** Size of the saved initial state of jSquash's AVIF decoder, which is restored before each tile of a grid. */
export const AVIF_STATE_BYTES = 370_000;

/** The address in the arena where the frames of an animation begin. Codecs have their data and stack below it. */
export const FRAMES_FLOOR_BYTES = 131_072;

/** Factor on the measured memory of a codec, which differs a little from picture to picture. */
export const MARGIN = 1.04;

const CANVAS_ALIGNMENT = 16;

/** Returns the bytes of an arena that a canvas of `canvasBytes` leaves free. */
export const roomBeside = (canvasBytes: number, arenaMaxBytes: number = MEMORY.arenaMaxBytes): number =>
  Math.floor(arenaMaxBytes / PAGE_BYTES) * PAGE_BYTES -
  Math.ceil(canvasBytes / CANVAS_ALIGNMENT) * CANVAS_ALIGNMENT;

/** Initial lengths of the memories. The arena has the minimum that every module of jSquash demands. */
export const INITIAL_MEMORY: MemoryBytes = {
  arena: 260 * PAGE_BYTES,
  resampler: 16 * PAGE_BYTES,
  rowCodec: 16 * PAGE_BYTES,
};

/** Lengths of the WebAssembly memories in bytes. The memories are kept from build to build and never shrink. */
export interface MemoryBytes {
  arena: number;
  resampler: number;
  rowCodec: number;
}

/** The largest number of bytes that a build has in each place. */
export interface BuildBytes extends MemoryBytes {
  /** Held outside the memories during the whole build: tables, text, the platform's streams. */
  buffers: number;
  /** A colour profile and its tables. */
  colour: number;
  /** The variant, or a part of it, until it is sent. */
  output: number;
}

/**
 * Returns the peak of a build: the sum of all places, because memories never shrink and the output is complete at the
 * end.
 */
export const peakOf = ({ arena, resampler, rowCodec, buffers, colour, output }: BuildBytes): number =>
  Math.ceil(arena + resampler + rowCodec + buffers + colour + output);

/** The largest lengths that the memories of an isolate may have after earlier builds. */
const GROWN: MemoryBytes = {
  arena: MEMORY.arenaMaxBytes,
  resampler: MEMORY.resamplerMaxBytes,
  rowCodec: MEMORY.rowCodecMaxBytes,
};

/** Returns whether a build fits an isolate, whatever the isolate built before. */
export const fitsIsolate = (bytes: BuildBytes): boolean =>
  bytes.arena <= GROWN.arena &&
  bytes.resampler <= GROWN.resampler &&
  bytes.rowCodec <= GROWN.rowCodec &&
  fitsBeside(bytes, GROWN, ISOLATE.buildBytes);

/**
 * Returns whether a build fits `budgetBytes` in an isolate whose memories have already grown to `grown`. The part of
 * the memories that the build does not use may hold its variant, which is then copied out part by part.
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

/** Returns the bytes of the grown memories that a build does not use. */
const spareBytes = (planned: MemoryBytes, grown: MemoryBytes): number =>
  Math.max(0, grown.arena - planned.arena) + Math.max(0, grown.rowCodec - planned.rowCodec);

/** Returns the largest arena that a build may use, given what else it takes. */
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
