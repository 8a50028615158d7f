/** The keys of the space, with their roles and scopes. */
import { KeyRound, Plus } from "lucide-preact";
import { useState } from "preact/hooks";
import { useKeys, type ApiKey } from "../api/keys.ts";
import { useMembers } from "../api/members.ts";
import { ago, dateTime } from "../lib/format.ts";
import { useMay } from "../session/context.tsx";
import { Button } from "../ui/button.tsx";
import { Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import { NewKey } from "./new-key.tsx";
import { Revoke } from "./revoke.tsx";
import { ROLE_WORDS } from "./roles.ts";
import { scopeWords } from "./access-fields.tsx";
import "../ui/lists/card-rows.css";
import "./keys.css";

/** Renders when a key ends by itself. */
function End({ at }: { at: string }) {
  const isOver = Date.parse(at) <= Date.now();
  return (
    <>
      {isOver ? "Ended" : "Ends"} on{" "}
      <time dateTime={at} title={dateTime(at)}>
        {dateTime(at)}
      </time>
      .{" "}
    </>
  );
}

/** The names of keys and members, by id; undefined until they are read. */
type Makers = ReadonlyMap<string, string> | undefined;

/** Returns the maker of a key in words; an empty text if it is not known. */
function makerWords({ maker }: ApiKey, makers: Makers): string {
  if (maker === null || makers === undefined) return "";
  if (maker.kind === "root") return ` by ${maker.id}`;
  return ` by ${makers.get(maker.id) ?? `a ${maker.kind} that is removed`}`;
}

function KeyRow({ apiKey, makers, onRevoke }: { apiKey: ApiKey; makers: Makers; onRevoke: () => void }) {
  const limits = scopeWords(apiKey.scopes);
  return (
    <li class="card-row">
      <KeyRound aria-hidden="true" />
      <div class="card-row-words">
        <p class="card-row-name">
          {apiKey.name} <span class="badge">{apiKey.role}</span>
        </p>
        <p class="field-hint">
          {ROLE_WORDS[apiKey.role]} Made{" "}
          <time dateTime={apiKey.createdAt} title={dateTime(apiKey.createdAt)}>
            {ago(apiKey.createdAt)}
          </time>
          {makerWords(apiKey, makers)}. {apiKey.expiresAt !== null && <End at={apiKey.expiresAt} />}
          {limits && `Scopes: ${limits}.`}
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
  const { data: members } = useMembers();
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
  const makers =
    members &&
    new Map([
      ...data.map(({ id, name }) => [id, name] as const),
      ...members.map(({ id, email }) => [id, email] as const),
    ]);
  return (
    <>
      <ul class="card card-rows">
        {data.map((apiKey) => (
          <KeyRow key={apiKey.id} apiKey={apiKey} makers={makers} onRevoke={() => setRevoked(apiKey)} />
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
