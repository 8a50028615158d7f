/** Decodes JPEG by the decoder under test, in an arena of its own, and by sharp for comparison. */
import sharp from "sharp";
import { decodeJpeg } from "../../src/builder/codecs/jpeg/decoder.ts";
import { WorkMeter } from "../../src/builder/scheduling/work-meter.ts";
import type { JpegFacts, Orientation } from "../../src/image/model/facts.ts";
import { isTurnedByDecoder } from "../../src/image/formats/jpeg/decoder-frame.ts";
import { turned } from "../../src/image/model/orientation.ts";
import type { Rect } from "../../src/image/geometry/size.ts";
import { exifBlock } from "../samples/probe/bytes.ts";

export interface Decoded {
  width: number;
  height: number;
  layout: string;
  channels: number;
  pixels: Uint8Array;
  peakBytes: number;
}

const CHANNELS: Record<string, number> = { gray: 1, rgb: 3, cmyk: 4 };
const MAX_PAGES = 1700;
const AMPLE = 100_000_000;

/** Returns the facts of a JPEG that the decoder needs. */
export function factsOf(file: Uint8Array): JpegFacts {
  let scans = 0;
  let frame = -1;
  for (let at = file.indexOf(0xff, 2); at >= 0 && at + 4 <= file.length; at = file.indexOf(0xff, at)) {
    const marker = file[at + 1]!;
    if (marker === 0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9)) {
      at++;
      continue;
    }
    if (marker === 0xda) scans++;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame && frame < 0) frame = at;
    at += 2 + ((file[at + 2]! << 8) | file[at + 3]!);
  }
  const u16 = (offset: number): number => (file[frame + offset]! << 8) | file[frame + offset + 1]!;
  const components = file[frame + 9]!;
  const factors = (index: number): number => file[frame + 11 + 3 * index]!;
  const other = components > 1 ? factors(1) : factors(0);
  const [width, height] = [u16(7), u16(5)];
  return {
    format: "jpeg",
    width,
    height,
    codedWidth: width,
    codedHeight: height,
    orientation: 1,
    frames: 1,
    animated: false,
    hasAlpha: false,
    bitDepth: 8,
    colour: components === 1 ? "gray" : components === 4 ? "cmyk" : "rgb",
    profile: "none",
    process: file[frame + 1] === 0xc2 ? "progressive" : file[frame + 1] === 0xc1 ? "extended" : "baseline",
    unsupported: null,
    components,
    sampling: [(factors(0) >> 4) / (other >> 4), (factors(0) & 15) / (other & 15)],
    scans,
  };
}

/** Adds an EXIF segment with this orientation to the file. */
export function withOrientation(file: Uint8Array, orientation: Orientation): Uint8Array {
  const exif = Buffer.concat([Buffer.from("Exif\0\0"), exifBlock(orientation)]);
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif]);
  return Buffer.concat([file.subarray(0, 2), segment, file.subarray(2)]);
}

export function newArena(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES });
}

/** Returns the file as a stream of chunks. */
export function inChunks(file: Uint8Array, bytes: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at < file.length) controller.enqueue(file.subarray(at, at + bytes));
      else controller.close();
      at += bytes;
    },
  });
}

/** Decodes to the size `out`, or at full size, in a memory that is wiped first. Upright if the decoder turns. */
export async function decode(
  file: Uint8Array,
  options: {
    out?: { width: number; height: number } | undefined;
    memory?: WebAssembly.Memory;
    facts?: JpegFacts;
    chunk?: number;
    memoryBudgetBytes?: number;
    crop?: Rect;
    yieldOnce?: () => Promise<void>;
  } = {},
): Promise<Decoded> {
  const facts = options.facts ?? factsOf(file);
  const coded = { width: facts.codedWidth, height: facts.codedHeight };
  const out = options.out ?? (isTurnedByDecoder(facts) ? turned(coded, facts.orientation) : coded);
  const memory = options.memory ?? newArena();
  new Uint8Array(memory.buffer).fill(0);
  const workspace = { memory, work: new WorkMeter(options.yieldOnce ?? (() => Promise.resolve())) };
  const budget = options.memoryBudgetBytes ?? AMPLE;
  const rows = await decodeJpeg(workspace, inChunks(file, options.chunk ?? 4096), facts, out, budget, {
    ...(options.crop && { crop: options.crop }),
  });
  const channels = CHANNELS[rows.layout]!;
  const pixels = new Uint8Array(out.width * out.height * channels);
  let at = 0;
  for (let some = await rows.next(); some; some = await rows.next()) {
    pixels.set(some, at);
    at += some.length;
  }
  if (at !== pixels.length) throw new Error(`${at} bytes of rows for ${pixels.length}`);
  return { ...out, layout: rows.layout, channels, pixels, peakBytes: rows.peakBytes() };
}

/** Decodes by sharp: at full size, upright, in the same layout. CMYK samples are amounts of ink. */
export async function decodeBySharp(file: Uint8Array, channels: number): Promise<Uint8Array> {
  const space = channels === 1 ? "b-w" : channels === 4 ? "cmyk" : "srgb";
  const image = sharp(file, { limitInputPixels: false }).autoOrient();
  const sized = channels === 4 ? image.pipelineColourspace("cmyk") : image;
  return sized.toColourspace(space).raw().toBuffer();
}

export function greatestStep(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return Infinity;
  return a.reduce((greatest, value, i) => Math.max(greatest, Math.abs(value - b[i]!)), 0);
}

/** Returns the peak signal-to-noise ratio in dB. */
export function psnr(a: Uint8Array, b: Uint8Array): number {
  const squares = a.reduce((sum, value, i) => sum + (value - b[i]!) ** 2, 0);
  return 10 * Math.log10(255 ** 2 / (squares / a.length));
}
