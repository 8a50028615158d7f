/** The members of the space: people who sign in by the deployment's provider. */
import { Plus, UserRound, Users } from "lucide-preact";
import { useState } from "preact/hooks";
import { useEndSessions, useMembers, type Member } from "../api/members.ts";
import { scopeWords } from "../keys/access-fields.tsx";
import { ago, dateTime } from "../lib/format.ts";
import { useMay } from "../session/context.tsx";
import { Button } from "../ui/button.tsx";
import { Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import { complain, notify } from "../ui/toast.tsx";
import { MemberForm } from "./member-form.tsx";
import { Remove } from "./remove.tsx";
import "../ui/lists/card-rows.css";
import "../keys/keys.css";

function Seen({ at }: { at: string | null }) {
  if (at === null) return <>Has not signed in yet.</>;
  return (
    <>
      Last signed in{" "}
      <time dateTime={at} title={dateTime(at)}>
        {ago(at)}
      </time>
      .
    </>
  );
}

function MemberRow({
  member,
  onChange,
  onRemove,
}: {
  member: Member;
  onChange: () => void;
  onRemove: () => void;
}) {
  const end = useEndSessions();
  const limits = scopeWords(member.scopes);
  const endSessions = (): void =>
    end.mutate(member, {
      onSuccess: () => notify(`The sessions of ${member.email} are ended`),
      onError: ({ message }) => complain(`The sessions of ${member.email} are not ended: ${message}`),
    });
  return (
    <li class="card-row">
      <UserRound aria-hidden="true" />
      <div class="card-row-words">
        <p class="card-row-name">
          {member.email} <span class="badge">{member.role}</span>
        </p>
        <p class="field-hint">
          <Seen at={member.lastSeenAt} /> {limits && `Scopes: ${limits}.`}
        </p>
      </div>
      <Button small aria-label={`Change ${member.email}`} onClick={onChange}>
        Change
      </Button>
      <Button small busy={end.isPending} aria-label={`End sessions of ${member.email}`} onClick={endSessions}>
        End sessions
      </Button>
      <Button small aria-label={`Remove ${member.email}`} onClick={onRemove}>
        Remove
      </Button>
    </li>
  );
}

function Members() {
  const { data, error, refetch } = useMembers();
  const [removed, setRemoved] = useState<Member | null>(null);
  const [changed, setChanged] = useState<Member | null>(null);
  if (error) return <Fault error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton lines={5} />;
  // The dialog that removes the last member goes on to show its keys.
  return (
    <>
      {data.length === 0 ? (
        <Empty title="No members yet" picture={<Users />}>
          Invite people by their address. They sign in with the provider of this deployment, without a key.
        </Empty>
      ) : (
        <ul class="card card-rows">
          {data.map((member) => (
            <MemberRow
              key={member.id}
              member={member}
              onChange={() => setChanged(member)}
              onRemove={() => setRemoved(member)}
            />
          ))}
        </ul>
      )}
      {removed && <Remove member={removed} onClose={() => setRemoved(null)} />}
      {changed && <MemberForm member={changed} onClose={() => setChanged(null)} />}
    </>
  );
}

export function MembersPage() {
  const isAdmin = useMay("admin");
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title="Members"
      narrow
      actions={
        isAdmin && (
          <Button kind="solid" icon={<Plus />} onClick={() => setInviting(true)}>
            Invite
          </Button>
        )
      }
    >
      {isAdmin ? (
        <Members />
      ) : (
        <Empty title="Not for this role" picture={<Users />}>
          The role admin lists members, invites and removes them.
        </Empty>
      )}
      {isInviting && <MemberForm member={null} onClose={() => setInviting(false)} />}
    </Page>
  );
}
