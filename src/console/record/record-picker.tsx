/** A dialog to choose records of a collection in. */
import { Check as CheckIcon } from "lucide-preact";
import { useState } from "preact/hooks";
import { nameOf, type Model } from "../api/models.ts";
import { titleOf, useRecords } from "../api/records.ts";
import { queryOf, SORT_DEFAULT } from "../content/view.ts";
import { ago } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Empty, Fault, Skeleton } from "../ui/page.tsx";
import { SearchBox } from "../ui/search.tsx";
import { useChoice, type PickerProps } from "./use-choice.ts";

const STEP = 60;

export function RecordPicker({ target, ...props }: PickerProps & { target: Model }) {
  const { isMany, onClose } = props;
  const { ids, pick, done } = useChoice(props);
  const [search, setSearch] = useState("");
  const [last, setLast] = useState(STEP - 1);
  const asked = queryOf(target, { search, sort: SORT_DEFAULT, filters: [], columns: [] });
  const list = useRecords(target, asked, { first: 0, last });
  const records = list.traces.flatMap((_, at) => list.item(at) ?? []);
  return (
    <Dialog
      title={`Choose from ${nameOf(target)}`}
      onClose={onClose}
      actions={
        isMany && (
          <Button kind="solid" onClick={done}>
            Take {ids.length}
          </Button>
        )
      }
    >
      <SearchBox name="Search records" value={search} onChange={setSearch} />
      {list.error && <Fault error={list.error} onRetry={list.retry} />}
      {list.isFirstRead && !list.error && <Skeleton />}
      {!list.isFirstRead && records.length === 0 && !list.error && <Empty title="No record" />}
      <ul class="picker-records">
        {records.map((record) => (
          <li key={record.id}>
            <button
              type="button"
              class="picker-record"
              aria-pressed={ids.includes(record.id)}
              onClick={() => pick(record.id)}
            >
              <span>{titleOf(target, record)}</span>
              <span class="field-hint">{ago(record.updatedAt)}</span>
              {ids.includes(record.id) && <CheckIcon aria-hidden="true" />}
            </button>
          </li>
        ))}
      </ul>
      {list.hasMore && records.length > 0 && (
        <Button onClick={() => setLast(records.length + STEP)}>Show more</Button>
      )}
    </Dialog>
  );
}
