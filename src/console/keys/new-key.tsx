/** Makes a key and shows it, this once. */
import { useState } from "preact/hooks";
import { KEY } from "../../limits.ts";
import { faultsAt, faultsOf, otherFaults } from "../api/faults.ts";
import { useCreateKey, type KeyRole } from "../api/keys.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { KEY_ROLES, ROLE_WORDS } from "./roles.ts";

const FIELDS = ["name", "role"];

function Made({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  return (
    <Dialog
      title={`The key ${name}`}
      onClose={onClose}
      actions={
        <Button kind="solid" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>
        Copy it now. <strong>It is shown this once</strong>, and nobody can look it up later.
      </p>
      <Field label="New key">
        {(control) => (
          <input
            {...control}
            class="input mono"
            readOnly
            value={secret}
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
      </Field>
      <div>
        <CopyButton text={secret} name="Copy key" />
      </div>
    </Dialog>
  );
}

export function NewKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState<KeyRole>("read");
  const { mutate, isPending, error, data } = useCreateKey();
  if (data) return <Made name={data.name} secret={data.key} onClose={onClose} />;
  const faults = faultsOf(error);
  const others = otherFaults(faults, FIELDS);
  const create = (): void => mutate({ name: name.trim(), role });
  return (
    <Dialog
      title="Make a key"
      onClose={onClose}
      actions={
        <Button kind="solid" busy={isPending} onClick={create}>
          Create key
        </Button>
      }
    >
      <form
        class="new-key"
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        {others.length > 0 && (
          <p class="form-faults" role="alert">
            {others.join("; ")}
          </p>
        )}
        <Field
          label="Key name"
          required
          hint="What it is for: “website”, “Ada’s laptop”."
          faults={faultsAt(faults, "name")}
        >
          {(control) => (
            <input
              {...control}
              class="input"
              autofocus
              maxLength={KEY.nameMaxCharacters}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <fieldset class="key-roles">
          <legend>Role</legend>
          {KEY_ROLES.map((one) => (
            <label key={one} class="key-role">
              <input type="radio" name="role" checked={role === one} onChange={() => setRole(one)} />
              <span>
                {one}
                <span class="field-hint">{ROLE_WORDS[one]}</span>
              </span>
            </label>
          ))}
        </fieldset>
      </form>
    </Dialog>
  );
}
