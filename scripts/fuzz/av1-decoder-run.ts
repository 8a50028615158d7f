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
import { numbersFrom, planarPicture, y4mOf } from "../samples/planar-pictures.ts";
import { randomRun } from "./av1-encoders.ts";

const LARGEST_SIDE = 300;
const DAMAGED_PER_FILE = 3;
const ENCODER_TIMEOUT_MS = 120_000;

export interface Av1FuzzCounts {
  files: number;
  exact: number;
  /** Files that dav1d decodes to other samples than libaom and we do: dav1d 1.0 enlarges some narrow frames wrongly. */
  unlikeDav1d: number;
  refusedByEncoder: number;
  damaged: number;
  refusedDamaged: number;
}

/** A random picture, small ones more often. */
function randomPicture(next: () => number): ReturnType<typeof planarPicture> {
  const side = (): number => 1 + Math.floor(next() ** 1.5 * LARGEST_SIDE);
  const bitDepth = ([8, 8, 10, 12] as const)[Math.floor(next() * 4)]!;
  const chroma = (["400", "420", "420", "422", "444"] as const)[Math.floor(next() * 5)]!;
  return planarPicture(next, { width: side(), height: side(), bitDepth, chroma });
}

/** The same data with some bytes changed, or cut. */
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
    damaged: 0,
    refusedDamaged: 0,
  };
  for (let i = seed; i < seed + files; i++) {
    const next = numbersFrom(i);
    const picture = randomPicture(next);
    writeFileSync(source, y4mOf(picture));
    rmSync(coded, { force: true });
    const { program, args } = randomRun(next, picture, source, coded);
    const where = `seed ${i}: ${picture.width} x ${picture.height}, ${picture.bitDepth} bits, ${picture.chroma}: ${program} ${args.join(" ")}`;
    const { status } = spawnSync(program, args, { stdio: "ignore", timeout: ENCODER_TIMEOUT_MS });
    const theirs = status === 0 && existsSync(coded) ? decodeByDav1d(coded, decoded) : null;
    if (theirs) {
      counts.files++;
      const data = pictureIn(readFileSync(coded));
      const ours = await decodeByOurs(data).catch((error: unknown) => {
        throw new Error(`${where}: ${String(error)}`, { cause: error });
      });
      const difference = differenceOf(ours, theirs);
      if (difference) {
        const libaom = decodeByLibaom(coded, decoded, theirs);
        if (!libaom || differenceOf(ours, libaom)) throw new Error(`${where}: ${difference}`);
        counts.unlikeDav1d++;
      }
      counts.exact++;
      for (let n = 0; n < DAMAGED_PER_FILE; n++) {
        counts.damaged++;
        if (await isRefused(damaged(next, data))) counts.refusedDamaged++;
      }
    } else counts.refusedByEncoder++;
    if ((i - seed) % 100 === 99) tell(counts);
  }
  rmSync(folder, { recursive: true });
  tell(counts);
}
