/** The content of an entry of the trash, and the button that removes it for good. */
import type { ComponentChildren } from "preact";
import { Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import type { Media } from "../api/media.ts";
import { useModel, type Model } from "../api/models.ts";
import type { RecordView } from "../api/records.ts";
import { slotLabel, slotsOf, storedAt, type Slot } from "../api/slots.ts";
import { useLocalesOf } from "../api/space.ts";
import { usePurge, useTrashEntry, type TrashEntry } from "../api/trash.ts";
import { Value } from "../field-controls/shown.tsx";
import { bytes, count, dateTime, formatName } from "../lib/format.ts";
import { languageName } from "../lib/languages.ts";
import { useMay } from "../session/context.tsx";
import { Ago } from "../ui/ago.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Fault, Skeleton } from "../ui/page.tsx";
import { notify } from "../ui/toast.tsx";

type Fact = readonly [name: string, value: ComponentChildren];

const Moment = ({ time }: { time: string }) => <time dateTime={time}>{dateTime(time)}</time>;

/** Returns the alt texts of an entry: one, or an object by language in a space with languages. */
function altFacts(alt: unknown): Fact[] {
  if (typeof alt !== "object" || alt === null) return [["Alt text", (alt as string) || "–"]];
  const texts = Object.entries(alt as Readonly<Record<string, string>>);
  return texts.map(([code, text]) => [`Alt text (${languageName(code)})`, text || "–"]);
}

/** Returns the facts of a media item. Its picture is not served while it is in the trash. */
const mediaFacts = (media: Media): Fact[] => [
  ["File name", media.filename],
  ...altFacts(media.alt),
  ["Format", formatName(media.mime)],
  ["Pixels", `${count(media.width)} × ${count(media.height)}`],
  ["Size", bytes(media.size)],
  ["Uploaded", <Moment key="time" time={media.createdAt} />],
];

const recordFacts = (record: RecordView, slots: readonly Slot[], models: readonly Model[]): Fact[] => [
  ...slots.map((slot): Fact => [
    slotLabel(slot),
    <Value key={slot.key} field={slot.field} value={storedAt(slot, record)} models={models} />,
  ]),
  ["Created", <Moment key="created" time={record.createdAt} />],
  ["Changed", <Moment key="changed" time={record.updatedAt} />],
];

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="entry-facts">
      {facts.map(([name, value], at) => (
        <div key={at}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function RecordContents({ entry, record }: { entry: TrashEntry; record: RecordView }) {
  const { model, models } = useModel(entry.typeModel ?? "", entry.model ?? "");
  const locales = useLocalesOf(model);
  if (!model || !models || !locales) return <Skeleton />;
  return <Facts facts={recordFacts(record, slotsOf(model, locales), models)} />;
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
          <Button
            kind="danger"
            icon={<Trash2 />}
            // Until it is seen what would be removed. The dialog grows then, and the button moves.
            disabled={!data && !error}
            onClick={() => setAsked(true)}
          >
            Remove for good
          </Button>
        ))
      }
    >
      <p class="field-hint">
        Thrown away <Ago time={entry.deletedAt} />, removed for good <Ago time={entry.purgeAt} />.
      </p>
      {(error ?? purging.error) && <Fault error={error ?? purging.error} />}
      {!data && !error && <Skeleton />}
      {data?.content && data.kind === "media" && <Facts facts={mediaFacts(data.content as Media)} />}
      {data?.content && data.kind === "record" && (
        <RecordContents entry={data} record={data.content as RecordView} />
      )}
      {data && data.content === null && <p>Its model is gone, and what it held cannot be shown.</p>}
    </Dialog>
  );
}
