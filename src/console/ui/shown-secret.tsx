/** Shows a secret, this once: a key, or a webhook's signing secret. */
import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";

export function ShownSecret({
  title,
  label,
  copy,
  secret,
  note,
  children,
  onClose,
}: {
  title: string;
  /** The name of the field with the secret. */
  label: string;
  /** The name of the button that copies it. */
  copy: string;
  secret: string;
  note?: ComponentChildren;
  /** The use of the secret, in a sentence. */
  children?: ComponentChildren;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <Button kind="solid" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>
        {children} Copy it now: <strong>it is shown this once</strong>, and the service cannot show it again.
      </p>
      <Field label={label}>
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
        <CopyButton text={secret} name={copy} />
      </div>
      {note && <p class="field-hint">{note}</p>}
    </Dialog>
  );
}
