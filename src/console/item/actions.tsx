/** The actions on an item: download, replace its file, rename it, throw it away. */
import { Download, Pencil, Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { useChangeMedia, useTrashMedia, type Media } from "../api/media.ts";
import { samePath } from "../lib/same-origin.ts";
import { useMay, useSession } from "../session/context.tsx";
import { useGoBack } from "../ui/back.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { complain, notify } from "../ui/toast.tsx";
import { UPLOAD } from "../../limits.ts";
import { useUploadQueue } from "../uploads/context.tsx";
import { FileButton } from "../uploads/picker.tsx";

function Rename({ media, onClose }: { media: Media; onClose: () => void }) {
  const [filename, setFilename] = useState(media.filename);
  const { mutate, isPending, error } = useChangeMedia(media.id);
  const save = (): void => mutate({ filename }, { onSuccess: onClose });
  return (
    <Dialog
      title="Rename"
      onClose={onClose}
      actions={
        <Button kind="solid" busy={isPending} onClick={save}>
          Rename
        </Button>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field label="File name" faults={error ? [error.message] : []}>
          {(control) => (
            <input
              {...control}
              class="input"
              maxLength={UPLOAD.filenameMaxCharacters}
              value={filename}
              onInput={(event) => setFilename(event.currentTarget.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

export function ItemActions({ media }: { media: Media }) {
  const { space } = useSession();
  const goBack = useGoBack();
  const [isRenaming, setRenaming] = useState(false);
  const mayWrite = useMay("write");
  const queue = useUploadQueue();
  const { mutate, isPending } = useTrashMedia();
  const trash = (): void =>
    mutate([media.id], {
      onSuccess: () => {
        notify(`${media.filename} is in the trash`);
        goBack(`/${space}/media`);
      },
      onError: (error) => complain(error.message),
    });
  return (
    <>
      <a class={buttonClass("plain")} href={samePath(media.directUrl)} download={media.filename}>
        <Download aria-hidden="true" />
        Download
      </a>
      {mayWrite && (
        <>
          <Button icon={<Pencil />} onClick={() => setRenaming(true)}>
            Rename
          </Button>
          <FileButton
            name="Replace the file"
            label="Replace"
            kind="plain"
            onFiles={(files) => queue.add(files, media.id)}
          />
          <Button kind="danger" icon={<Trash2 />} busy={isPending} onClick={trash}>
            Move to trash
          </Button>
        </>
      )}
      {isRenaming && <Rename media={media} onClose={() => setRenaming(false)} />}
    </>
  );
}
