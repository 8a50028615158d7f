/** The dialog for the address of a link. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { completed, isLinkable } from "./portable-text.ts";

interface LinkDialogProps {
  /** The address of the link that is changed; null for a new link. */
  href: string | null;
  onTake: (href: string) => void;
  onRemove: () => void;
  onClose: () => void;
}

const FAULT =
  "Write an address that begins with https://, mailto: or tel:, or a path of this site such as /about.";

export function LinkDialog({ href, onTake, onRemove, onClose }: LinkDialogProps) {
  const [text, setText] = useState(href ?? "");
  const [isWrong, setWrong] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.select(), []);
  const take = (): void => {
    const address = completed(text);
    if (isLinkable(address)) onTake(address);
    else setWrong(true);
  };
  return (
    <Dialog
      title={href === null ? "New link" : "Change the link"}
      onClose={onClose}
      actions={
        <>
          {href !== null && <Button onClick={onRemove}>Take off the link</Button>}
          <Button kind="solid" onClick={take}>
            Set link
          </Button>
        </>
      }
    >
      <Field
        label="Address"
        hint="Of a page, a mail address or a path of this site."
        faults={isWrong ? [FAULT] : []}
      >
        {(control) => (
          <input
            {...control}
            ref={input}
            class="input"
            inputMode="url"
            autocapitalize="none"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setWrong(false);
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              // It must not save the record around it.
              event.preventDefault();
              take();
            }}
          />
        )}
      </Field>
    </Dialog>
  );
}
