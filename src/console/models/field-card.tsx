/** One field of a model: a line with its name and type, and its options below while it is open. */
import { ArrowDown, ArrowUp, ChevronDown, Trash2 } from "lucide-preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { FIELD_TYPES, fieldTypes, isFieldType } from "../api/field-types.ts";
import type { Model } from "../api/models.ts";
import { IconButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { fieldName, type DraftField } from "./draft.ts";
import { FieldOptions } from "./field-options.tsx";

interface FieldCardProps {
  field: DraftField;
  /** All models of the space. */
  models: readonly Model[];
  isInComponent: boolean;
  hasLocales: boolean;
  isOpen: boolean;
  isFirst: boolean;
  isLast: boolean;
  /** Returns the faults of an option of this field; for "", those of all its options. */
  faults: (option: string) => string[];
  mayChange: boolean;
  onToggle: () => void;
  onChange: (to: Partial<DraftField>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function Marks({ field }: { field: DraftField }) {
  const marks = [
    field.required && "required",
    field.unique && "unique",
    field.multiple && "several",
    field.to && `→ ${field.to}`,
    field.component && `→ ${field.component}`,
    field.localized && "by language",
  ].filter(Boolean);
  return (
    <>
      {marks.map((mark) => (
        <span key={String(mark)} class="field-mark">
          {mark}
        </span>
      ))}
      {field.was === null && <span class="badge badge-accent">new</span>}
      {field.was !== null && field.was !== field.name && (
        <span class="badge badge-warn">was {field.was}</span>
      )}
    </>
  );
}

/** Renders the name, the label and the type, which every field has. */
function Naming({ field, faults, onChange }: Pick<FieldCardProps, "field" | "faults" | "onChange">) {
  // The name follows the label until the reader gives the field a name of its own.
  const follows = field.was === null && field.name === fieldName(field.label ?? "");
  const label = useRef<HTMLInputElement>(null);
  const isFresh = field.was === null && field.name === "";
  useLayoutEffect(() => {
    if (isFresh) label.current?.focus();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- when it opens, and not again
  }, []);
  return (
    <div class="field-pair">
      <Field label="Label" hint="What editors read." faults={faults("label")}>
        {(control) => (
          <input
            {...control}
            ref={label}
            class="input"
            value={field.label ?? ""}
            onInput={({ currentTarget: { value } }) =>
              onChange({ label: value, ...(follows && { name: fieldName(value) }) })
            }
          />
        )}
      </Field>
      <Field label="Field name" required hint="What the API calls it." faults={faults("name")}>
        {(control) => (
          <input
            {...control}
            class="input mono"
            spellcheck={false}
            autocapitalize="none"
            value={field.name}
            onInput={(event) => onChange({ name: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Type" faults={faults("type")}>
        {(control) => (
          <select
            {...control}
            class="select"
            value={field.type}
            onChange={({ currentTarget: { value } }) => {
              const type = isFieldType(value) ? value : field.type;
              // Options that are set already stay, in case the reader goes back to the type before.
              const start = Object.entries(FIELD_TYPES[type].start).map(([option, empty]) => [
                option,
                field[option as keyof DraftField] ?? empty,
              ]);
              onChange({ type, default: undefined, ...(Object.fromEntries(start) as Partial<DraftField>) });
            }}
          >
            {fieldTypes().map(({ type, words }) => (
              <option key={type} value={type}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Help for editors" faults={faults("description")}>
        {(control) => (
          <input
            {...control}
            class="input"
            value={field.description ?? ""}
            onInput={(event) => onChange({ description: event.currentTarget.value })}
          />
        )}
      </Field>
    </div>
  );
}

export function FieldCard(props: FieldCardProps) {
  const { field, models, isOpen, isFirst, isLast, faults, mayChange, onToggle, onChange, onMove } = props;
  const id = useId();
  const called = field.name || "the new field";
  return (
    <li class={isOpen ? "model-field model-field-open" : "model-field"}>
      <div class="model-field-head">
        <button
          type="button"
          class="model-field-toggle"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onToggle}
        >
          <ChevronDown aria-hidden="true" />
          <span class="model-field-name">{field.label || field.name || "New field"}</span>
          {field.label && field.name && <code>{field.name}</code>}
          <span class="badge">{FIELD_TYPES[field.type].words}</span>
          <Marks field={field} />
          {faults("").length > 0 && <span class="badge badge-bad">to mend</span>}
        </button>
        {mayChange && (
          <div class="model-field-ways">
            <IconButton
              name={`Move ${called} up`}
              icon={<ArrowUp />}
              disabled={isFirst}
              onClick={() => onMove(-1)}
            />
            <IconButton
              name={`Move ${called} down`}
              icon={<ArrowDown />}
              disabled={isLast}
              onClick={() => onMove(1)}
            />
            <IconButton name={`Remove ${called}`} icon={<Trash2 />} onClick={props.onRemove} />
          </div>
        )}
      </div>
      {isOpen && (
        <fieldset id={id} class="model-field-body" disabled={!mayChange} aria-label={`Field ${called}`}>
          <Naming field={field} faults={faults} onChange={onChange} />
          <FieldOptions
            field={field}
            models={models}
            isInComponent={props.isInComponent}
            hasLocales={props.hasLocales}
            faults={faults}
            onChange={onChange}
          />
        </fieldset>
      )}
    </li>
  );
}
