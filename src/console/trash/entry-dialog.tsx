/** What an entry of the trash held, and the way to be rid of it for good. */
import { Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { usePurge, useTrashEntry, type TrashEntry } from "../api/trash.ts";
import { dateTime } from "../lib/format.ts";
import { useMay } from "../session/context.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Fault, Skeleton } from "../ui/page.tsx";
import { notify } from "../ui/toast.tsx";

/** Of a media object, what says something to people. Its picture is not served while it is in the trash. */
const MEDIA_FACTS = ["filename", "alt", "mime", "width", "height", "size", "createdAt"];

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "–" : JSON.stringify(value, null, 2);
}

function Contents({ entry, content }: { entry: TrashEntry; content: object }) {
  const facts = Object.entries(content).filter(
    ([name]) => entry.kind === "record" || MEDIA_FACTS.includes(name),
  );
  return (
    <dl class="entry-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{shown(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

export function EntryDialog({ entry, onClose }: { entry: TrashEntry; onClose: () => void }) {
  const { data, error } = useTrashEntry(entry.id);
  const mayPurge = useMay("admin");
  const [isAsked, setAsked] = useState(false);
  const purging = usePurge();
  const title = entry.title ?? entry.id;
  const purge = (): void =>
    purging.mutate(entry, {
      onSuccess: () => {
        notify(`${title} is gone`);
        onClose();
      },
    });
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        mayPurge &&
        (isAsked ? (
          <>
            <Button onClick={() => setAsked(false)}>Keep it</Button>
            <Button kind="danger" busy={purging.isPending} onClick={purge}>
              Yes, for good
            </Button>
          </>
        ) : (
          <Button kind="danger" icon={<Trash2 />} onClick={() => setAsked(true)}>
            Remove for good
          </Button>
        ))
      }
    >
      <p class="field-hint">
        Thrown away on {dateTime(entry.deletedAt)}, removed on {dateTime(entry.purgeAt)}.
      </p>
      {(error ?? purging.error) && <Fault error={error ?? purging.error} />}
      {!data && !error && <Skeleton />}
      {data?.content && <Contents entry={entry} content={data.content} />}
      {data && data.content === null && <p>Its model is gone, and what it held cannot be shown.</p>}
    </Dialog>
  );
}
