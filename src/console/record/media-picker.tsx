/** A dialog to choose pictures in. */
import { Check as CheckIcon } from "lucide-preact";
import { useState } from "preact/hooks";
import { useMediaList } from "../api/media.ts";
import { Thumb } from "../media/thumb.tsx";
import { useMay } from "../session/context.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Empty, Fault, Skeleton } from "../ui/page.tsx";
import { SearchBox } from "../ui/search.tsx";
import { useUploadQueue } from "../uploads/context.tsx";
import { FileButton } from "../uploads/picker.tsx";
import { useChoice, type PickerProps } from "./use-choice.ts";

const STEP = 60;
const THUMB_PIXELS = 150;

export function MediaPicker(props: PickerProps) {
  const { isMany, onClose } = props;
  const { ids, pick, done } = useChoice(props);
  const [search, setSearch] = useState("");
  const [last, setLast] = useState(STEP - 1);
  const list = useMediaList({ first: 0, last }, { search });
  const mayWrite = useMay("write");
  const queue = useUploadQueue();
  const items = list.traces.flatMap((_, at) => list.item(at) ?? []);
  return (
    <Dialog
      wide
      title={isMany ? "Choose pictures" : "Choose a picture"}
      onClose={onClose}
      actions={
        isMany && (
          <Button kind="solid" onClick={done}>
            Take {ids.length}
          </Button>
        )
      }
    >
      <div class="picker-ways">
        <SearchBox name="Search pictures" value={search} onChange={setSearch} />
        {mayWrite && (
          <FileButton
            name="Upload pictures"
            label="Upload"
            kind="plain"
            multiple
            onFiles={(files) => queue.add(files)}
          />
        )}
      </div>
      {list.error && <Fault error={list.error} onRetry={list.retry} />}
      {list.isFirstRead && !list.error && <Skeleton />}
      {!list.isFirstRead && items.length === 0 && !list.error && <Empty title="No picture" />}
      <ul class="picker-pictures">
        {items.map((media) => (
          <li key={media.id}>
            <button
              type="button"
              class="picker-picture"
              aria-pressed={ids.includes(media.id)}
              onClick={() => pick(media.id)}
            >
              <span class="picker-thumb">
                <Thumb media={media} width={THUMB_PIXELS} />
                {ids.includes(media.id) && <CheckIcon aria-hidden="true" />}
              </span>
              <span class="picker-name">{media.filename}</span>
            </button>
          </li>
        ))}
      </ul>
      {list.hasMore && items.length > 0 && (
        <Button onClick={() => setLast(items.length + STEP)}>Show more</Button>
      )}
    </Dialog>
  );
}
