/** A dialog to choose pictures in. */
import { Check as CheckIcon } from "lucide-preact";
import { useMediaList } from "../../api/media.ts";
import { Thumb } from "../../media/thumb.tsx";
import { useMay } from "../../session/context.tsx";
import { useUploadQueue } from "../../uploads/context.tsx";
import { FileButton } from "../../uploads/picker.tsx";
import { PickerDialog, usePicker, type PickerProps } from "./picker.tsx";

const THUMB_PIXELS = 150;

export function MediaPicker(props: PickerProps) {
  const picker = usePicker(props);
  const list = useMediaList(picker.shown, { search: picker.search });
  const mayWrite = useMay("write");
  const queue = useUploadQueue();
  return (
    <PickerDialog
      {...props}
      picker={picker}
      list={list}
      wide
      title={props.isMany ? "Choose pictures" : "Choose a picture"}
      searchName="Search pictures"
      empty="No picture"
      classes={{ list: "picker-pictures", item: "picker-picture" }}
      ways={
        mayWrite && (
          <FileButton
            name="Upload pictures"
            label="Upload"
            kind="plain"
            multiple
            onFiles={(files) => queue.add(files)}
          />
        )
      }
    >
      {(media, isChosen) => (
        <>
          <span class="picker-thumb">
            <Thumb media={media} width={THUMB_PIXELS} />
            {isChosen && <CheckIcon aria-hidden="true" />}
          </span>
          <span class="picker-name">{media.filename}</span>
        </>
      )}
    </PickerDialog>
  );
}
