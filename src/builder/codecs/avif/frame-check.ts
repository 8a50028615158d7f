/** Checks the frames of an AVIF before it is decoded, because libaom decodes all of an item's without a pause. */
import { readItems } from "../../../image/formats/avif/items.ts";
import { codedItems } from "../../../image/formats/avif/coded-items.ts";
import { countUnits, FrameWalk } from "../../../image/formats/avif/av1/frame-walk.ts";
import { boxesIn, firstBox } from "../../../image/formats/avif/isobmff.ts";

/**
 * Walks the data of every coded item, wherever they are in the file: the probe has walked only those that it met in
 * order.
 * @throws InvalidImageError for an item with more frames than a picture needs, and for tables that cannot be read
 */
export function checkFrames(file: Uint8Array): void {
  const meta = firstBox(boxesIn(file, "file"), "meta");
  if (!meta) return;
  const items = readItems(meta.slice());
  const count = countUnits();
  for (const id of codedItems(items)) {
    const walk = new FrameWalk(`item ${id}`, count);
    for (const { in: place, offset, length } of items.extents.get(id) ?? []) {
      const holder = place === "file" ? file : items.idat;
      walk.push(holder.subarray(offset, length === null ? undefined : offset + length));
    }
  }
}
