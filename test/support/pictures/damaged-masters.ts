/** Small masters of every kind, and ways to cut them that a decoder may not see. */
import { crc32 } from "node:zlib";
import { writeApng, writeGif, writeWebpAnimation } from "../../../scripts/samples/animation/writers.ts";
import { svg } from "../../../scripts/samples/svg/svg.ts";
import { photo } from "./draw.ts";

const frame = { left: 0, top: 0, width: 64, height: 48, delayMs: 50 };
const rgba = Uint8Array.from({ length: 64 * 48 * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * 7) & 255));

/** Returns masters by name; `formats` are those that a test asks for, all stills where there are none. */
export async function masters(): Promise<Record<string, { file: Buffer; formats?: string[] }>> {
  const still = photo(300, 200);
  const palette = Array.from({ length: 48 }, (_, i) => (i * 53) & 255);
  const indices = Array.from({ length: 64 * 48 }, (_, i) => (i >> 2) & 15);
  return {
    jpeg: { file: await still.clone().jpeg().toBuffer() },
    "progressive jpeg": { file: await still.clone().jpeg({ progressive: true }).toBuffer() },
    png: { file: await still.clone().png().toBuffer() },
    "interlaced png": { file: await still.clone().png({ progressive: true }).toBuffer() },
    webp: { file: await still.clone().webp().toBuffer() },
    "lossless webp": { file: await still.clone().webp({ lossless: true }).toBuffer() },
    avif: { file: await still.clone().avif({ effort: 1 }).toBuffer() },
    gif: { file: await still.clone().gif().toBuffer() },
    "animated gif": {
      file: Buffer.from(
        writeGif({ width: 64, height: 48, palette, frames: [0, 1].map(() => ({ ...frame, indices })) }),
      ),
      formats: ["webp"],
    },
    "animated webp": {
      file: Buffer.from(
        await writeWebpAnimation({
          width: 64,
          height: 48,
          frames: [
            { ...frame, rgba },
            { ...frame, rgba },
          ],
        }),
      ),
      formats: ["webp"],
    },
    "animated png": {
      file: Buffer.from(
        writeApng({
          width: 64,
          height: 48,
          frames: [
            { ...frame, rgba },
            { ...frame, rgba },
          ],
        }),
      ),
      formats: ["webp"],
    },
    svg: { file: Buffer.from(svg('<rect width="9" height="9" fill="red"/>')) },
  };
}

/** Returns the file cut at `share` of it, but with an end as if that were all. */
export function mended(name: string, file: Buffer, share: number): Buffer {
  const cut = file.subarray(0, Math.floor(file.length * share));
  if (name.endsWith("jpeg")) return Buffer.concat([cut, Buffer.from([0xff, 0xd9])]);
  if (name.endsWith("gif")) {
    // The sub-block that was cut is filled up, so that the blocks after it are where they should be.
    return Buffer.concat([cut, Buffer.alloc(256), Buffer.from([0x3b])]);
  }
  if (name.endsWith("webp")) {
    const even = Buffer.from(cut.subarray(0, cut.length & ~1));
    even.writeUInt32LE(even.length - 8, 4);
    even.writeUInt32LE(even.length - 20, 16);
    return even;
  }
  const data = Buffer.concat(
    chunksOf(file)
      .filter(({ type }) => type === "IDAT")
      .map(({ body }) => body),
  );
  const { body: header } = chunksOf(file)[0]!;
  const rest = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
  return pngOf(
    rest.width,
    rest.height,
    data.subarray(0, Math.floor(data.length * share)),
    header.subarray(8),
  );
}

function chunksOf(png: Buffer): { type: string; body: Buffer }[] {
  const found = [];
  for (let at = 8; at + 12 <= png.length;) {
    const end = at + 8 + png.readUInt32BE(at);
    found.push({ type: png.toString("latin1", at + 4, at + 8), body: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return found;
}

/** Returns a PNG that claims a size and has `data` for its pixels. */
export function pngOf(
  width: number,
  height: number,
  data: Buffer,
  kind: Uint8Array = Buffer.from([8, 2, 0, 0, 0]),
): Buffer {
  const chunk = (type: string, body: Buffer): Buffer => {
    const named = Buffer.concat([Buffer.from(type), body]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(body.length, 0);
    ends.writeUInt32BE(crc32(named), 4);
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(kind, 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
