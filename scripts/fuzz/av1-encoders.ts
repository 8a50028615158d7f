/** Random command lines of AV1 encoders: libaom's, SVT-AV1's and rav1e's, which must be on the PATH. */
import type { PlanarPicture } from "../samples/planar-pictures.ts";

type Next = () => number;

export interface EncoderRun {
  program: "aomenc" | "SvtAv1EncApp" | "rav1e";
  args: string[];
}

const pick = <T>(next: Next, values: readonly T[]): T => values[Math.floor(next() * values.length)]!;
const upTo = (next: Next, most: number): number => Math.floor(next() * (most + 1));

/** Options of aomenc that are left out, or one of their values. */
const AOM_SWITCHES: Record<string, readonly number[]> = {
  "enable-cdef": [0, 1],
  "enable-restoration": [0, 1],
  "enable-rect-partitions": [0, 1],
  "enable-ab-partitions": [0, 1],
  "enable-1to4-partitions": [0, 1],
  "min-partition-size": [4, 8],
  "max-partition-size": [32, 64, 128],
  "enable-chroma-deltaq": [0, 1],
  "enable-intra-edge-filter": [0, 1],
  "enable-tx64": [0, 1],
  "enable-flip-idtx": [0, 1],
  "enable-rect-tx": [0, 1],
  "enable-filter-intra": [0, 1],
  "enable-smooth-intra": [0, 1],
  "enable-paeth-intra": [0, 1],
  "enable-cfl-intra": [0, 1],
  "enable-palette": [0, 1],
  "enable-intrabc": [0, 1],
  "enable-angle-delta": [0, 1],
  "reduced-tx-type-set": [0, 1],
  "use-intra-dct-only": [0, 1],
  "cdf-update-mode": [0, 1],
  "delta-lf-mode": [0, 1],
  "loopfilter-control": [0, 1],
  "tile-columns": [0, 1, 2],
  "tile-rows": [0, 1, 2],
  "sb-size": [64, 128],
  sharpness: [0, 4, 7],
};

/** Returns a run of aomenc, with options that its help lists for pictures. */
function aomenc(next: Next, { bitDepth, chroma }: PlanarPicture): string[] {
  const args = ["--limit=1", "--ivf", "-q", "--threads=1"];
  args.push(pick(next, ["--allintra", "--good", "--rt"]));
  const isRealtime = args.includes("--rt");
  args.push(`--cpu-used=${isRealtime ? 5 + upTo(next, 4) : upTo(next, 6)}`, `--bit-depth=${bitDepth}`);
  const profile = bitDepth === 12 || chroma === "422" ? 2 : chroma === "444" ? 1 : 0;
  args.push(`--profile=${profile}`, chroma === "444" ? "--i444" : chroma === "422" ? "--i422" : "--i420");
  if (bitDepth > 8) args.push(`--input-bit-depth=${bitDepth}`);
  if (chroma === "400") args.push("--monochrome");
  for (const [name, values] of Object.entries(AOM_SWITCHES)) {
    if (next() < 0.3) args.push(`--${name}=${pick(next, values)}`);
  }
  if (next() < 0.12) args.push("--lossless=1");
  else args.push("--end-usage=q", `--cq-level=${upTo(next, 63)}`, "--min-q=0", "--max-q=63");
  if (next() < 0.3) args.push("--enable-qm=1", `--qm-min=${upTo(next, 15)}`, "--qm-max=15");
  if (next() < 0.3) args.push(`--aq-mode=${1 + upTo(next, 2)}`);
  if (next() < 0.3) args.push(`--deltaq-mode=${upTo(next, 4)}`);
  if (next() < 0.2) args.push(`--film-grain-test=${1 + upTo(next, 15)}`);
  if (next() < 0.3) args.push("--full-still-picture-hdr");
  if (next() < 0.2) args.push(`--num-tile-groups=${1 + upTo(next, 3)}`);
  if (next() < 0.4) args.push("--tune-content=screen");
  if (next() < 0.25) {
    args.push("--superres-mode=1");
    const denominator = 8 + upTo(next, 8);
    args.push(`--superres-denominator=${denominator}`, `--superres-kf-denominator=${denominator}`);
  }
  return args;
}

function svt(next: Next, { bitDepth, width, height }: PlanarPicture): string[] {
  const args = ["-n", "1", "--preset", `${2 + upTo(next, 10)}`, "--input-depth", `${bitDepth}`, "--lp", "1"];
  args.push("-w", `${width}`, "-h", `${height}`, "--rc", "0", "--crf", `${1 + upTo(next, 62)}`);
  args.push("--tile-rows", `${upTo(next, 2)}`, "--tile-columns", `${upTo(next, 2)}`);
  if (next() < 0.3) args.push("--film-grain", `${1 + upTo(next, 49)}`);
  if (next() < 0.3) args.push("--scm", `${upTo(next, 2)}`);
  if (next() < 0.3) args.push("--aq-mode", `${upTo(next, 2)}`);
  if (next() < 0.2) args.push("--superres-mode", "1", "--superres-kf-denom", `${8 + upTo(next, 8)}`);
  if (next() < 0.3) args.push("--enable-cdef", "0");
  if (next() < 0.3) args.push("--enable-restoration", "0");
  if (next() < 0.3) args.push("--enable-dlf", "0");
  return args;
}

function rav1e(next: Next): string[] {
  const args = ["--limit", "1", "--still-picture", "--quiet", "--overwrite", "--threads", "1"];
  args.push("--speed", `${upTo(next, 10)}`, "--quantizer", `${upTo(next, 255)}`);
  args.push("--tile-rows", `${2 ** upTo(next, 2)}`, "--tile-cols", `${2 ** upTo(next, 2)}`);
  args.push("--tune", pick(next, ["Psnr", "Psychovisual"]));
  return args;
}

/** Adds the tools of libaom that depend on how wide a picture is: super-resolution, or intra block copy. */
function wideTools(next: Next): string[] {
  if (next() < 0.5) return ["--tune-content=screen", "--enable-intrabc=1", "--enable-palette=1"];
  const denominator = 9 + upTo(next, 7);
  return [
    ...["--tune-content=default", "--superres-mode=1"],
    ...[`--superres-denominator=${denominator}`, `--superres-kf-denominator=${denominator}`],
  ];
}

/** The kinds of pictures: small ones of any tools, wide ones with `wideTools`, and large ones, which are coded fast. */
export const PICTURE_KINDS = ["any", "wide", "large"] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

/** Returns a random run of a random encoder that can code the picture. */
export function randomRun(
  next: Next,
  picture: PlanarPicture,
  from: string,
  to: string,
  pictures: PictureKind,
): EncoderRun {
  const { width, height, bitDepth, chroma } = picture;
  if (pictures === "large") {
    const args = aomenc(next, picture).filter((flag) => !/^--(?:good|allintra|rt|cpu-used)/.test(flag));
    return { program: "aomenc", args: [from, "-o", to, ...args, "--rt", "--cpu-used=9"] };
  }
  if (pictures === "wide") {
    const speed = `--cpu-used=${6 + upTo(next, 1)}`;
    const args = aomenc(next, picture).filter((flag) => !flag.startsWith("--superres"));
    return { program: "aomenc", args: [from, "-o", to, ...args, ...wideTools(next), speed] };
  }
  const kind = next();
  if (kind < 0.12 && chroma === "420" && bitDepth < 12 && width >= 64 && height >= 64) {
    return { program: "SvtAv1EncApp", args: [...svt(next, picture), "-i", from, "-b", to] };
  }
  if (kind < 0.3 && chroma !== "400" && width >= 16 && height >= 16) {
    return { program: "rav1e", args: [from, "-o", to, ...rav1e(next)] };
  }
  return { program: "aomenc", args: [from, "-o", to, ...aomenc(next, picture)] };
}
