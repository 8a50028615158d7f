/**
 * Has other decoders read our JPEG, WebP and PNG files of odd and even sizes: djpeg, dwebp, ImageMagick and Chromium.
 * Each must show what sharp shows of the same file. PNG must also show the pixels of the master.
 *
 *   node scripts/fuzz/decoders.ts
 *
 * A tool that is not there is left out, and what it would have read is counted. In Debian the packages are
 * libjpeg-turbo-progs, webp, imagemagick and chromium.
 */
import { spawnSync } from "node:child_process";
import sharp from "sharp";
import type { Quality } from "../../src/image/model/variant.ts";
import type { OutputFormat } from "../../src/image/formats/registry.ts";
import { findBrowser, shownBy } from "../harness/browsers.ts";
import type { Bitmap } from "../harness/ssim.ts";
import "../wasm/hooks.ts";

const { bitmap, build } = await import("../harness/builds.ts");

const SIZES = [
  [1, 1],
  [2, 2],
  [3, 5],
  [17, 1],
  [1, 17],
  [16, 16],
  [33, 31],
  [257, 129],
  [320, 200],
] as const;
const OUTPUTS: readonly { format: OutputFormat; quality: Quality }[] = [
  { format: "jpeg", quality: 80 },
  { format: "jpeg", quality: 100 },
  { format: "webp", quality: 80 },
  { format: "webp", quality: 100 },
  { format: "png", quality: 80 },
];
const MEDIA_TYPE: Record<string, string> = { jpeg: "image/jpeg", webp: "image/webp", png: "image/png" };
/** Decoders differ in how they round colours, and browsers round once more where they multiply by alpha. */
const MOST_DIFFERENCE = { jpeg: 4, webp: 3, png: 0 } as Record<string, number>;
const MULTIPLIED_DIFFERENCE = 2;
const MOST_OUTPUT_BYTES = 64 * 1024 * 1024;

type PixelAt = (x: number, y: number, noise: () => number) => [number, number, number, number];
const KINDS: Record<string, { channels: 1 | 3 | 4; pixelAt: PixelAt }> = {
  grey: { channels: 1, pixelAt: (x, y, noise) => [x * 2 + y + noise() / 16, 0, 0, 255] },
  soft: { channels: 3, pixelAt: (x, y, noise) => [x + noise() / 32, y * 2, 255 - x, 255] },
  saturated: { channels: 3, pixelAt: (x, y) => [(x >> 1) % 2 ? 255 : 0, (y >> 1) % 3 ? 0 : 255, 40, 255] },
  noise: { channels: 3, pixelAt: (_x, _y, noise) => [noise(), noise(), noise(), 255] },
  translucent: { channels: 4, pixelAt: (x, y, noise) => [x * 3, noise(), y, (x + y) * 2] },
  cutout: { channels: 4, pixelAt: (x, y) => [200, x * 2, y * 2, (x + y) % 7 < 3 ? 0 : 255] },
};

function master(
  width: number,
  height: number,
  { channels, pixelAt }: (typeof KINDS)[string],
): Promise<Buffer> {
  let state = width * 977 + height;
  const noise = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 24;
  const data = Buffer.alloc(width * height * channels);
  for (let i = 0; i < width * height; i++) {
    const pixel = pixelAt(i % width, Math.floor(i / width), noise);
    for (let channel = 0; channel < channels; channel++) data[i * channels + channel] = pixel[channel]! & 255;
  }
  const shown = sharp(data, { raw: { width, height, channels } });
  return (channels === 1 ? shown.toColourspace("b-w") : shown).png().toBuffer();
}

const isThere = (tool: string): boolean => spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;

/** ImageMagick of Debian, of its version 7, or any. */
const CONVERT = ["convert-im6", "magick"].find(isThere) ?? "convert";

/** What a tool writes for a file that it is given. @throws Error when it fails or complains */
function outputOf(tool: string, flags: string[], file: Uint8Array): Buffer {
  const { status, stdout, stderr } = spawnSync(tool, flags, { input: file, maxBuffer: MOST_OUTPUT_BYTES });
  if (status !== 0) throw new Error(`${tool} ended with ${status}: ${stderr.toString().trim()}`);
  if (tool === "djpeg" && stderr.length > 0) throw new Error(`djpeg says ${stderr.toString().trim()}`);
  return stdout;
}

/** Reads PGM, PPM and PAM with 8 bits per sample. */
const ofNetpbm = (data: Buffer): Promise<Bitmap> => {
  const head = data.subarray(0, 200).toString("latin1");
  const isPam = head.startsWith("P7");
  const match = (
    isPam ? /^P7\nWIDTH (\d+)\nHEIGHT (\d+)\nDEPTH (\d)\n[^]*?ENDHDR\n/ : /^P[56]\s(\d+)\s(\d+)\s255\s/
  ).exec(head);
  if (!match) throw new Error("The tool's output is no Netpbm file");
  const channels = isPam ? Number(match[3]) : head.startsWith("P5") ? 1 : 3;
  const raw = { width: Number(match[1]), height: Number(match[2]), channels: channels as 1 | 3 | 4 };
  return bitmap(sharp(data.subarray(match[0].length), { raw }), 4);
};

interface Tool {
  name: string;
  command: string;
  formats: readonly string[];
  read(file: Uint8Array, size: { width: number; height: number }): Promise<Bitmap>;
}
const TOOLS: readonly Tool[] = [
  {
    name: "djpeg",
    command: "djpeg",
    formats: ["jpeg"],
    read: (file) => ofNetpbm(outputOf("djpeg", ["-pnm"], file)),
  },
  {
    name: "dwebp",
    command: "dwebp",
    formats: ["webp"],
    read: (file) => ofNetpbm(outputOf("dwebp", ["-quiet", "-pam", "-o", "-", "--", "-"], file)),
  },
  {
    name: "ImageMagick",
    command: CONVERT,
    formats: ["jpeg", "webp", "png"],
    read: (file, size) => {
      const data = outputOf(CONVERT, ["-", "-colorspace", "sRGB", "-depth", "8", "rgba:-"], file);
      return Promise.resolve({ ...size, channels: 4, data });
    },
  },
];

/** How far two pictures are apart at most, where each pixel counts as much as it is seen. */
function difference(a: Bitmap, b: Bitmap, isMultiplied: boolean): number {
  if (a.width !== b.width || a.height !== b.height || a.data.length !== b.data.length) return Infinity;
  let most = 0;
  for (let i = 0; i < a.data.length; i++) {
    const alpha = i % 4 === 3 ? 255 : a.data[i | 3]!;
    const apart = (Math.abs(a.data[i]! - b.data[i]!) * alpha) / 255;
    most = Math.max(most, isMultiplied && apart <= MULTIPLIED_DIFFERENCE && alpha < 255 ? 0 : apart);
  }
  return most;
}

/** The frame header of a JPEG: its kind and the sampling factors of its first component. */
function jpegKind(file: Buffer): string {
  for (let at = 2; at < file.length; at += 2 + file.readUInt16BE(at + 2)) {
    const marker = file[at + 1]!;
    if (marker !== 0xc0 && marker !== 0xc2) continue;
    const chroma = file[at + 9] === 1 ? "grey" : file[at + 11] === 0x22 ? "4:2:0" : "4:4:4";
    return `${marker === 0xc2 ? "progressive" : "baseline"} ${chroma}`;
  }
  return "unknown";
}

interface Case {
  label: string;
  format: string;
  file: Buffer;
  reference: Bitmap;
}

const cases: Case[] = [];
const faults: string[] = [];
const kinds = new Map<string, number>();
for (const [kind, made] of Object.entries(KINDS)) {
  for (const [width, height] of SIZES) {
    const file = await master(width, height, made);
    for (const { format, quality } of OUTPUTS) {
      const { bytes } = await build(file, { width, format, quality });
      const label = `${format} q ${quality} of ${kind}, ${width} x ${height}`;
      const reference = await bitmap(sharp(bytes), 4);
      if (format === "png" && difference(await bitmap(sharp(file), 4), reference, false) > 0)
        faults.push(`${label}: has other pixels than its master`);
      const name = format === "jpeg" ? `jpeg, ${jpegKind(bytes)}` : format;
      kinds.set(name, (kinds.get(name) ?? 0) + 1);
      cases.push({ label, format, file: bytes, reference });
    }
  }
}
console.log([...kinds].map(([name, count]) => `${count} ${name}`).join(", "));

function judge(tool: string, { label, format, reference }: Case, shown: Bitmap, isMultiplied: boolean): void {
  const apart = difference(reference, shown, isMultiplied);
  if (apart > MOST_DIFFERENCE[format]!) faults.push(`${tool}, ${label}: differs by ${apart}`);
}

for (const tool of TOOLS) {
  const own = cases.filter(({ format }) => tool.formats.includes(format));
  if (!isThere(tool.command)) {
    console.log(`${tool.name} is not there: ${own.length} files were left out`);
    continue;
  }
  for (const each of own) {
    try {
      judge(tool.name, each, await tool.read(each.file, each.reference), false);
    } catch (error) {
      faults.push(`${tool.name}, ${each.label}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  console.log(`${tool.name}: ${own.length} files`);
}

const chromium = findBrowser("chromium");
if (chromium === null) console.log(`chromium is not there: ${cases.length} files were left out`);
else {
  const files = cases.map(({ format, file }) => ({ type: MEDIA_TYPE[format]!, bytes: file }));
  const shown = await shownBy("chromium", chromium, files);
  for (const [i, { bitmap: seen, error }] of shown.entries()) {
    if (seen) judge("chromium", cases[i]!, seen, true);
    else faults.push(`chromium, ${cases[i]!.label}: ${error}`);
  }
  console.log(`chromium: ${cases.length} files`);
}
for (const fault of faults) console.error(fault);
console.log(`${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
