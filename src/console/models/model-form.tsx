/** The form of a model: its names and options, and its fields in order. */
import { Plus } from "lucide-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { faultsAt, otherFaults, type Faults } from "../api/faults.ts";
import { canTitle, fieldTypes } from "../api/field-types.ts";
import type { FieldType, Model, TypeModel } from "../api/models.ts";
import { useLocales } from "../api/space.ts";
import { renamedInPreview } from "../lib/preview-template.ts";
import { Check, Field } from "../ui/field.tsx";
import { Card } from "../ui/page.tsx";
import { newField, type DraftField, type ModelDraft } from "./draft.ts";
import { FieldCard } from "./field-card.tsx";
import "../ui/add-one.css";
import "./models.css";

interface ModelFormProps {
  draft: ModelDraft;
  typeModel: TypeModel;
  /** All models: fields lead to collections, and hold components. */
  models: readonly Model[];
  faults: Faults;
  mayChange: boolean;
  onChange: (to: Partial<ModelDraft>) => void;
}

const SHOWN = ["typeModel", "name", "label", "description", "titleField", "previewUrl", "fields"];

/** Renders the message above a form that was refused, with the faults that no control shows. */
export function ModelFaults({ faults }: { faults: Faults }) {
  const ref = useRef<HTMLParagraphElement>(null);
  const others = otherFaults(faults, SHOWN);
  const beside = faults.size - others.length;
  useEffect(() => {
    ref.current?.scrollIntoView({ block: "center" });
  }, [faults.size]);
  if (faults.size === 0) return null;
  return (
    <p class="form-faults" role="alert" ref={ref}>
      {others.length > 0
        ? others.join("; ")
        : `Not saved: ${beside === 1 ? "one entry needs" : `${beside} entries need`} another look.`}
    </p>
  );
}

/** Renders the options of a model. */
export function About({ typeModel, draft, faults, mayChange, onChange }: Omit<ModelFormProps, "models">) {
  const titles = draft.fields.filter((field) => canTitle(field) && field.name !== "");
  return (
    <fieldset class="model-about" disabled={!mayChange}>
      <Field label="Model label" hint="What editors read." faults={faultsAt(faults, "label")}>
        {(control) => (
          <input
            {...control}
            class="input"
            value={draft.label}
            onInput={(event) => onChange({ label: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field
        label={typeModel === "components" ? "Titled by" : "Records are titled by"}
        hint={
          typeModel === "components"
            ? "Where a folded one is shown by a line."
            : "In lists, the trash and where they are named."
        }
        faults={faultsAt(faults, "titleField")}
      >
        {(control) => (
          <select
            {...control}
            class="select"
            value={draft.titleField ?? ""}
            onChange={(event) => onChange({ titleField: event.currentTarget.value || null })}
          >
            <option value="">The first text</option>
            {titles.map(({ key, name, label }) => (
              <option key={key} value={name}>
                {label || name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="model-about-wide">
        <Field label="Model description" faults={faultsAt(faults, "description")}>
          {(control) => (
            <textarea
              {...control}
              class="textarea model-description"
              rows={2}
              value={draft.description}
              onInput={(event) => onChange({ description: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      {typeModel !== "components" && (
        <>
          <div class="model-about-wide">
            <Field
              label="Preview page"
              hint="The page of your site that shows a draft. {id}, {model}, {locale}, {token} and short texts stand in braces: https://www.example.com/{slug}?token={token}"
              faults={faultsAt(faults, "previewUrl")}
            >
              {(control) => (
                <input
                  {...control}
                  class="input mono"
                  type="text"
                  inputMode="url"
                  autoComplete="off"
                  spellcheck={false}
                  value={draft.previewUrl}
                  onInput={(event) => onChange({ previewUrl: event.currentTarget.value })}
                />
              )}
            </Field>
          </div>
          <Check
            label="Drafts"
            hint="What is saved is seen by visitors once it is published."
            checked={draft.drafts}
            disabled={!mayChange}
            onChange={(drafts) => onChange({ drafts })}
          />
          <Check
            label="Public"
            hint="Anybody reads what is published, without a key."
            checked={draft.public}
            disabled={!mayChange}
            onChange={(isPublic) => onChange({ public: isPublic })}
          />
        </>
      )}
    </fieldset>
  );
}

function AddField({ onAdd }: { onAdd: (type: FieldType) => void }) {
  return (
    <div class="add-field" role="group" aria-label="Add a field">
      <p class="field-hint">Add a field</p>
      <ul>
        {fieldTypes().map(({ type, words, meaning }) => (
          <li key={type}>
            <button type="button" class="add-one" title={meaning} onClick={() => onAdd(type)}>
              <Plus aria-hidden="true" />
              {words}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

export function FieldsOf({ typeModel, draft, models, faults, mayChange, onChange }: ModelFormProps) {
  const hasLocales = useLocales().length > 0;
  const [open, setOpen] = useState<number | null>(null);
  const { fields } = draft;
  const firstFaulty = fields.find((_, at) => faultsAt(faults, `fields.${at}`).length > 0)?.key ?? null;
  useEffect(() => {
    if (firstFaulty !== null) setOpen(firstFaulty);
  }, [firstFaulty]);
  const change = (key: number, to: Partial<DraftField>): void => {
    const was = fields.find((field) => field.key === key);
    // The title field stays the same under its new name, and so does a field that the preview names.
    const titleField = to.name !== undefined && was?.name === draft.titleField ? to.name : draft.titleField;
    const previewUrl =
      was && to.name !== undefined ? renamedInPreview(draft.previewUrl, was.name, to.name) : draft.previewUrl;
    onChange({
      titleField,
      previewUrl,
      fields: fields.map((field) => (field.key === key ? { ...field, ...to } : field)),
    });
  };
  const move = (at: number, by: -1 | 1): void => {
    const order = [...fields];
    const [moved] = order.splice(at, 1);
    if (moved) order.splice(at + by, 0, moved);
    onChange({ fields: order });
  };
  return (
    <Card title="Fields" aside={<p class="page-aside">{fields.length || "none yet"}</p>}>
      {faultsAt(faults, "fields").length > 0 && fields.length === 0 && (
        <p class="field-faults">{faultsAt(faults, "fields").join("; ")}</p>
      )}
      <ol class="model-fields">
        {fields.map((field, at) => (
          <FieldCard
            key={field.key}
            field={field}
            models={models}
            isInComponent={typeModel === "components"}
            hasLocales={hasLocales}
            isOpen={open === field.key}
            isFirst={at === 0}
            isLast={at === fields.length - 1}
            faults={(option) => faultsAt(faults, option ? `fields.${at}.${option}` : `fields.${at}`)}
            mayChange={mayChange}
            onToggle={() => setOpen(open === field.key ? null : field.key)}
            onChange={(to) => change(field.key, to)}
            onMove={(by) => move(at, by)}
            onRemove={() => onChange({ fields: fields.filter(({ key }) => key !== field.key) })}
          />
        ))}
      </ol>
      {mayChange && (
        <AddField
          onAdd={(type) => {
            const field = newField(type);
            onChange({ fields: [...fields, field] });
            setOpen(field.key);
          }}
        />
      )}
    </Card>
  );
}
