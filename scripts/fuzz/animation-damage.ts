/** Makes damaged animations from a seed, and reads them by the builder's readers. */
import { inTime } from "../../src/in-time.ts";
import { crc32 } from "node:zlib";
import { yieldToEventLoop } from "../../src/builder/scheduling/work-meter.ts";
import type { MasterFacts } from "../../src/image/model/facts.ts";
import { framesOf } from "../harness/animation-frames.ts";
import { type RgbaPlan, writeApng, writeGif, writeWebpAnimation } from "../samples/animation/writers.ts";
import { probe } from "../harness/probe-run.ts";
import { integersOf } from "../samples/random.ts";

const [WIDTH, HEIGHT] = [24, 18];

function plan(): RgbaPlan {
  const frames = [0, 1, 2].map((n) => {
    const place = { left: 2 * n, top: 2 * n, width: WIDTH - 6 * n, height: HEIGHT - 4 * n };
    const rgba = Uint8Array.from({ length: place.width * place.height * 4 }, (_, i) =>
      i % 4 === 3 ? (i % 28 ? 255 : 90) : (i * 11 + n * 70) & 255,
    );
    return { ...place, rgba, delayMs: 30, dispose: n === 1 ? 1 : 0, blends: n > 0 };
  });
  return { width: WIDTH, height: HEIGHT, frames };
}

function gif(): Uint8Array {
  const frames = plan().frames.map(({ left, top, width, height }, n) => ({
    ...{ left, top, width, height, disposal: n + 1, transparent: 1, delay: 3, interlaced: n === 1 },
    indices: Array.from({ length: width * height }, (_, i) => (i >> 1) & 3),
  }));
  return writeGif({
    width: WIDTH,
    height: HEIGHT,
    palette: [9, 9, 9, 90, 9, 9, 9, 200, 9, 9, 9, 255],
    loop: 2,
    frames,
  });
}

export interface Whole {
  name: string;
  file: Uint8Array;
  facts: MasterFacts;
}

/** Returns one sound animation of each kind. */
export async function wholeAnimations(): Promise<Whole[]> {
  const files = {
    gif: gif(),
    webp: await writeWebpAnimation(plan()),
    apng: writeApng({ ...plan(), idatBytes: 200 }),
  };
  return Object.entries(files).map(([name, file]) => ({ name, file, facts: probe(file) }));
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

/** Overwrites, removes, repeats and truncates bytes. */
export function damaged({ name, file }: Whole, seed: number): Uint8Array {
  const random = integersOf(seed);
  let copy: Uint8Array = Uint8Array.from(file);
  for (let n = 1 + random(4); n > 0; n--) {
    const at = random(copy.length);
    const some = copy.slice(at, at + 1 + random(12));
    const kind = random(8);
    if (kind < 5) copy[at] = random(256);
    else if (kind === 5) copy = Buffer.concat([copy.subarray(0, at), copy.subarray(at + some.length)]);
    else if (kind === 6) copy = Buffer.concat([copy.subarray(0, at), some, copy.subarray(at)]);
    else copy = copy.slice(0, Math.max(1, at));
  }
  if (name === "apng" && random(4) > 0) mendCrcs(copy);
  return Uint8Array.from(copy);
}

const KNOWN =
  /^(AnimationError|InvalidImageError|PngDecodeError|WebpDecodeError|CodecError|RowMemoryError|RowShortageError)$/;

/** Returns "sound", or the name of the reader's error; "fault: ..." for any other error. */
export async function outcomeOfAnimation({ facts }: Whole, file: Uint8Array): Promise<string> {
  await yieldToEventLoop();
  try {
    const { frames } = await framesOf(file, facts);
    return frames.length <= 100 ? "sound" : "fault: too many frames";
  } catch (error) {
    if (!(error instanceof Error)) return `fault: ${String(error)}`;
    const name = error.name === "Error" ? error.constructor.name : error.name;
    return KNOWN.test(name) ? name : `fault: ${error.stack ?? error.message}`;
  }
}

/** Much longer than the slowest file takes, so that only a hang exceeds it. */
const HANG_MS = 30_000;
const SOUND_EVERY = 100;

/**
 * Reads `count` damaged GIF, animated WebP and APNG files each by the builder's readers, and undamaged ones between them.
 * @returns how often each outcome came
 * @throws Error with the seed of a file that hangs, traps or has an unexpected error, or after which a sound file is
 *   read differently
 */
export async function runAnimationDamage(seed: number, count: number): Promise<Record<string, number>> {
  const whole = await wholeAnimations();
  const right: string[] = [];
  // One after the other, because they share an arena.
  for (const { file } of whole) right.push(JSON.stringify(await framesOf(file)));
  const outcomes: Record<string, number> = {};
  for (let at = seed; at < seed + count; at++) {
    for (const [i, sound] of whole.entries()) {
      const outcome = await inTime(outcomeOfAnimation(sound, damaged(sound, at)), HANG_MS);
      const key = `${sound.name}: ${outcome}`;
      if (outcome.startsWith("fault")) throw new Error(`seed ${at}: ${key}`);
      outcomes[key] = (outcomes[key] ?? 0) + 1;
      if (at % SOUND_EVERY === 0 && JSON.stringify(await framesOf(sound.file)) !== right[i]) {
        throw new Error(`seed ${at}: a sound ${sound.name} is read wrong afterwards`);
      }
    }
  }
  return outcomes;
}
