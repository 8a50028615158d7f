/** The trash, the latest entry first. The reader puts entries back, looks at them, or removes them for good. */
import { FileText, Images, RotateCcw, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { useRestore, useTrash, type TrashEntry, type TrashKind } from "../api/trash.ts";
import { untitled } from "../lib/format.ts";
import { rowsIn, useViewport } from "../lib/use-viewport.ts";
import { useMay } from "../session/context.tsx";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { complain, notify } from "../ui/toast.tsx";
import { EntryDialog } from "./entry-dialog.tsx";
import "../ui/lists/window-rows.css";
import "./trash.css";

/** Where text is of its usual size. */
const ROW_PIXELS = 72;
const KINDS = [
  { name: "all", title: "All" },
  { name: "media", title: "Pictures" },
  { name: "record", title: "Records" },
] as const;
type KindName = (typeof KINDS)[number]["name"];

export const titleOf = ({ title, id }: TrashEntry): string => title ?? untitled(id);

interface RowProps {
  entry: TrashEntry;
  mayRestore: boolean;
  onOpen: () => void;
}

function Row({ entry, mayRestore, onOpen }: RowProps) {
  const { mutate, isPending } = useRestore();
  const restore = (): void =>
    mutate(entry, {
      onSuccess: () => notify(`${titleOf(entry)} is back`),
      onError: (error) => complain(error.message),
    });
  const Icon = entry.kind === "media" ? Images : FileText;
  return (
    <>
      <Icon aria-hidden="true" />
      <div class="window-row-words">
        <button type="button" class="trash-title" aria-haspopup="dialog" onClick={onOpen}>
          {titleOf(entry)}
        </button>
        <p class="field-hint">
          {entry.kind === "media" ? "Picture" : (entry.model ?? "Record")}, thrown away{" "}
          <Ago time={entry.deletedAt} />, removed <Ago time={entry.purgeAt} />
        </p>
      </div>
      {mayRestore && (
        <Button small icon={<RotateCcw />} busy={isPending} onClick={restore}>
          Restore
        </Button>
      )}
    </>
  );
}

const NOTHING_OF = {
  media: "No pictures in the trash",
  record: "No records in the trash",
} as const satisfies Record<TrashKind, string>;

function Entries({ kind }: { kind: TrashKind | null }) {
  const mayRestore = useMay("write");
  const [opened, setOpened] = useState<TrashEntry | null>(null);
  const [ref, viewport] = useViewport<HTMLUListElement>();
  const rowPixels = Math.round(ROW_PIXELS * viewport.scale);
  const list = useTrash(kind, ({ length }) => rowsIn(viewport, length, rowPixels));
  const count = list.traces.length;
  const rows = rowsIn(viewport, count, rowPixels);
  const indices = Array.from({ length: Math.max(0, rows.last - rows.first) }, (_, at) => rows.first + at);
  return (
    <>
      {list.error && <Fault error={list.error} onRetry={list.retry} />}
      {list.isFirstRead && !list.error && <Skeleton lines={6} />}
      {!list.isFirstRead && count === 0 && (
        <Empty title={kind ? NOTHING_OF[kind] : "The trash is empty"} picture={<Trash2 />}>
          What you delete waits here for a while, and can be restored as it was.
        </Empty>
      )}
      <ul
        ref={ref}
        class="trash window-rows"
        style={{ height: `${count * rowPixels}px`, "--row": `${rowPixels}px` }}
        aria-label="Thrown away"
      >
        {indices.map((index) => {
          const entry = list.item(index);
          return (
            <li
              key={entry?.id ?? `row-${index}`}
              class="window-row"
              style={{ top: `${index * rowPixels}px` }}
              aria-posinset={index + 1}
              aria-setsize={list.hasMore ? -1 : count}
            >
              {entry && <Row entry={entry} mayRestore={mayRestore} onOpen={() => setOpened(entry)} />}
            </li>
          );
        })}
      </ul>
      {opened && <EntryDialog entry={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

export function TrashPage() {
  const [shown, show] = useState<KindName>("all");
  return (
    <Page title="Trash" narrow>
      <Tabs label="Kinds" tabs={KINDS} shown={shown} onShow={show}>
        <Entries key={shown} kind={shown === "all" ? null : shown} />
      </Tabs>
    </Page>
  );
}
