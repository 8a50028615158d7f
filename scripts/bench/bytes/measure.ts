/**
 * Measures one master at one width in one format: our files, and the bytes that each peer needs for the same quality.
 */
import sharp from "sharp";
import type { Quality } from "../../../src/image/model/variant.ts";
import { bitmap, build } from "../../harness/builds.ts";
import type { Bitmap } from "../../harness/ssim.ts";
import { butteraugli, hasButteraugli } from "./butteraugli.ts";
import { Curve, type Point } from "./curve.ts";
import { dssim } from "./dssim.ts";
import { type Encoded, type LossyFormat, type Peer, PEERS, timed } from "./peers.ts";
import type { Master } from "./pictures.ts";
import { ssimulacra2 } from "./ssimulacra2.ts";

export interface Against {
  bySsimulacra2: number | null;
  byDssim: number | null;
  /** Null also where the program of Butteraugli is missing. */
  byButteraugli: number | null;
  time: number | null;
}

export interface Ours extends Point {
  quality: Quality;
  /**
   * Our bytes, and the processor time of our encoder, divided by the peer's at the same quality. The time is of equal
   * scores by SSIMULACRA 2. Null if the peer's scale ends below it.
   */
  against: Record<string, Against>;
}

export interface Measured {
  kind: Master["kind"];
  name: string;
  format: LossyFormat;
  width: number;
  height: number;
  ours: Ours[];
  /** The measured points of each peer. */
  peers: Record<string, Point[]>;
}

export interface Wanted {
  width: number;
  format: LossyFormat;
  qualities: readonly Quality[];
  /** Names of the peers; null for all. */
  peers: readonly string[] | null;
}

const CAN_BUTTERAUGLI = hasButteraugli();

/** Decodes a file, with its transparent pixels on white: the metrics know no alpha. */
const flat = (file: Uint8Array): Promise<Bitmap> => bitmap(sharp(file).flatten({ background: "#fff" }), 3);

async function judge(reference: Bitmap, { bytes, readable, ms }: Encoded): Promise<Point> {
  const picture = await flat(readable);
  return {
    bytes,
    score: await ssimulacra2(reference, picture),
    dssim: dssim(reference, picture),
    butteraugli: CAN_BUTTERAUGLI ? butteraugli(reference, picture) : null,
    ms,
  };
}

const ratio = (own: number, peer: number | undefined): number | null => (peer ? own / peer : null);

/** Returns the processor time of a build from a PNG of the variant's size, in ms: decoding the PNG is included. */
const encoderMs = async (png: Uint8Array, format: LossyFormat, quality: Quality): Promise<number> =>
  (await timed(() => build(Buffer.from(png), { format, quality }))).ms;

/** Measures one format against our PNG variant of the same width, so that only encoding is measured, not resizing. */
export async function measure(
  master: Master,
  { width, format, qualities, peers: named }: Wanted,
): Promise<Measured> {
  const { bytes: png, masterFacts } = await build(master.file, { width, format: "png" });
  const reference = await flat(png);
  const pixels = await bitmap(sharp(png), masterFacts.hasAlpha && format !== "jpeg" ? 4 : 3);
  const source = format === "jpeg" ? reference : pixels;
  const curveOf = (encode: Peer): Curve =>
    new Curve(async (quality) => judge(reference, await encode(source, quality)));
  const curves = Object.entries(PEERS[format])
    .filter(([name]) => named?.includes(name) ?? true)
    .map(([name, encode]) => [name, curveOf(encode)] as const);
  const ours: Ours[] = [];
  for (const quality of qualities) {
    const { bytes: file } = await build(master.file, { width, format, quality });
    const ms = await encoderMs(png, format, quality);
    const own = await judge(reference, { bytes: file.length, readable: file, ms });
    const against: Ours["against"] = {};
    for (const [name, curve] of curves) {
      const equal = await curve.costAt(({ score }) => score, own.score);
      const equalByDssim = await curve.costAt((point) => -point.dssim, -own.dssim);
      const equalByButteraugli =
        own.butteraugli === null
          ? null
          : await curve.costAt((point) => -(point.butteraugli ?? 0), -own.butteraugli);
      against[name] = {
        bySsimulacra2: ratio(own.bytes, equal?.bytes),
        byDssim: ratio(own.bytes, equalByDssim?.bytes),
        byButteraugli: ratio(own.bytes, equalByButteraugli?.bytes),
        time: ratio(own.ms, equal?.ms),
      };
    }
    ours.push({ quality, ...own, against });
  }
  const peers = Object.fromEntries(curves.map(([name, curve]) => [name, curve.points]));
  return { kind: master.kind, name: master.name, format, width, height: reference.height, ours, peers };
}
