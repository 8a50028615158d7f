/** One picture on the wall: a link named by its file, and a box to select it. */
import { Link } from "wouter-preact";
import { isVector } from "../../client/pictures/picture.ts";
import type { Media } from "../api/media.ts";
import { bytes, formatName } from "../lib/format.ts";
import { memo } from "../lib/memo.tsx";
import { useSession } from "../session/context.tsx";
import type { Selection } from "../ui/lists/selection.tsx";
import { isClear, Thumb } from "./thumb.tsx";

interface TileProps {
  /** Absent while its page is read. */
  media: Media | undefined;
  /** CSS pixels; the height is the picture's. */
  left: number;
  top: number;
  width: number;
  height: number;
  index: number;
  /** -1 while it is not known. */
  total: number;
  isSelected: boolean;
  /** Null where nothing can be done with what is selected. */
  onSelect: Selection["toggle"] | null;
}

export const MediaTile = memo(function MediaTile({
  media,
  left,
  top,
  width,
  height,
  index,
  total,
  isSelected,
  onSelect,
}: TileProps) {
  const { space } = useSession();
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
        {media && <Thumb media={media} width={width} fit={isVector(media) ? "contain" : "cover"} />}
        {media?.animated && <span class="tile-mark">{formatName(media.mime)}</span>}
        {media && onSelect && (
          <input
            class="tile-box"
            type="checkbox"
            aria-label={`Select ${media.filename}`}
            checked={isSelected}
            onClick={() => onSelect(media.id, { name: media.filename })}
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
});
