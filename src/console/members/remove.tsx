/** Removes a member. The keys that it made stay, so the dialog lists them, and can revoke them. */
import { useState } from "preact/hooks";
import { useKeys, type ApiKey } from "../api/keys.ts";
import { useRemoveMember, type Member } from "../api/members.ts";
import { Revoke } from "../keys/revoke.tsx";
import { counted } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Fault, Skeleton } from "../ui/page.tsx";
import { notify } from "../ui/toast.tsx";

function MadeKeys({ keys }: { keys: readonly ApiKey[] }) {
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  return (
    <>
      <ul class="card card-rows" aria-label="Keys that they made">
        {keys.map((apiKey) => (
          <li key={apiKey.id} class="card-row">
            <p class="card-row-words card-row-name">
              {apiKey.name} <span class="badge">{apiKey.role}</span>
            </p>
            <Button small aria-label={`Revoke ${apiKey.name}`} onClick={() => setRevoked(apiKey)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {revoked && <Revoke apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

/** Shows the keys of a removed member that still work, from a list that was read after the removal. */
function LeftKeys({ member, ids }: { member: Member; ids: readonly string[] }) {
  const { data: keys, error, refetch } = useKeys(`the removal of ${member.id}`);
  const left = keys?.filter(({ id }) => ids.includes(id));
  return (
    <>
      {error && (
        <>
          <p>
            {counted(left?.length ?? ids.length, "key")} that they made may still work. The list of keys could
            not be read.
          </p>
          <Fault error={error} onRetry={() => void refetch()} />
        </>
      )}
      {!left && !error && <Skeleton lines={3} />}
      {left && left.length > 0 && (
        <>
          <p>These keys that they made still work. Revoke those that are not needed.</p>
          <MadeKeys keys={left} />
        </>
      )}
      {left?.length === 0 && !error && <p>All keys that they made are revoked.</p>}
    </>
  );
}

export function Remove({ member, onClose }: { member: Member; onClose: () => void }) {
  const { mutate, isPending, error, data } = useRemoveMember();
  const { data: keys = [] } = useKeys();
  const made = keys.filter(({ maker }) => maker?.kind === "member" && maker.id === member.id);
  const remove = (): void =>
    mutate(member, {
      onSuccess: ({ data: removal }) => {
        notify(`${member.email} is removed`);
        if (removal.keys.length === 0) onClose();
      },
    });
  if (data) {
    return (
      <Dialog
        title={`${member.email} is removed`}
        onClose={onClose}
        actions={
          <Button kind="solid" onClick={onClose}>
            Done
          </Button>
        }
      >
        <LeftKeys member={member} ids={data.data.keys} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={`Remove ${member.email}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button kind="danger" busy={isPending} onClick={remove}>
            Yes, remove
          </Button>
        </>
      }
    >
      <p>
        Their sessions and preview tokens end at once.
        {made.length > 0 && " These keys that they made stay until an admin revokes them:"}
      </p>
      {made.length > 0 && <MadeKeys keys={made} />}
      {error && (
        <p class="form-faults" role="alert">
          {error.message}
        </p>
      )}
    </Dialog>
  );
}
