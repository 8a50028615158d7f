/** What a browser shows of our files, against sharp's decoding and against the encoder that holds a picture whole. */
import type { Kind } from "../samples/avif-pictures.ts";
import { OUTPUTS, seen, seenBySharp, subject, type Output } from "./browser-outputs.ts";
import { shownBy, type BrowserName } from "./browsers.ts";
import { psnr, type Bitmap } from "./ssim.ts";

/**
 * dB between two decoders of one file. They are the same but for rounding, except where Chromium brings the colour of
 * AVIF in 4:2:0 to full resolution in its own way: then ours is to differ no more than the single encode does.
 */
const DECODERS_MIN = 45;
const DECODERS_SLACK = 1;
/** dB that rows and tiles may lose to the encoder that holds a picture whole. Above 45 dB nothing is seen of it. */
const LOST_MAX = 0.5;
const TRANSPARENT = 45;

const KINDS: readonly Kind[] = ["photo", "drawing", "gradient", "noise"];

interface Case {
  output: Output;
  picture: string;
  original: Bitmap;
  file: Uint8Array;
  single: Uint8Array | null;
}

export interface Verdict {
  output: string;
  picture: string;
  /** dB from what sharp decodes. */
  toSharp: number;
  /** dB to the original below the single encode, both as this browser shows them; null where there is none. */
  lost: number | null;
  /** What does not hold; null when all does. */
  fault: string | null;
}

export async function casesOf(sizes: readonly (readonly [width: number, height: number])[]): Promise<Case[]> {
  const cases: Case[] = [];
  for (const output of OUTPUTS) {
    for (const kind of KINDS) {
      for (const [width, height] of sizes) {
        for (const hasAlpha of output.keepsAlpha ? [false, true] : [false]) {
          const picture = await subject(kind, width, height, hasAlpha);
          cases.push({
            output,
            picture: `${kind}, ${width} x ${height}${hasAlpha ? ", alpha" : ""}`,
            original: seen(picture),
            file: Uint8Array.from(await output.encode(picture)),
            single: output.single && Uint8Array.from(await output.single(picture)),
          });
        }
      }
    }
  }
  return cases;
}

/** Shows every case to `browser`, which is found at `command`. */
export async function verdictsOf(
  browser: BrowserName,
  command: string,
  cases: readonly Case[],
): Promise<Verdict[]> {
  const files = cases.flatMap(({ output: { type }, file, single }) =>
    (single ? [file, single] : [file]).map((bytes) => ({ type, bytes })),
  );
  const shown = await shownBy(browser, command, files);
  const verdicts: Verdict[] = [];
  for (const one of cases) {
    const ours = shown.shift();
    const single = one.single ? (shown.shift()?.bitmap ?? null) : null;
    const names = { output: one.output.name, picture: one.picture };
    if (ours?.bitmap)
      verdicts.push({ ...names, ...(await judge(one, seen(ours.bitmap), single && seen(single))) });
    else verdicts.push({ ...names, toSharp: 0, lost: null, fault: ours?.error ?? "it was not shown" });
  }
  return verdicts;
}

async function judge(
  { output, file, original, single }: Case,
  pixels: Bitmap,
  singlePixels: Bitmap | null,
): Promise<Pick<Verdict, "toSharp" | "lost" | "fault">> {
  const bySharp = await seenBySharp(file);
  if (pixels.width !== bySharp.width || pixels.height !== bySharp.height) {
    return { toSharp: 0, lost: null, fault: `it is ${pixels.width} x ${pixels.height}` };
  }
  const toSharp = psnr(pixels, bySharp);
  if (!single || !singlePixels) {
    return {
      toSharp,
      lost: null,
      fault: toSharp > DECODERS_MIN ? null : `${toSharp} dB from sharp's decoding`,
    };
  }
  const [ours, theirs] = [psnr(pixels, original), psnr(singlePixels, original)];
  const usual = psnr(singlePixels, await seenBySharp(single)) - DECODERS_SLACK;
  const faults = [
    toSharp > Math.min(DECODERS_MIN, usual)
      ? null
      : `${toSharp} dB from sharp's decoding, a single encode ${usual}`,
    Math.min(theirs, TRANSPARENT) - ours > (output.lostMax ?? LOST_MAX)
      ? `${ours} dB from the original, a single encode ${theirs}`
      : null,
  ];
  return { toSharp, lost: theirs - ours, fault: faults.filter(Boolean).join("; ") || null };
}
