/** Where the address of a variant that is gone leads: to its picture, asked for so that the same is built again. */
import type { ParsedVariantFile } from "../../image/model/variant.ts";
import { DELIVERY } from "../../limits.ts";

/**
 * A relative address. A width that is not of the grid is the master's own, which is asked for by leaving `w` out: it may
 * be over the 8192 that `w` takes. A GIF has neither `q` nor `fm`, and needs another parameter not to be the master.
 */
export function pictureAddress(
  spaceName: string,
  mediaId: string,
  { width, quality, format }: ParsedVariantFile,
): string {
  const query = new URLSearchParams();
  const isOfGrid = (DELIVERY.widthGridPixels as readonly number[]).includes(width);
  const isGif = format === "gif";
  if (isOfGrid || (isGif && width <= DELIVERY.widthMaxPixels)) query.set("w", String(width));
  if (quality !== null) query.set("q", String(quality));
  if (isGif && query.size === 0) query.set("q", "80");
  if (!isGif) query.set("fm", format);
  return `/api/v1/${spaceName}/pictures/${mediaId}?${query.toString()}`;
}
