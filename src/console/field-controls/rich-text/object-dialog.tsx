/** The form of a card: the fields of its component, or the picture with its alt text and caption. */
import { useState } from "preact/hooks";
import type { Faults } from "../../api/faults.ts";
import type { Field, Model } from "../../api/models.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { InnerControl } from "../field-control.tsx";
import { InnerFields } from "../nested/inner-fields.tsx";
import type { ObjectBlock } from "./portable-text.ts";

/** The members of a picture in a text, as fields. */
export const IMAGE_FIELDS: Field[] = [
  { name: "media", label: "Picture", type: "media", required: true },
  {
    name: "alt",
    label: "Alt text",
    type: "string",
    description: "Says here what the picture shows. Without it, the alt text of the picture is used.",
  },
  { name: "caption", label: "Caption", type: "string" },
];

interface ObjectDialogProps {
  title: string;
  value: ObjectBlock;
  fields: readonly Field[];
  models: readonly Model[];
  mayChange: boolean;
  faults: Faults;
  Inner: InnerControl;
  onTake: (value: ObjectBlock) => void;
  onClose: () => void;
}

export function ObjectDialog({ title, value, onTake, onClose, mayChange, ...form }: ObjectDialogProps) {
  const [draft, setDraft] = useState(value);
  return (
    <Dialog
      isForm={mayChange}
      wide={form.fields.length > IMAGE_FIELDS.length}
      title={title}
      onClose={onClose}
      actions={
        mayChange && (
          <Button kind="solid" onClick={() => onTake(draft)}>
            Done
          </Button>
        )
      }
    >
      <InnerFields
        {...form}
        mayChange={mayChange}
        values={draft}
        onChange={(name, to) => setDraft((known) => ({ ...known, [name]: to }))}
      />
    </Dialog>
  );
}
