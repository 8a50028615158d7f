/** Compares what a browser shows of our files with sharp's decoding, and with encoders that hold a picture whole. */
import type { Kind } from "../samples/avif-pictures.ts";
import { OUTPUTS, seen, seenBySharp, subject, type Output } from "./browser-outputs.ts";
import { shownBy, type BrowserName, type File, type Shown } from "./browsers.ts";
import { psnr, type Bitmap } from "./ssim.ts";
import type { Picture } from "../samples/pictures.ts";

/**
 * The least PSNR between two decoders of one file, in dB. They differ only by rounding, except that Chromium upsamples
 * the chroma of AVIF in 4:2:0 in its own way: then our file may differ no more than the single encode does.
 */
const DECODERS_MIN_DB = 45;
const DECODERS_SLACK = 1;
/** How much worse rows and tiles may be than the encoder that holds a picture whole. Above 45 dB it is invisible. */
const LOST_MAX_DB = 0.5;
const TRANSPARENT = 45;

const KINDS: readonly Kind[] = ["photo", "drawing", "gradient", "noise"];

interface Case {
  output: Output;
  picture: string;
  original: Bitmap;
  file: Uint8Array;
  single: Uint8Array | null;
  /** Decoded once for all browsers. */
  bySharp: Promise<Bitmap>;
}

export interface Verdict {
  output: string;
  picture: string;
  /** PSNR to sharp's decoding, in dB. */
  toSharp: number;
  /** How much lower its PSNR to the original is than that of the single encode, in this browser; null without one. */
  lost: number | null;
  /** The failed condition; null when all hold. */
  fault: string | null;
}

export async function casesOf(sizes: readonly (readonly [width: number, height: number])[]): Promise<Case[]> {
  const subjects: { name: string; hasAlpha: boolean; picture: Picture; original: Bitmap }[] = [];
  for (const kind of KINDS) {
    for (const [width, height] of sizes) {
      for (const hasAlpha of [false, true]) {
        const picture = await subject(kind, width, height, hasAlpha);
        const name = `${kind}, ${width} x ${height}${hasAlpha ? ", alpha" : ""}`;
        subjects.push({ name, hasAlpha, picture, original: seen(picture) });
      }
    }
  }
  const cases: Case[] = [];
  for (const output of OUTPUTS) {
    for (const { name, hasAlpha, picture, original } of subjects) {
      if (hasAlpha && !output.keepsAlpha) continue;
      const file = Uint8Array.from(await output.encode(picture));
      const single = output.single && Uint8Array.from(await output.single(picture));
      cases.push({ output, picture: name, original, file, single, bySharp: seenBySharp(file) });
    }
  }
  return cases;
}

/** Returns the files of the cases for a browser, in order. */
export const filesOf = (cases: readonly Case[]): File[] =>
  cases.flatMap(({ output: { type }, file, single }) =>
    (single ? [file, single] : [file]).map((bytes) => ({ type, bytes })),
  );

/** Shows every case in `browser`, whose program is `command`. */
export const verdictsOf = async (
  browser: BrowserName,
  command: string,
  cases: readonly Case[],
): Promise<Verdict[]> => verdictsOn(cases, await shownBy(browser, command, filesOf(cases)));

/** @param all what a browser showed of `filesOf(cases)` */
export async function verdictsOn(cases: readonly Case[], all: readonly Shown[]): Promise<Verdict[]> {
  const shown = [...all];
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
  { output, original, single, ...one }: Case,
  pixels: Bitmap,
  singlePixels: Bitmap | null,
): Promise<Pick<Verdict, "toSharp" | "lost" | "fault">> {
  const bySharp = await one.bySharp;
  if (pixels.width !== bySharp.width || pixels.height !== bySharp.height) {
    return { toSharp: 0, lost: null, fault: `it is ${pixels.width} x ${pixels.height}` };
  }
  const toSharp = psnr(pixels, bySharp);
  if (!single || !singlePixels) {
    return {
      toSharp,
      lost: null,
      fault: toSharp > DECODERS_MIN_DB ? null : `${toSharp} dB from sharp's decoding`,
    };
  }
  const [ours, theirs] = [psnr(pixels, original), psnr(singlePixels, original)];
  const usual =
    toSharp > DECODERS_MIN_DB ? null : psnr(singlePixels, await seenBySharp(single)) - DECODERS_SLACK;
  const faults = [
    usual === null || toSharp > usual
      ? null
      : `${toSharp} dB from sharp's decoding, a single encode ${usual}`,
    Math.min(theirs, TRANSPARENT) - ours > (output.lostMax ?? LOST_MAX_DB)
      ? `${ours} dB from the original, a single encode ${theirs}`
      : null,
  ];
  return { toSharp, lost: theirs - ours, fault: faults.filter(Boolean).join("; ") || null };
}
