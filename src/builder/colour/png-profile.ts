/** The ICC profile of a PNG (PNG specification, third edition, clause 11.3.2.3). */
import { PlatformInflater } from "./platform-inflater.ts";
import type { WorkMeter } from "../scheduling/work-meter.ts";
import { COLOUR_PROFILE } from "../../limits.ts";

/**
 * Returns the profile in an iCCP chunk, which holds a name, a zero, a compression method and a zlib stream. Null when
 * it is damaged or over 4 MB.
 */
export async function inflateProfile(data: Uint8Array, work: WorkMeter): Promise<Uint8Array | null> {
  const method = data.indexOf(0) + 1;
  if (method === 0 || data[method] !== 0) return null;
  let at = method + 1;
  const supply = (most: number): Promise<Uint8Array | null> => {
    const piece = data.subarray(at, at + most);
    at += piece.length;
    return Promise.resolve(piece.length > 0 ? piece : null);
  };
  const inflated = new PlatformInflater(supply, work);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (let piece = await inflated.read(); piece; piece = await inflated.read()) {
      length += piece.length;
      if (length > COLOUR_PROFILE.maxBytes) throw new RangeError("The profile is too long");
      pieces.push(piece.slice());
    }
  } catch (error) {
    await inflated.cancel(error);
    return null;
  }
  const profile = new Uint8Array(length);
  let end = 0;
  for (const piece of pieces) {
    profile.set(piece, end);
    end += piece.length;
  }
  return profile;
}
