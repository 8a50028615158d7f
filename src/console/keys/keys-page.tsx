/** The keys of the space: who may do what. */
import { KeyRound, Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import { useKeys, useRevokeKey, type ApiKey } from "../api/keys.ts";
import { ago, dateTime } from "../lib/format.ts";
import { useMay } from "../session/context.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import { notify } from "../ui/toast.tsx";
import { NewKey } from "./new-key.tsx";
import { ROLE_WORDS } from "./roles.ts";
import "./keys.css";

function Revoke({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
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
      <p>Whatever uses it is refused at once. This cannot be undone.</p>
      {error && (
        <p class="form-faults" role="alert">
          {error.message}
        </p>
      )}
    </Dialog>
  );
}

function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  return (
    <li class="key-row">
      <KeyRound aria-hidden="true" />
      <div class="key-words">
        <p class="key-name">
          {apiKey.name} <span class="badge">{apiKey.role}</span>
        </p>
        <p class="field-hint">
          {ROLE_WORDS[apiKey.role]} Made{" "}
          <time dateTime={apiKey.createdAt} title={dateTime(apiKey.createdAt)}>
            {ago(apiKey.createdAt)}
          </time>
          .
        </p>
      </div>
      <Button small aria-label={`Revoke ${apiKey.name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  );
}

function Keys() {
  const { data, error, refetch } = useKeys();
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  if (error) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={5} />;
  if (data.length === 0) {
    return (
      <Empty title="No keys yet" picture={<KeyRound />}>
        A site, a script or a person signs in with a key. Its role says what they may do.
      </Empty>
    );
  }
  return (
    <>
      <ul class="card key-rows">
        {data.map((apiKey) => (
          <KeyRow key={apiKey.id} apiKey={apiKey} onRevoke={() => setRevoked(apiKey)} />
        ))}
      </ul>
      {revoked && <Revoke apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

export function KeysPage() {
  const isAdmin = useMay("admin");
  const [isMaking, setMaking] = useState(false);
  return (
    <Page
      title="Keys"
      narrow
      actions={
        isAdmin && (
          <Button kind="solid" icon={<Plus />} onClick={() => setMaking(true)}>
            New key
          </Button>
        )
      }
    >
      {isAdmin ? (
        <Keys />
      ) : (
        <Empty title="Not for this key" picture={<KeyRound />}>
          A key with the role admin lists keys, makes and revokes them.
        </Empty>
      )}
      {isMaking && <NewKey onClose={() => setMaking(false)} />}
    </Page>
  );
}
