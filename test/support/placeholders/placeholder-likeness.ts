/** How far a placeholder is from what sharp sees in the picture. */
import { type Sharp } from "sharp";
import { thumbHash } from "../../../src/builder/placeholder/thumb-hash.ts";
import type { Placeholder } from "../../../src/image/protocol/placeholder.ts";
import { renderThumbHash } from "./thumb-hash.ts";

export interface Likeness {
  /** The difference on white and on black, per sample: on average and at most. */
  mean: number;
  most: number;
  /** Levels of sixteen between the colours found, in the channel where they differ most. */
  colourLevels: number;
}

/** Returns how far a placeholder is from the one of `upright`, the picture as sharp shows it. */
export async function likenessTo(placeholder: Placeholder, upright: Sharp): Promise<Likeness> {
  const { data, info } = await upright
    .toColourspace("srgb")
    .resize(100, 100, { fit: "inside", withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const expected = thumbHash({ width: info.width, height: info.height, rgba: data });
  const a = onGrounds(placeholder.thumbHash);
  const b = onGrounds(Buffer.from(expected).toString("base64"));
  const off = a.map((value, i) => Math.abs(value - (b[i] as number)));
  const theirs = dominantOf(data);
  const mine = Buffer.from(placeholder.dominantColor.slice(1), "hex");
  return {
    mean: off.reduce((sum, value) => sum + value, 0) / off.length,
    most: Math.max(...off),
    colourLevels: Math.max(...theirs.map((level, c) => Math.abs(level - ((mine[c] as number) >> 4)))),
  };
}

/** Returns the fullest of 4096 bins of visible pixels, as levels. (sharp's own count takes no notice of alpha.) */
function dominantOf(rgba: Buffer): number[] {
  const counts = new Map<string, number>();
  for (let at = 0; at < rgba.length; at += 4) {
    const key = [0, 1, 2].map((c) => (rgba[at + c] as number) >> 4).join();
    counts.set(key, (counts.get(key) ?? 0) + (rgba[at + 3] as number));
  }
  const [fullest = "0,0,0"] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [];
  return fullest.split(",").map(Number);
}

function onGrounds(hash: string): number[] {
  const { rgba } = renderThumbHash(hash, 16, 16);
  return [0, 255].flatMap((ground) =>
    Array.from({ length: 16 * 16 * 3 }, (_, i) => {
      const at = Math.floor(i / 3) * 4;
      const alpha = (rgba[at + 3] as number) / 255;
      return (rgba[at + (i % 3)] as number) * alpha + ground * (1 - alpha);
    }),
  );
}
