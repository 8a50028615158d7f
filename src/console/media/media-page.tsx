/** All media of the space: a wall of pictures that loads as it is looked at. */
import { Images } from "lucide-preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { useMediaList, type Media } from "../api/media.ts";
import { count } from "../lib/format.ts";
import { useViewport } from "../lib/use-viewport.ts";
import { useMay } from "../session/context.tsx";
import { Button } from "../ui/button.tsx";
import { Empty, Fault, Page } from "../ui/page.tsx";
import { useSelection } from "../ui/selection.tsx";
import { useUploadQueue } from "../uploads/context.tsx";
import { CameraButton, DropTarget, FileButton } from "../uploads/picker.tsx";
import { justify, rowsBetween } from "./justify.ts";
import { SelectedPictures } from "./selected.tsx";
import { MediaTile } from "./tile.tsx";
import { MediaWays, useAsked } from "./ways.tsx";
import "./media.css";

const GAP_PIXELS = 12;
/** Name and size, below each picture. */
const CAPTION_PIXELS = 44;
const PLACEHOLDERS = 24;
/** Ratios of what stands in for the first page. */
const PLACEHOLDER_RATIOS = Array.from({ length: PLACEHOLDERS }, (_, at) => [1.5, 0.75, 1.33, 1][at % 4] ?? 1);

/** Rows are as high as a screen makes comfortable. */
const targetOf = (width: number): number => (width < 500 ? 130 : width < 1800 ? 190 : 260);

export function MediaPage() {
  const [ref, viewport] = useViewport<HTMLUListElement>();
  const shown = useRef({ first: 0, last: 0 });
  const [asked, ask] = useAsked();
  const list = useMediaList(shown.current, asked);
  const [target, gap] = [targetOf(viewport.width), GAP_PIXELS];
  const layout = useMemo(() => {
    const ratios = list.isFirstRead ? PLACEHOLDER_RATIOS : list.traces;
    return justify(ratios, { width: viewport.width, target, gap, below: CAPTION_PIXELS, minWidth: 92 });
  }, [list.traces, list.isFirstRead, viewport.width, target, gap]);
  const rows = rowsBetween(layout, viewport.top, viewport.bottom);
  const range = {
    first: rows[0]?.tiles[0]?.index ?? 0,
    // Below the last row there is more to read.
    last: viewport.bottom >= layout.height ? list.traces.length : (rows.at(-1)?.tiles.at(-1)?.index ?? 0),
  };
  const [, follow] = useState(0);
  if (range.first !== shown.current.first || range.last !== shown.current.last) {
    shown.current = range;
    queueMicrotask(() => follow((n) => n + 1));
  }

  const selection = useSelection();
  const mayWrite = useMay("write");
  const queue = useUploadQueue();
  const upload = (files: File[]): void => queue.add(files);
  const isNarrowed = asked.search !== "" || asked.mime !== "";
  const isEmpty = !list.isFirstRead && list.traces.length === 0;
  const ways = mayWrite && (
    <>
      <CameraButton onFiles={upload} />
      <FileButton name="Upload files" label="Upload" multiple onFiles={upload} />
    </>
  );
  return (
    <Page
      title="Media"
      aside={list.total ? `${count(list.total.count)}${list.total.isExact ? "" : "+"}` : undefined}
      actions={ways}
    >
      {mayWrite && <DropTarget onFiles={upload} />}
      {(!isEmpty || isNarrowed) && <MediaWays asked={asked} onChange={ask} />}
      {list.error && <Fault error={list.error} onRetry={list.retry} />}
      {isEmpty && isNarrowed && !list.error && (
        <Empty
          title="Nothing fits"
          action={<Button onClick={() => ask({ search: "", mime: "" })}>Show all</Button>}
        >
          No picture is like that.
        </Empty>
      )}
      {isEmpty && !isNarrowed && !list.error && (
        <Empty title="No pictures yet" picture={<Images />}>
          {mayWrite
            ? "Drop some here, paste one, or upload them from this machine."
            : "Whoever has a key with the role write can upload some."}
        </Empty>
      )}
      <ul class="wall" ref={ref} style={{ height: `${layout.height}px` }} aria-label="Pictures">
        {rows.flatMap((row) =>
          row.tiles.map((tile) => {
            const media: Media | undefined = list.item(tile.index);
            const place = { left: tile.left, top: row.top, width: tile.width, height: row.height };
            return (
              <MediaTile
                key={media?.id ?? `place-${tile.index}`}
                media={media}
                place={place}
                index={tile.index}
                total={list.hasMore ? -1 : list.traces.length}
                selection={mayWrite ? selection : null}
              />
            );
          }),
        )}
      </ul>
      <SelectedPictures selection={selection} />
    </Page>
  );
}
