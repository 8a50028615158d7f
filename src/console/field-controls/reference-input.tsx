/** The control and the display that fields of media and of records share. */
import { X } from "lucide-preact";
import type { ComponentChildren, FunctionComponent, VNode } from "preact";
import { useState } from "preact/hooks";
import { labelOf } from "../api/models.ts";
import { count } from "../lib/format.ts";
import { buttonClass, IconButton } from "../ui/button.tsx";
import type { InputProps } from "./field-control.tsx";
import type { PickerProps } from "./pickers/picker.tsx";
import { NoValue } from "./shown-text.tsx";

/** The chosen items of a long list that a form shows. It keeps the others. */
const CHOSEN_MAX = 30;
/** The items of a list that are read for their names, each with a request of its own. */
const NAMED_MAX = 20;

const idsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string");

interface ChosenProps {
  id: string;
  title: string;
  picture?: ComponentChildren;
  hint?: ComponentChildren;
  /** Null if the reader may not change the record. */
  onRemove: (() => void) | null;
}

/** Renders one chosen item. */
export function Chosen({ title, picture, hint, onRemove }: Omit<ChosenProps, "id">) {
  return (
    <li class="chosen">
      {picture}
      <span class="chosen-words">
        <span>{title}</span>
        {hint}
      </span>
      {onRemove && <IconButton name={`Take out ${title}`} icon={<X />} onClick={onRemove} />}
    </li>
  );
}

interface ReferenceProps extends InputProps {
  icon: VNode;
  /** Whether there is something to choose from. */
  canChoose: boolean;
  Item: FunctionComponent<Pick<ChosenProps, "id" | "onRemove">>;
  Picker: FunctionComponent<PickerProps>;
}

/** Renders the chosen items, and the button that opens a dialog to choose others. */
export function ReferenceInput(props: ReferenceProps) {
  const { field, value, mayChange, control, onChange, icon, canChoose, Item, Picker } = props;
  const [isOpen, setOpen] = useState(false);
  const ids = idsOf(value);
  const isMany = field.multiple === true;
  const take = (to: readonly string[]): void => onChange(isMany ? to : (to[0] ?? null));
  const remove = (id: string) => (mayChange ? () => take(ids.filter((one) => one !== id)) : null);
  const verb = isMany ? "Add" : ids.length > 0 ? "Change" : "Choose";
  return (
    <div class="reference">
      {ids.length > 0 && (
        <ul class={isMany ? "chosen-list chosen-many" : "chosen-list"}>
          {ids.slice(0, CHOSEN_MAX).map((one) => (
            <Item key={one} id={one} onRemove={remove(one)} />
          ))}
        </ul>
      )}
      {ids.length > CHOSEN_MAX && <p class="field-hint">And {count(ids.length - CHOSEN_MAX)} more.</p>}
      <button
        aria-describedby={control["aria-describedby"]}
        aria-invalid={control["aria-invalid"]}
        id={control.id}
        aria-label={`${labelOf(field)} ${verb}`}
        type="button"
        class={buttonClass("plain")}
        disabled={!mayChange || !canChoose}
        onClick={() => setOpen(true)}
      >
        {icon}
        {verb}
      </button>
      {isOpen && <Picker chosen={ids} isMany={isMany} onTake={take} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Renders the name of an item that does not exist any more. It may be in the trash, where its id identifies it. */
export const Gone = ({ id }: { id: string }) => (
  <span title="It is not there any more.">
    <code>{id}</code>
  </span>
);

/** Shows ids by the names of their targets. */
export function NamedItems({ value, Item }: { value: unknown; Item: FunctionComponent<{ id: string }> }) {
  const ids = idsOf(value);
  if (ids.length === 0) return <NoValue />;
  return (
    <span class="value-references">
      {ids.slice(0, NAMED_MAX).map((id) => (
        <Item key={id} id={id} />
      ))}
      {ids.length > NAMED_MAX && <span>and {count(ids.length - NAMED_MAX)} more</span>}
    </span>
  );
}

/** Returns whether a value is a target that the service has expanded. */
export const isExpanded = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
