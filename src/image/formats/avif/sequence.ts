import { isAlpha, merge, readProperty, type Properties } from "./properties.ts";
import { InvalidImageError } from "../../bytes/errors.ts";
import { boxesIn, firstBox, Reader } from "./isobmff.ts";

/** The picture track of an image sequence: ISO/IEC 23008-12 section 7. */
export interface Sequence {
  /** Number of samples; null when movie fragments state it. */
  frames: number | null;
  codec: string;
  properties: Properties;
  hasAlpha: boolean;
  /** Offset in the file of the last chunk of samples; 0 without one. */
  lastChunk: number;
}

interface Track {
  handler: string;
  sequence: Sequence;
}

const MAX_TRACKS = 64;

/** Reads a moov box. @returns null when it has no picture track @throws InvalidImageError */
export function readSequence(moov: Uint8Array): Sequence | null {
  const tracks: Track[] = [];
  for (const { type, body } of boxesIn(moov, "moov")) {
    if (type === "trak") tracks.push(readTrack(body));
    if (tracks.length > MAX_TRACKS) throw new InvalidImageError(`AVIF has more than ${MAX_TRACKS} tracks`);
  }
  const pictures = tracks.find(({ handler }) => handler === "pict")?.sequence ?? null;
  const alpha = tracks.some(({ handler, sequence }) => handler === "auxv" && isAlpha(sequence.properties));
  return pictures && { ...pictures, hasAlpha: alpha };
}

function readTrack(trak: Uint8Array): Track {
  const inside = (bytes: Uint8Array, type: string): Uint8Array =>
    firstBox(boxesIn(bytes, type), type) ?? new Uint8Array(0);
  const mdia = inside(trak, "mdia");
  const hdlr = new Reader(inside(mdia, "hdlr"), "box hdlr");
  hdlr.skip(8);
  const handler = hdlr.fourcc();
  const stbl = inside(inside(mdia, "minf"), "stbl");
  const samples: Sequence = { frames: null, codec: "", properties: {}, hasAlpha: false, lastChunk: 0 };
  for (const { type, body } of boxesIn(stbl, "stbl")) {
    const reader = new Reader(body, `box ${type}`);
    if (type === "stsd") Object.assign(samples, readSampleEntry(reader));
    else if (type === "stsz" || type === "stz2") samples.frames = readSampleCount(reader, type);
    else if (type === "stco" || type === "co64")
      samples.lastChunk = readLastChunk(reader, type === "stco" ? 4 : 8);
  }
  return { handler, sequence: samples };
}

/** Reads the first VisualSampleEntry: ISO/IEC 14496-12 section 12.1.3. It has the properties of items as boxes. */
function readSampleEntry(reader: Reader): Pick<Sequence, "codec" | "properties"> | null {
  reader.full();
  reader.u32();
  const [entry] = boxesIn(reader.rest(), "stsd");
  if (entry === undefined) return null;
  const fields = new Reader(entry.body, `sample entry ${entry.type}`);
  fields.skip(24);
  const size = { width: fields.u16(), height: fields.u16() };
  fields.skip(50);
  const properties = merge([...boxesIn(fields.rest(), entry.type)].map(readProperty));
  if (size.width === 0 || size.height === 0) {
    throw new InvalidImageError(`AVIF track of ${size.width}×${size.height} pixels`);
  }
  return { codec: entry.type, properties: { ...properties, size } };
}

/** Reads stsz or stz2: section 8.7.3. A count of 0 means that the samples are in fragments. */
function readSampleCount(reader: Reader, type: "stsz" | "stz2"): number | null {
  reader.full();
  const size = reader.u32();
  const count = reader.u32();
  const bits = type === "stsz" ? (size === 0 ? 32 : 0) : size & 255;
  reader.skip(Math.ceil((count * bits) / 8));
  return count === 0 ? null : count;
}

function readLastChunk(reader: Reader, size: number): number {
  reader.full();
  const count = reader.u32();
  let last = 0;
  for (let i = 0; i < count; i += 1) last = Math.max(last, reader.uint(size));
  return last;
}
