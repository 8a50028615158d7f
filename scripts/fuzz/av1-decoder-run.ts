/** Random pictures through AV1 encoders, decoded by our decoder and by dav1d. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Av1DecodeError } from "../../src/builder/codecs/avif/decoder/errors.ts";
import {
  decodeByDav1d,
  decodeByLibaom,
  decodeByOurs,
  differenceOf,
  pictureIn,
} from "../harness/av1-planes.ts";
import { planarPicture, y4mOf } from "../samples/planar-pictures.ts";
import { randomOf } from "../samples/random.ts";
import { type PictureKind, randomRun } from "./av1-encoders.ts";
import { checkPlan } from "./avif-plan.ts";

const LARGEST_SIDE = 300;
/** Wide pictures: from here on, up to twice and a half as wide, and up to this height. */
const [WIDE, WIDE_HEIGHT] = [3600, 400];
/** Large pictures have 1 to 80 megapixels, small ones more often, and may be up to four times as wide as high. */
const [LARGEST_MEGAPIXELS, MOST_ASPECT] = [80, 4];
const DAMAGED_PER_FILE = { any: 3, wide: 3, large: 1 } as const;
const TOLD_FILES = { any: 100, wide: 10, large: 5 } as const;
const ENCODER_TIMEOUT_MS = 900_000;

export interface Av1FuzzCounts {
  files: number;
  exact: number;
  /** Files that dav1d decodes to other samples than libaom and we do: dav1d 1.0 enlarges some narrow frames wrongly. */
  unlikeDav1d: number;
  refusedByEncoder: number;
  /**
   * Files that libaom refuses, and that we refuse or show unlike dav1d: some encoders write data that do not fit. libaom's
   * own, where it has lowered base_q_idx to 0 for super-resolution, has the syntax of a lossy frame below a header that
   * says lossless (AV1 specification 5.9.2: CodedLossless).
   */
  broken: number;
  damaged: number;
  refusedDamaged: number;
}

/** Returns the random sides of a picture. */
function randomSize(next: () => number, pictures: PictureKind): { width: number; height: number } {
  const side = (most: number): number => 1 + Math.floor(next() ** 1.5 * most);
  if (pictures === "wide") return { width: WIDE + side(1.5 * WIDE), height: side(WIDE_HEIGHT) };
  if (pictures === "any") return { width: side(LARGEST_SIDE), height: side(LARGEST_SIDE) };
  const pixels = 1e6 * (1 + (LARGEST_MEGAPIXELS - 1) * next() ** 3);
  const width = Math.floor(Math.sqrt(pixels * MOST_ASPECT ** (2 * next() - 1)));
  return { width, height: Math.floor(pixels / width) };
}

/** Returns a random picture. */
function randomPicture(next: () => number, pictures: PictureKind): ReturnType<typeof planarPicture> {
  const bitDepth = ([8, 8, 10, 12] as const)[Math.floor(next() * 4)]!;
  const chroma = (["400", "420", "420", "422", "444"] as const)[Math.floor(next() * 5)]!;
  return planarPicture(next, { ...randomSize(next, pictures), bitDepth, chroma });
}

/** Returns the same data with some bytes changed, or cut. */
function damaged(next: () => number, data: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(data);
  if (next() < 0.2) return copy.subarray(0, Math.floor(next() * copy.length));
  for (let n = 1 + Math.floor(next() * 6); n > 0; n--) {
    copy[Math.floor((next() < 0.3 ? next() ** 3 : next()) * copy.length)] = Math.floor(next() * 256);
  }
  return copy;
}

/** Decodes damaged data, which must end in a picture or in an error of ours. @returns whether it was an error */
async function isRefused(data: Uint8Array): Promise<boolean> {
  try {
    await decodeByOurs(data);
    return false;
  } catch (error) {
    if (error instanceof Av1DecodeError) return true;
    throw error;
  }
}

/**
 * Runs the pictures of `files` seeds.
 * @throws Error with the seed and the command line when a picture differs, whose files then stay
 */
export async function runAv1Decoder(
  seed: number,
  files: number,
  tell: (counts: Av1FuzzCounts) => void,
  pictures: PictureKind = "any",
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "av1-decoder-"));
  const [source, coded, decoded] = ["source.y4m", "coded.ivf", "decoded.y4m"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const counts: Av1FuzzCounts = {
    files: 0,
    exact: 0,
    unlikeDav1d: 0,
    refusedByEncoder: 0,
    broken: 0,
    damaged: 0,
    refusedDamaged: 0,
  };
  for (let i = seed; i < seed + files; i++) {
    const next = randomOf(i);
    const picture = randomPicture(next, pictures);
    writeFileSync(source, y4mOf(picture));
    rmSync(coded, { force: true });
    const { program, args } = randomRun(next, picture, source, coded, pictures);
    const where = `seed ${i}: ${picture.width} x ${picture.height}, ${picture.bitDepth} bits, ${picture.chroma}: ${program} ${args.join(" ")}`;
    const { status } = spawnSync(program, args, { stdio: "ignore", timeout: ENCODER_TIMEOUT_MS });
    const theirs = status === 0 && existsSync(coded) ? decodeByDav1d(coded, decoded) : null;
    if (theirs) {
      counts.files++;
      const data = pictureIn(readFileSync(coded));
      const ours = await decodeByOurs(data).catch((error: unknown) => {
        if (error instanceof Av1DecodeError && !decodeByLibaom(coded, decoded, theirs)) return null;
        throw new Error(`${where}: ${String(error)}`, { cause: error });
      });
      if (!ours) {
        counts.broken++;
        continue;
      }
      const difference = differenceOf(ours, theirs);
      if (difference) {
        const libaom = decodeByLibaom(coded, decoded, theirs);
        if (!libaom && program === "aomenc") {
          counts.broken++;
          continue;
        }
        if (!libaom || differenceOf(ours, libaom)) throw new Error(`${where}: ${difference}`);
        counts.unlikeDav1d++;
      }
      counts.exact++;
      // SVT-AV1 rounds the sides of some pictures up, and the file has to state the size that is decoded.
      const { width, height } = ours;
      await checkPlan(data, { ...picture, width, height }).catch((error: unknown) => {
        throw new Error(`${where}: ${String(error)}`, { cause: error });
      });
      for (let n = 0; n < DAMAGED_PER_FILE[pictures]; n++) {
        counts.damaged++;
        if (await isRefused(damaged(next, data))) counts.refusedDamaged++;
      }
    } else counts.refusedByEncoder++;
    if ((i - seed + 1) % TOLD_FILES[pictures] === 0) tell(counts);
  }
  rmSync(folder, { recursive: true });
  tell(counts);
}
