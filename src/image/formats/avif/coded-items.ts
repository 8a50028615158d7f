/** The items of an AVIF that a decoder decodes for the picture, and where their data are. */
import type { FrameNeeds } from "../../model/facts.ts";
import { LEAST_NEEDS, mostNeeds } from "./av1/frame-header.ts";
import { countUnits, FrameWalk } from "./av1/frame-walk.ts";
import type { Extent, ItemTable } from "./items.ts";
import { isAlpha } from "./properties.ts";
import type { Tap } from "./taps.ts";

/** Returns the ids of the coded items of the primary picture: itself or its tiles, and their alpha. */
export const codedItems = (items: ItemTable): number[] => [...new Set(Object.values(itemsOf(items)).flat())];

/** Returns the ids of the coded items by the planes that they have. */
function itemsOf(items: ItemTable): Record<"colour" | "alpha", number[]> {
  if (items.primary === null) return { colour: [], alpha: [] };
  const colours = tilesOf(items, items.primary);
  const pictures = new Set([items.primary, ...colours]);
  const alphas = [...pictures].flatMap((id) =>
    (items.auxiliaries.get(id) ?? []).filter((auxiliary) => isAlpha(items.properties.get(auxiliary) ?? {})),
  );
  return { colour: colours, alpha: alphas.flatMap((id) => tilesOf(items, id)) };
}

const tilesOf = ({ types, parts }: ItemTable, id: number): number[] =>
  types.get(id) === "grid" ? (parts.get(id) ?? []) : [id];

/** Walks through items whose data are still to come. */
export interface ItemWalks {
  taps: Tap[];
  /** Returns the frames of the item that has the most, of those that have been met. */
  mostFrames: () => number;
  /** Returns the most that frames of colour and of alpha need; the least of those that have not been met. */
  needs: () => Record<"colour" | "alpha", FrameNeeds>;
}

/**
 * Walks the data of every coded item: those in the meta box at once, those in the file by the taps that it returns. An
 * item whose pieces do not follow each other in the file is left to the builder, which walks it before it decodes it.
 * @throws InvalidImageError for an item with more frames than a picture needs
 */
export function walkItems(items: ItemTable): ItemWalks {
  const count = countUnits();
  const walks = new Map<number, FrameWalk>();
  const taps = new Map<string, Tap>();
  for (const id of codedItems(items)) {
    const walk = new FrameWalk(`item ${id}`, count, items.properties.get(id)?.configuration);
    walks.set(id, walk);
    const extents = items.extents.get(id) ?? [];
    if (extents.every((extent) => extent.in === "idat")) {
      for (const { offset, length } of extents) {
        walk.push(items.idat.subarray(offset, length === null ? undefined : offset + length));
      }
      continue;
    }
    const range = rangeOf(extents);
    if (range) taps.set(`${range.offset}-${range.end}`, { ...range, take: (bytes) => walk.push(bytes) });
  }
  const { colour, alpha } = itemsOf(items);
  const most = (ids: number[]): FrameNeeds =>
    ids.map((id) => walks.get(id)?.needs ?? LEAST_NEEDS).reduce(mostNeeds, LEAST_NEEDS);
  return {
    taps: [...taps.values()],
    mostFrames: () => Math.max(1, ...[...walks.values()].map(({ frames }) => frames)),
    needs: () => ({ colour: most(colour), alpha: most(alpha) }),
  };
}

/** Returns the range of the file that extents make up together; null when they do not follow each other. */
function rangeOf(extents: Extent[]): { offset: number; end: number } | null {
  const [first] = extents;
  if (!first) return null;
  let end = first.offset;
  for (const extent of extents) {
    if (extent.in !== "file" || extent.offset !== end) return null;
    end = extent.length === null ? Infinity : end + extent.length;
  }
  return { offset: first.offset, end };
}
