/** The question before a key is revoked. */
import { useRevokeKey, type ApiKey } from "../api/keys.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { notify } from "../ui/toast.tsx";

export function Revoke({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { mutate, isPending, error } = useRevokeKey();
  const revoke = (): void =>
    mutate(apiKey, {
      onSuccess: () => {
        notify(`${apiKey.name} is revoked`);
        onClose();
      },
    });
  return (
    <Dialog
      title={`Revoke ${apiKey.name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" busy={isPending} onClick={revoke}>
            Yes, revoke
          </Button>
        </>
      }
    >
      <p>The service refuses this key at once. This cannot be undone.</p>
      {error && (
        <p class="form-faults" role="alert">
          {error.message}
        </p>
      )}
    </Dialog>
  );
}
