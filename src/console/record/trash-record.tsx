/** Moves a record to the trash; a page starts anew with its defaults. */
import { Trash2 } from "lucide-preact";
import type { RecordModel } from "../api/models.ts";
import { titleOf, useTrashRecord, type RecordView } from "../api/records.ts";
import { useSession } from "../session/context.tsx";
import { useGoBack } from "../ui/back.tsx";
import { Button } from "../ui/button.tsx";
import { complain, notify } from "../ui/toast.tsx";

interface TrashProps {
  model: RecordModel;
  record: RecordView;
  /** Discards unsaved changes without asking, because the record is deleted. */
  onLeave: () => void;
}

export function TrashRecord({ model, record, onLeave }: TrashProps) {
  const { space } = useSession();
  const goBack = useGoBack();
  const { mutate, isPending } = useTrashRecord(model);
  const isPage = model.typeModel === "pages";
  const trash = (): void =>
    mutate(record.id, {
      onSuccess: () => {
        onLeave();
        notify(`${isPage ? "The former page" : titleOf(model, record)} is in the trash`);
        goBack(isPage ? `/${space}/content` : `/${space}/content/collections/${model.name}`);
      },
      onError: (error) => complain(error.message),
    });
  return (
    <Button kind="danger" icon={<Trash2 />} busy={isPending} onClick={trash}>
      {isPage ? "Start anew" : "Move to trash"}
    </Button>
  );
}
