/** Writes an AVIF image sequence (ISO/IEC 23008-12 section 7) of stills that sharp encoded. */
import { be, bytes } from "../probe/bytes.ts";
import { box, codedPicture, ftyp, fullBox } from "../probe/avif.ts";

const TIMESCALE = 1000;
const FRAME_TICKS = 100;
const UNITY = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];

/** Returns a file that has nothing but the track: every still is a frame of it, all of one size. */
export function avifSequence(stills: Uint8Array[], width: number, height: number): Uint8Array {
  const pictures = stills.map(codedPicture);
  const samples = pictures.map(({ data }) => data);
  // The brands avif and mif1 would promise items beside the track.
  const head = ftyp("avis", "msf1", "iso8");
  const moov = (at: number): Uint8Array => movie(pictures[0]!.av1C, samples, at, width, height);
  return bytes(head, moov(head.length + moov(0).length + 8), box("mdat", samples));
}

function movie(
  av1C: Uint8Array,
  samples: Uint8Array[],
  dataAt: number,
  width: number,
  height: number,
): Uint8Array {
  const count = samples.length;
  const ticks = count * FRAME_TICKS;
  const matrix = UNITY.map((value) => be(4, value));
  const mvhd = fullBox(
    "mvhd",
    0,
    0,
    [be(4, 0), be(4, 0), be(4, TIMESCALE), be(4, ticks)],
    [be(4, 0x10000), be(2, 0x100), new Uint8Array(10), matrix, new Uint8Array(24), be(4, 2)],
  );
  const tkhd = fullBox(
    "tkhd",
    0,
    3,
    [be(4, 0), be(4, 0), be(4, 1), be(4, 0), be(4, ticks), new Uint8Array(8)],
    [be(2, 0), be(2, 0), be(2, 0), be(2, 0), matrix, be(4, width << 16), be(4, height << 16)],
  );
  const mdhd = fullBox(
    "mdhd",
    0,
    0,
    be(4, 0),
    be(4, 0),
    be(4, TIMESCALE),
    be(4, ticks),
    be(2, 0x55c4),
    be(2, 0),
  );
  const hdlr = fullBox("hdlr", 0, 0, be(4, 0), "pict", new Uint8Array(12), 0);
  const entry = box(
    "av01",
    [new Uint8Array(6), be(2, 1), new Uint8Array(16), be(2, width), be(2, height)],
    [be(4, 0x480000), be(4, 0x480000), be(4, 0), be(2, 1), new Uint8Array(32), be(2, 24), be(2, 0xffff)],
    av1C,
  );
  const stbl = box(
    "stbl",
    fullBox("stsd", 0, 0, be(4, 1), entry),
    fullBox("stts", 0, 0, be(4, 1), be(4, count), be(4, FRAME_TICKS)),
    fullBox("stsc", 0, 0, be(4, 1), be(4, 1), be(4, count), be(4, 1)),
    fullBox(
      "stsz",
      0,
      0,
      be(4, 0),
      be(4, count),
      samples.map((sample) => be(4, sample.length)),
    ),
    fullBox("stco", 0, 0, be(4, 1), be(4, dataAt)),
  );
  const dinf = box("dinf", fullBox("dref", 0, 0, be(4, 1), fullBox("url ", 0, 1)));
  const minf = box("minf", fullBox("vmhd", 0, 1, new Uint8Array(8)), dinf, stbl);
  return box("moov", mvhd, box("trak", tkhd, box("mdia", mdhd, hdlr, minf)));
}
