/** Makes damaged PNG files from a seed, and decodes them. */
import { inTime } from "../../src/in-time.ts";
import { crc32 } from "node:zlib";
import { decodePng, PngDecodeError } from "../../src/builder/codecs/png/decoder.ts";
import {
  decodeWhole,
  factsOf,
  inPieces,
  newMemory,
  readAgainFrom,
  workspaceIn,
} from "../harness/png-rows.ts";
import { type PngPlan, samplesOf, writePng } from "../samples/png-writer.ts";
import { integersOf } from "../samples/random.ts";

const KINDS: [PngPlan["bitDepth"], PngPlan["colourType"]][] = [
  [1, 0],
  [16, 0],
  [8, 2],
  [4, 3],
  [8, 3],
  [16, 4],
  [8, 6],
];

function someFile(random: (limit: number) => number): Uint8Array {
  const [bitDepth, colourType] = KINDS[random(KINDS.length)] ?? [8, 2];
  const width = 1 + random(60);
  const height = 1 + random(40);
  const length = width * height * samplesOf(colourType);
  return writePng({
    width,
    height,
    bitDepth,
    colourType,
    interlaced: random(3) === 0,
    samples: Array.from({ length }, () => random(2 ** bitDepth)),
    idatBytes: 1 + random(2000),
    ...(colourType === 3 ? { palette: new Uint8Array(3 * (1 + random(256))) } : {}),
    ...(colourType === 2 && random(2) ? { transparency: new Uint8Array(6) } : {}),
  });
}

/** Corrects all CRCs, so that the damage reaches the code behind the check. */
function mendCrcs(png: Uint8Array): void {
  const view = new DataView(png.buffer, png.byteOffset, png.length);
  for (let at = 8; at + 12 <= png.length;) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > png.length) return;
    view.setUint32(end, crc32(png.subarray(at + 4, end)));
    at = end + 4;
  }
}

/** Overwrites, removes and repeats bytes of a file, and usually corrects its CRCs. */
export function damagedPng(seed: number): Uint8Array {
  const random = integersOf(seed);
  let png: Uint8Array = Uint8Array.from(someFile(random));
  for (let left = 1 + random(4); left > 0; left--) {
    const at = 8 + random(png.length - 8);
    const size = 1 + random(8);
    const kind = random(8);
    if (kind < 5) png[at] = random(256);
    else if (kind === 5) png.fill(255 * random(2), at, Math.min(png.length, at + size));
    else if (kind === 6) png = Buffer.concat([png.subarray(0, at), png.subarray(at + size)]);
    else png = Buffer.concat([png.subarray(0, at + size), png.subarray(at)]);
    if (png.length < 40) png = Buffer.concat([png, new Uint8Array(40)]);
  }
  if (random(4) > 0) mendCrcs(png);
  return png;
}

export function* damagedPngs(
  firstSeed: number,
  count: number,
): Generator<{ seed: number; png: Uint8Array }, void, undefined> {
  for (let seed = firstSeed; seed < firstSeed + count; seed++) yield { seed, png: damagedPng(seed) };
}

/**
 * Returns "sound", the code of a PngDecodeError, or the name and message of an unexpected error. An interlaced picture
 * is decoded in both ways: "differs" if only one way succeeds, or the pixels are different.
 */
export async function outcomeOfPng(png: Uint8Array): Promise<string> {
  const whole = await outcomeOf(png, false);
  if (!factsOf(png).interlaced) return whole.word;
  const sideBySide = await outcomeOf(png, true);
  if (!/^[A-Z_]+$|^sound$/.test(sideBySide.word)) return sideBySide.word;
  return whole.pixels === sideBySide.pixels ? whole.word : `differs: ${whole.word}, ${sideBySide.word}`;
}

/** Decodes a file. `pixels` is a checksum of its pixels; null if it was refused. */
async function outcomeOf(
  png: Uint8Array,
  sideBySide: boolean,
): Promise<{ word: string; pixels: number | null }> {
  // The facts of the damaged header; the decoder must detect other damage.
  const facts = factsOf(png);
  if (facts.codedWidth * facts.codedHeight > 1_000_000) facts.codedWidth = 1;
  try {
    const cuts = Array.from({ length: 20 }, (_, i) => Math.floor((png.length * (i + 1)) / 21));
    const again = sideBySide ? readAgainFrom(png) : undefined;
    const rows = await decodePng(workspaceIn(newMemory(256)), inPieces(png, cuts), facts, again);
    const rowBytes = rows.width * { gray: 1, "gray-alpha": 2, rgb: 3, rgba: 4, cmyk: 4 }[rows.layout];
    let [bytes, pixels] = [0, 0];
    for (let batch = await rows.next(); batch; batch = await rows.next()) {
      bytes += batch.length;
      pixels = crc32(batch, pixels);
    }
    return { word: bytes === rowBytes * rows.height ? "sound" : `${bytes} bytes`, pixels };
  } catch (error) {
    if (error instanceof PngDecodeError) return { word: error.code, pixels: null };
    return { word: error instanceof Error ? `${error.name}: ${error.message}` : String(error), pixels: null };
  }
}

/** Much longer than the slowest file takes, so that only a hang exceeds it. */
const HANG_MS = 30_000;
const SOUND_EVERY = 100;

/**
 * Decodes `count` damaged PNG files, and an undamaged one between them.
 * @returns how often each outcome came
 * @throws Error with the seed of a file that hangs, traps or has an unexpected error, or after which a sound file is
 *   decoded differently
 */
export async function runPngDamage(seed: number, count: number): Promise<Record<string, number>> {
  const samples = Array.from({ length: 3 * 64 * 48 }, (_, i) => (i * 31 + (i >> 7)) & 255);
  const sound = writePng({ width: 64, height: 48, bitDepth: 8, colourType: 2, samples });
  const outcomes: Record<string, number> = {};
  for (const { seed: at, png } of damagedPngs(seed, count)) {
    const outcome = await inTime(outcomeOfPng(png), HANG_MS);
    if (!/^(sound|CORRUPT|TRUNCATED|UNSUPPORTED|OUT_OF_MEMORY)$/.test(outcome))
      throw new Error(`seed ${at}: ${outcome}`);
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (at % SOUND_EVERY > 0) continue;
    const { data } = await decodeWhole(sound);
    if (!data.every((value, i) => value === samples[i]))
      throw new Error(`seed ${at}: a sound file is decoded wrong afterwards`);
  }
  return outcomes;
}
