/** Removes a model that has no records. */
import { Trash2 } from "lucide-preact";
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { nameOf, useRemoveModel, type Model } from "../api/models.ts";
import { useSession } from "../session/context.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { notify } from "../ui/toast.tsx";

export function RemoveModel({ model }: { model: Model }) {
  const { space } = useSession();
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const { mutate, isPending, error, reset } = useRemoveModel(model);
  const close = (): void => {
    setOpen(false);
    reset();
  };
  const remove = (): void =>
    mutate(undefined, {
      onSuccess: () => {
        notify(`The model ${nameOf(model)} is removed`);
        navigate(`/${space}/models`);
      },
    });
  return (
    <div class="model-end">
      <Button kind="danger" icon={<Trash2 />} onClick={() => setOpen(true)}>
        Remove model
      </Button>
      {isOpen && (
        <Dialog
          title={`Remove ${nameOf(model)}?`}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>Keep it</Button>
              <Button kind="danger" busy={isPending} onClick={remove}>
                Remove
              </Button>
            </>
          }
        >
          <p>
            Only a model without records can be removed, those in the trash included. Its fields are gone for
            good.
          </p>
          {error && (
            <p class="form-faults" role="alert">
              {error.message}
            </p>
          )}
        </Dialog>
      )}
    </div>
  );
}
