/** The actions on all selected pictures together. */
import { Trash2 } from "lucide-preact";
import { useTrashMedia } from "../api/media.ts";
import { counted } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { SelectionBar, type Selection } from "../ui/lists/selection.tsx";
import { complain, notify } from "../ui/toast.tsx";

export function SelectedPictures({ selection }: { selection: Selection }) {
  const { mutate, isPending } = useTrashMedia();
  const ids = [...selection.items.keys()];
  const trash = (): void =>
    mutate(ids, {
      onSuccess: () => {
        notify(`${counted(ids.length, "picture")} moved to the trash`);
        selection.clear(ids);
      },
      onError: (error) => complain(error.message),
    });
  return (
    <SelectionBar selection={selection} label="Selected pictures">
      <Button icon={<Trash2 />} busy={isPending} onClick={trash}>
        Move to trash
      </Button>
    </SelectionBar>
  );
}
