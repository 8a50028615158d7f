/** The bytes that sharp's AVIF encoder needs for the SSIM of our file, against the resized master. */
import sharp from "sharp";
import { bitmap } from "../harness/builds.ts";
import { ssim, type Bitmap } from "../harness/ssim.ts";
import { byBuilder, bySharp, newBuildMemory, type Work } from "./pixels-work.ts";

const LOWEST = 20;
const HIGHEST = 95;

export interface EqualSsim {
  ssim: number;
  ourBytes: number;
  /** Interpolated between the two sharp qualities whose SSIM enclose ours. */
  sharpBytes: number;
  /** The lower of those two qualities. */
  sharpQuality: number;
}

const alike = async (bytes: Buffer, reference: Bitmap): Promise<number> =>
  ssim(await bitmap(sharp(bytes), 3), reference);

export async function atEqualSsim(work: Work): Promise<EqualSsim> {
  const reference = await bitmap(sharp(work.file).resize(work.width), 3);
  const { bytes } = await byBuilder(newBuildMemory(), work);
  const ours = await alike(bytes, reference);
  const sharpAt = async (quality: number): Promise<{ ssim: number; length: number }> => {
    const made = await bySharp(work, quality);
    return { ssim: await alike(made.bytes, reference), length: made.bytes.length };
  };
  let [low, high] = [LOWEST, HIGHEST];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if ((await sharpAt(middle)).ssim < ours) low = middle;
    else high = middle;
  }
  const [below, above] = [await sharpAt(low), await sharpAt(high)];
  const share = above.ssim === below.ssim ? 0 : (ours - below.ssim) / (above.ssim - below.ssim);
  const sharpBytes = below.length + Math.max(0, Math.min(1, share)) * (above.length - below.length);
  return { ssim: ours, ourBytes: bytes.length, sharpBytes, sharpQuality: low };
}
