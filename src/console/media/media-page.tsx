/** All media of the space: a wall of pictures that loads as it is looked at. */
import { Images } from "lucide-preact";
import { useMemo } from "preact/hooks";
import { useMediaList, type Media } from "../api/media.ts";
import type { Trace } from "../api/pages.ts";
import { count } from "../lib/format.ts";
import { useViewport } from "../lib/use-viewport.ts";
import { useMay } from "../session/context.tsx";
import { Button } from "../ui/button.tsx";
import { Empty, Fault, Page } from "../ui/page.tsx";
import { useSelection } from "../ui/lists/selection.tsx";
import { useUploadQueue } from "../uploads/context.tsx";
import { CameraButton, DropTarget, FileButton } from "../uploads/picker.tsx";
import { justify, rowsBetween, type Layout } from "./justify.ts";
import { SelectedPictures } from "./selected.tsx";
import { MediaTile } from "./tile.tsx";
import { MediaWays, useAsked } from "./ways.tsx";
import "./media.css";

const GAP_PIXELS = 12;
/** Name and size, below each picture. */
const CAPTION_PIXELS = 44;
const MIN_WIDTH_PIXELS = 92;
const PLACEHOLDERS = 24;
/** Ratios of what stands in for the first page. */
const PLACEHOLDER_RATIOS = Array.from({ length: PLACEHOLDERS }, (_, at) => [1.5, 0.75, 1.33, 1][at % 4] ?? 1);

/** Returns a height of rows that a screen makes comfortable. */
const targetOf = (width: number): number => (width < 500 ? 130 : width < 1800 ? 190 : 260);

/**
 * @param width in CSS pixels
 * @param scale of the text, which the pictures grow with
 * @returns the layout of a list; that of the same list is made once
 */
function layoutsOf(width: number, scale: number): (traces: readonly Trace[], isFirstRead: boolean) => Layout {
  let last: { of: readonly Trace[]; layout: Layout } | null = null;
  const scaled = (pixels: number): number => Math.round(pixels * scale);
  const options = {
    width,
    target: scaled(targetOf(width / scale)),
    gap: scaled(GAP_PIXELS),
    below: scaled(CAPTION_PIXELS),
    minWidth: scaled(MIN_WIDTH_PIXELS),
  };
  return (traces, isFirstRead) => {
    const of = isFirstRead ? PLACEHOLDER_RATIOS : traces;
    if (last?.of !== of) last = { of, layout: justify(of, options) };
    return last.layout;
  };
}

export function MediaPage() {
  const [ref, viewport] = useViewport<HTMLUListElement>();
  const { top, bottom, width, scale } = viewport;
  const [asked, ask] = useAsked();
  const layoutOf = useMemo(() => layoutsOf(width, scale), [width, scale]);
  const list = useMediaList((traces, isFirstRead) => {
    const layout = layoutOf(traces, isFirstRead);
    const rows = rowsBetween(layout, top, bottom);
    return {
      first: rows[0]?.tiles[0]?.index ?? 0,
      // Below the last row there is more to read. An area that is not yet measured shows nothing.
      last: width > 0 && bottom >= layout.height ? traces.length : (rows.at(-1)?.tiles.at(-1)?.index ?? 0),
    };
  }, asked);
  const layout = layoutOf(list.traces, list.isFirstRead);
  const rows = rowsBetween(layout, top, bottom);

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
            : "A key with the role write can upload some."}
        </Empty>
      )}
      <ul
        class={selection.items.size > 0 ? "wall wall-selecting" : "wall"}
        ref={ref}
        style={{ height: `${layout.height}px` }}
        aria-label="Pictures"
      >
        {rows.flatMap((row) =>
          row.tiles.map((tile) => {
            const media: Media | undefined = list.item(tile.index);
            return (
              <MediaTile
                key={media?.id ?? `place-${tile.index}`}
                media={media}
                left={tile.left}
                top={row.top}
                width={tile.width}
                height={row.height}
                index={tile.index}
                total={list.hasMore ? -1 : list.traces.length}
                isSelected={media !== undefined && selection.items.has(media.id)}
                onSelect={mayWrite ? selection.toggle : null}
              />
            );
          }),
        )}
      </ul>
      <SelectedPictures selection={selection} />
    </Page>
  );
}
