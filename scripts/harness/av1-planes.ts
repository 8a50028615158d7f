/** Decodes AV1 data to planes: by our decoder, and by dav1d and libaom (aomdec), which must be on the PATH. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Av1Picture, type Av1Item } from "../../src/builder/codecs/avif/decoder/av1-picture.ts";
import { newAv1Decoder } from "../../src/builder/codecs/avif/decoder/module.ts";
import { workspaceIn } from "./png-rows.ts";

/** A picture in planes: luma, and then Cb and Cr. */
export interface Planes {
  width: number;
  height: number;
  bitDepth: number;
  planes: { width: number; height: number; samples: Uint16Array }[];
}

const PAGES = 16_384;
const NEWLINE = 10;

/** Decodes by our decoder. @throws Av1DecodeError */
export async function decodeByOurs(
  data: Uint8Array,
  options: Pick<Av1Item, "operatingPoint" | "layer"> = {},
): Promise<Planes & { peakBytes: number }> {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES });
  const address = newAv1Decoder(memory).allocateItem(data.length);
  new Uint8Array(memory.buffer).set(data, address);
  const item = { address, bytes: data.length, ...options };
  const picture = Av1Picture.open(workspaceIn(memory), item, address + data.length);
  picture.layOut();
  const { width, height, bitDepth, planes: count, chromaShiftX, chromaShiftY } = picture.format;
  const planes = Array.from({ length: count }, (_, plane) => {
    const [shiftX, shiftY] = plane === 0 ? [0, 0] : [chromaShiftX, chromaShiftY];
    const [w, h] = [(width + shiftX) >> shiftX, (height + shiftY) >> shiftY];
    return { width: w, height: h, samples: new Uint16Array(w * h), shiftY };
  });
  let y = 0;
  for (let rows = await picture.decode(); rows > 0; rows = await picture.decode()) {
    planes.forEach((plane, i) => {
      const { address, stride } = picture.rows(i);
      const first = y >> plane.shiftY;
      const end = Math.min(plane.height, (y + rows + plane.shiftY) >> plane.shiftY);
      for (let row = first; row < end; row++) {
        const from = new Uint16Array(memory.buffer, address + (row - first) * stride, plane.width);
        plane.samples.set(from, row * plane.width);
      }
    });
    y += rows;
  }
  if (y !== height) throw new Error(`${y} rows of ${height} were handed out`);
  return { width, height, bitDepth, planes, peakBytes: picture.end() };
}

/** Decodes the first picture of a file (IVF or OBUs) by dav1d. @returns null when it cannot */
export function decodeByDav1d(path: string, out: string): Planes | null {
  const options = ["-q", "-l", "1", "--threads", "1", "--muxer", "yuv4mpeg2", "--filmgrain", "1"];
  const { status } = spawnSync("dav1d", ["-i", path, "-o", out, ...options], { stdio: "ignore" });
  return status === 0 ? readY4m(readFileSync(out)) : null;
}

/** Decodes the first picture of a file (IVF or OBUs) by libaom, to planes of the shape of `like`. */
export function decodeByLibaom(path: string, out: string, like: Planes): Planes | null {
  const { status } = spawnSync("aomdec", ["--rawvideo", "--limit=1", "-o", out, path], { stdio: "ignore" });
  return status === 0 ? { ...like, planes: readPlanes(readFileSync(out), like.planes, like.bitDepth) } : null;
}

/** Reads planes that follow each other. */
function readPlanes(
  content: Buffer,
  sizes: { width: number; height: number }[],
  bitDepth: number,
): Planes["planes"] {
  let at = 0;
  return sizes.map(({ width, height }) => {
    const bytes = width * height * (bitDepth > 8 ? 2 : 1);
    const plane = Uint8Array.prototype.slice.call(content, at, at + bytes);
    at += bytes;
    const samples = bitDepth > 8 ? new Uint16Array(plane.buffer) : Uint16Array.from(plane);
    return { width, height, samples };
  });
}

/** Reads the first picture of a YUV4MPEG2 file. */
function readY4m(file: Buffer): Planes {
  const end = file.indexOf(NEWLINE);
  const head = file.subarray(0, end).toString("latin1");
  const field = (letter: string): string => new RegExp(` ${letter}(\\S+)`).exec(head)?.[1] ?? "";
  const [width, height, layout] = [Number(field("W")), Number(field("H")), field("C")];
  const bitDepth = Number(/(?:p|mono)(10|12)/.exec(layout)?.[1] ?? 8);
  const shiftX = layout.startsWith("444") ? 0 : 1;
  const shiftY = layout.startsWith("420") ? 1 : 0;
  const chroma = { width: (width + shiftX) >> shiftX, height: (height + shiftY) >> shiftY };
  const sizes = layout.startsWith("mono") ? [{ width, height }] : [{ width, height }, chroma, chroma];
  const content = file.subarray(file.indexOf(NEWLINE, end + 1) + 1);
  return { width, height, bitDepth, planes: readPlanes(content, sizes, bitDepth) };
}

/** Returns the first difference of two pictures in words; null when they are the same. */
export function differenceOf(ours: Planes, theirs: Planes): string | null {
  const shape = ({ width, height, bitDepth, planes }: Planes): string =>
    [width, height, bitDepth, ...planes.map((plane) => `${plane.width}x${plane.height}`)].join(" ");
  if (shape(ours) !== shape(theirs)) return `${shape(ours)} instead of ${shape(theirs)}`;
  for (const [i, { width, samples }] of ours.planes.entries()) {
    const other = theirs.planes[i]!.samples;
    const at = samples.findIndex((sample, place) => sample !== other[place]);
    if (at >= 0) {
      return `plane ${i} at (${at % width}, ${Math.floor(at / width)}): ${samples[at]} instead of ${other[at]}`;
    }
  }
  return null;
}

/** Returns the data of the first picture of an IVF file, or all of another one. */
export function pictureIn(file: Buffer): Uint8Array {
  if (file.toString("latin1", 0, 4) !== "DKIF") return file;
  return file.subarray(44, 44 + file.readUInt32LE(32));
}
