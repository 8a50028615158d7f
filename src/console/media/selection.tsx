/** Which items are selected, and what can be done with them together. */
import { Trash2, X } from "lucide-preact";
import { useState } from "preact/hooks";
import { useTrashMedia } from "../api/media.ts";
import { counted } from "../lib/format.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { complain, notify } from "../ui/toast.tsx";

export interface Selection {
  ids: ReadonlySet<string>;
  toggle: (id: string, index: number, isRange: boolean) => void;
  clear: () => void;
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    toggle: (id) =>
      setIds((was) => {
        const now = new Set(was);
        if (!now.delete(id)) now.add(id);
        return now;
      }),
    clear: () => setIds(new Set()),
  };
}

export function SelectionBar({ selection }: { selection: Selection }) {
  const { ids, clear } = selection;
  const { mutate, isPending } = useTrashMedia();
  if (ids.size === 0) return null;
  const trash = (): void =>
    mutate([...ids], {
      onSuccess: () => {
        notify(`${counted(ids.size, "picture")} moved to the trash`);
        clear();
      },
      onError: (error) => complain(error.message),
    });
  return (
    <div class="selection" role="toolbar" aria-label="Selected pictures">
      <p class="numbers">{ids.size} selected</p>
      <Button icon={<Trash2 />} busy={isPending} onClick={trash}>
        Move to trash
      </Button>
      <IconButton name="Select none" icon={<X />} onClick={clear} />
    </div>
  );
}
