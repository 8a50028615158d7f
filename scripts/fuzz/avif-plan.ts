/** Random AV1 data as an AVIF file, which the builder's decoder must decode within the memory that was planned for it. */
import { decodeAvif } from "../../src/builder/codecs/avif/decode.ts";
import { Av1DecodeError } from "../../src/builder/codecs/avif/decoder/errors.ts";
import { BuildMemory } from "../../src/builder/memory/build-memory.ts";
import { InvalidImageError } from "../../src/image/bytes/errors.ts";
import { avifStillBytes } from "../../src/image/formats/avif/row-decoder-memory.ts";
import { MEMORY } from "../../src/image/memory/isolate.ts";
import type { AvifFacts } from "../../src/image/model/facts.ts";
import { contextOf } from "../harness/builds.ts";
import { collectRows } from "../harness/png-rows.ts";
import { probe } from "../harness/probe-run.ts";
import type { PlanarPicture } from "../samples/planar-pictures.ts";
import { heif, property } from "../samples/probe/avif.ts";

const [HIGH, TWELVE, GRAY, HALF_WIDE, HALF_HIGH] = [64, 32, 16, 8, 4];
/** The bits of `av1C` that state the layout of chroma. */
const LAYOUT_BITS: Record<PlanarPicture["chroma"], number> = {
  "400": GRAY | HALF_WIDE | HALF_HIGH,
  "420": HALF_WIDE | HALF_HIGH,
  "422": HALF_WIDE,
  "444": 0,
};

/** Returns an AVIF file of the data of one picture. */
export function avifOf(
  data: Uint8Array,
  { width, height, bitDepth, chroma }: Omit<PlanarPicture, "planes">,
): Uint8Array {
  const depth = (bitDepth > 8 ? HIGH : 0) | (bitDepth === 12 ? TWELVE : 0);
  const av1C = property.av1C(depth | LAYOUT_BITS[chroma]);
  const pixi = property.pixi(...Array<number>(chroma === "400" ? 1 : 3).fill(bitDepth));
  const properties = [property.ispe(width, height), av1C, pixi];
  return heif([{ type: "av01", properties, data }]);
}

/** Decodes a file. @returns the memory that it took, or null where the file is refused by name */
export async function peakOf(file: Uint8Array, facts: AvifFacts): Promise<number | null> {
  const memory = new BuildMemory();
  try {
    await collectRows(await decodeAvif(contextOf(file, { facts, memory }), facts, 0));
    return memory.arena.takePeak();
  } catch (error) {
    if (error instanceof Av1DecodeError || error instanceof InvalidImageError) return null;
    throw error;
  }
}

/** Checks that a picture's file takes what was planned. @throws Error when it took more, or was refused */
export async function checkPlan(data: Uint8Array, picture: PlanarPicture): Promise<void> {
  const file = avifOf(data, picture);
  const facts = probe(file) as AvifFacts;
  const [planned, taken] = [avifStillBytes(facts, file.length), await peakOf(file, facts)];
  // A large picture with intra block copy does not fit an isolate, and its plan says so.
  if (taken === null && planned > MEMORY.arenaMaxBytes) return;
  if (taken === null) throw new Error("the file is refused");
  if (taken > planned) throw new Error(`${taken} bytes are taken and ${planned} planned`);
}
