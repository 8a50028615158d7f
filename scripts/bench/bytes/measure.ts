/**
 * Measures one master at one width in one format: our files, and the bytes that each peer needs for the same quality.
 */
import sharp from "sharp";
import type { Quality } from "../../../src/image/model/variant.ts";
import { bitmap, build } from "../../harness/builds.ts";
import type { Bitmap } from "../../harness/ssim.ts";
import { Curve, type Point } from "./curve.ts";
import { dssim } from "./dssim.ts";
import { type Encode, type LossyFormat, PEERS } from "./peers.ts";
import type { Master } from "./pictures.ts";
import { ssimulacra2 } from "./ssimulacra2.ts";

export interface Ours extends Point {
  quality: Quality;
  /** Our bytes divided by the peer's at the same quality. Null if the peer's scale ends below it. */
  against: Record<string, { bySsimulacra2: number | null; byDssim: number | null }>;
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
}

/** The metrics know no alpha, so transparent pixels are shown on white in the reference and in the files. */
const flat = (file: Uint8Array): Promise<Bitmap> => bitmap(sharp(file).flatten({ background: "#fff" }), 3);

async function judge(reference: Bitmap, file: Uint8Array): Promise<Point> {
  const picture = await flat(file);
  return {
    bytes: file.length,
    score: await ssimulacra2(reference, picture),
    dssim: dssim(reference, picture),
  };
}

const ratio = (bytes: number, peer: number | null): number | null => (peer === null ? null : bytes / peer);

/** The reference is our PNG variant of the same width, so that only encoding is measured, not resizing. */
export async function measure(master: Master, { width, format, qualities }: Wanted): Promise<Measured> {
  const { bytes: png, masterFacts } = await build(master.file, { width, format: "png" });
  const reference = await flat(png);
  const pixels = await bitmap(sharp(png), masterFacts.hasAlpha && format !== "jpeg" ? 4 : 3);
  const source = format === "jpeg" ? reference : pixels;
  const curveOf = (encode: Encode): Curve =>
    new Curve(async (quality) => judge(reference, await encode(source, quality)));
  const curves = Object.entries(PEERS[format]).map(([name, encode]) => [name, curveOf(encode)] as const);
  const ours: Ours[] = [];
  for (const quality of qualities) {
    const { bytes } = await build(master.file, { width, format, quality });
    const own = await judge(reference, bytes);
    const against: Ours["against"] = {};
    for (const [name, curve] of curves) {
      against[name] = {
        bySsimulacra2: ratio(own.bytes, await curve.bytesAt(({ score }) => score, own.score)),
        byDssim: ratio(own.bytes, await curve.bytesAt((point) => -point.dssim, -own.dssim)),
      };
    }
    ours.push({ quality, ...own, against });
  }
  const peers = Object.fromEntries(curves.map(([name, curve]) => [name, curve.points]));
  return { kind: master.kind, name: master.name, format, width, height: reference.height, ours, peers };
}
