/** One picture on the wall: a link named by its file, and a box to select it. */
import { Link } from "wouter-preact";
import type { Media } from "../api/media.ts";
import { bytes, formatName } from "../lib/format.ts";
import { useSession } from "../session/context.tsx";
import type { Selection } from "../ui/selection.tsx";
import { isClear, Thumb } from "./thumb.tsx";

interface TileProps {
  /** Absent while its page is read. */
  media: Media | undefined;
  /** CSS pixels; the height is the picture's. */
  place: { left: number; top: number; width: number; height: number };
  index: number;
  /** -1 while it is not known. */
  total: number;
  selection: Selection | null;
}

export function MediaTile({ media, place, index, total, selection }: TileProps) {
  const { space } = useSession();
  const { left, top, width, height } = place;
  const isSelected = media !== undefined && selection?.names.has(media.id) === true;
  return (
    <li
      class={isSelected ? "tile tile-selected" : "tile"}
      style={{ left: `${left}px`, top: `${top}px`, width: `${width}px` }}
      aria-posinset={index + 1}
      aria-setsize={total}
    >
      <div
        class={media && isClear(media) ? "tile-picture chequered" : "tile-picture"}
        style={{ height: `${height}px` }}
      >
        {media && (
          <Thumb media={media} width={width} fit={media.mime === "image/svg+xml" ? "contain" : "cover"} />
        )}
        {media?.animated && <span class="tile-mark">{formatName(media.mime)}</span>}
        {media && selection && (
          <input
            class="tile-box"
            type="checkbox"
            aria-label={`Select ${media.filename}`}
            checked={isSelected}
            onClick={() => selection.toggle(media.id, media.filename)}
          />
        )}
      </div>
      {media && (
        <>
          <Link class="tile-name" href={`/${space}/media/${media.id}`} title={media.filename}>
            {media.filename}
          </Link>
          <p class="tile-facts numbers">
            {media.width} × {media.height} · {bytes(media.size)}
          </p>
        </>
      )}
    </li>
  );
}
