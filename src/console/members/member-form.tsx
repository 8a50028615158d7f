/** Invites a member, or changes role and scopes of one. */
import { useState } from "preact/hooks";
import { MEMBER } from "../../limits.ts";
import { faultsAt, faultsOf, otherFaults } from "../api/faults.ts";
import { useChangeMember, useInviteMember, type Member } from "../api/members.ts";
import { accessOf, AccessFields, draftOf } from "../keys/access-fields.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { notify } from "../ui/toast.tsx";

export function MemberForm({ member, onClose }: { member: Member | null; onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [access, setAccess] = useState(() => draftOf(member?.role ?? "write", member?.scopes));
  const [unbinds, setUnbinds] = useState(false);
  const invite = useInviteMember();
  const change = useChangeMember();
  const error = invite.error ?? change.error;
  const faults = faultsOf(error);
  const others = otherFaults(faults, ["email"]);
  const save = (): void => {
    const input = accessOf(access);
    const onSuccess = (): void => {
      notify(member ? `${member.email} is changed` : `${email.trim()} is invited`);
      onClose();
    };
    if (!member) {
      invite.mutate({ ...input, email }, { onSuccess });
      return;
    }
    const { role, scopes } = input;
    // Scopes that the editor left as they were are not sent.
    const before = accessOf(draftOf(member.role, member.scopes));
    const isSame = JSON.stringify(scopes) === JSON.stringify(before.scopes);
    const sent = { role, ...(!isSame && { scopes }), ...(unbinds && { bound: false as const }) };
    change.mutate({ ...sent, id: member.id }, { onSuccess });
  };
  return (
    <Dialog
      title={member ? `Change ${member.email}` : "Invite a member"}
      onClose={onClose}
      actions={
        <Button kind="solid" busy={invite.isPending || change.isPending} onClick={save}>
          {member ? "Save" : "Add member"}
        </Button>
      }
    >
      <form
        class="new-key"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {others.length > 0 && (
          <p class="form-faults" role="alert">
            {others.join("; ")}
          </p>
        )}
        {!member && (
          <Field
            label="Address"
            required
            hint="The address by which the provider knows them. Tell them yourself: no message is sent."
            faults={faultsAt(faults, "email")}
          >
            {(control) => (
              <input
                {...control}
                class="input"
                type="email"
                autofocus
                maxLength={MEMBER.emailMaxCharacters}
                value={email}
                onInput={(event) => setEmail(event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        <AccessFields draft={access} onChange={setAccess} />
        {member?.bound && (
          <label class="key-role">
            <input
              type="checkbox"
              checked={unbinds}
              onChange={(event) => setUnbinds(event.currentTarget.checked)}
            />
            <span>
              Let another person sign in with this address
              <span class="field-hint">The first sign-in bound one person of the provider.</span>
            </span>
          </label>
        )}
      </form>
    </Dialog>
  );
}
