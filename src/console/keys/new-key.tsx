/** Makes a key and shows it, this once. */
import { useState } from "preact/hooks";
import { KEY } from "../../limits.ts";
import { faultsAt, faultsOf, otherFaults } from "../api/faults.ts";
import { useCreateKey } from "../api/keys.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { ShownSecret } from "../ui/shown-secret.tsx";
import { accessOf, AccessFields, draftOf } from "./access-fields.tsx";

const FIELDS = ["name", "role", "expiresAt"];

export function NewKey({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [access, setAccess] = useState(() => draftOf("read"));
  const [ends, setEnds] = useState("");
  const { mutate, isPending, error, data } = useCreateKey();
  if (data) {
    const of = { title: `The key ${data.name}`, label: "New key", copy: "Copy key", secret: data.key };
    return <ShownSecret {...of} onClose={onClose} />;
  }
  const faults = faultsOf(error);
  const others = otherFaults(faults, FIELDS);
  const create = (): void =>
    mutate({
      name: name.trim(),
      ...accessOf(access),
      expiresAt: ends === "" ? null : new Date(ends).toISOString(),
    });
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
        <AccessFields draft={access} onChange={setAccess} />
        <Field
          label="Ends"
          hint="The key ends by itself then. Empty: never."
          faults={faultsAt(faults, "expiresAt")}
        >
          {(control) => (
            <input
              {...control}
              class="input"
              type="datetime-local"
              value={ends}
              onInput={(event) => setEnds(event.currentTarget.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
