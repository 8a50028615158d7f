/** The fields of a record, in their model's order. */
import { ArrowLeftToLine } from "lucide-preact";
import { allFaults, faultsWithin, otherFaults, type Faults } from "../api/faults.ts";
import { labelOf, type Model, type RecordModel } from "../api/models.ts";
import { AnyControl } from "../field-controls/any-control.tsx";
import { ContentLanguage } from "../field-controls/language.ts";
import { languageName } from "../lib/languages.ts";
import { IconButton } from "../ui/button.tsx";
import { Empty } from "../ui/page.tsx";
import { LanguageBar, type Languages } from "./languages.tsx";
import { slotKey, slotLabel, slotsOfField, type Slot } from "../api/slots.ts";
import type { Editing } from "./use-editing.ts";

interface RecordFormProps {
  model: RecordModel;
  models: readonly Model[];
  editing: Editing;
  mayChange: boolean;
  /** Whether the faults stand in the way of a publication: the record is saved then. */
  isPublication: boolean;
  languages: Languages;
  onLanguages: (to: Languages) => void;
}

type ControlProps = Omit<RecordFormProps, "model" | "isPublication" | "onLanguages"> & { slot: Slot };

/** Returns the hint of a field whose value all languages share, while another than the first is written. */
function sharedHint({ description }: Slot["field"], isOther: boolean): string | undefined {
  return isOther ? [description, "The same in every language."].filter(Boolean).join(" ") : description;
}

function SlotControl({ slot, models, editing, mayChange, languages }: ControlProps) {
  const { values, faults, set, locales } = editing;
  const { key, field, locale } = slot;
  const isOther = locale === null && locales.length > 0 && languages.shown !== locales[0]?.code;
  const isPair = locale !== null && languages.beside !== null;
  const description = sharedHint(field, isOther);
  return (
    <ContentLanguage.Provider value={locale}>
      <AnyControl
        key={key}
        field={{
          ...field,
          ...(isPair && { label: slotLabel(slot) }),
          ...(description !== undefined && { description }),
        }}
        value={values[key]}
        models={models}
        mayChange={mayChange}
        faults={faultsWithin(faults, key)}
        onChange={(value) => set({ [key]: value })}
      />
    </ContentLanguage.Provider>
  );
}

/** Renders a field in one language, or in two beside each other. */
function FieldSlots(props: ControlProps & { slots: readonly Slot[] }) {
  const { slot, slots, editing, mayChange, languages } = props;
  const { shown, beside } = languages;
  if (slot.locale === null) return <SlotControl {...props} />;
  const own = slots.find(({ locale }) => locale === shown) ?? slot;
  const other = slots.find(({ locale }) => locale === beside);
  if (!other || beside === null) return <SlotControl {...props} slot={own} key={own.key} />;
  const copy = (): void => editing.set({ [own.key]: structuredClone(editing.values[other.key]) });
  return (
    <div class="form-pair">
      <div class="form-side">
        <SlotControl {...props} slot={own} key={own.key} />
      </div>
      <div class="form-side">
        <SlotControl {...props} slot={other} key={other.key} />
        {mayChange && (
          <IconButton
            class="icon-button form-copy"
            name={`Copy from ${languageName(beside)} to ${languageName(shown)}: ${labelOf(slot.field)}`}
            icon={<ArrowLeftToLine />}
            onClick={copy}
          />
        )}
      </div>
    </div>
  );
}

/** Returns the faults of places that are not on screen, with the names of these. */
function hiddenFaults({ faults, slots }: Editing, { shown, beside }: Languages): string[] {
  const hidden = slots.filter(({ locale }) => locale !== null && locale !== shown && locale !== beside);
  return hidden.flatMap((slot) =>
    [...faultsWithin(faults, slot.key).values()].flat().map((message) => `${slotLabel(slot)} ${message}`),
  );
}

/** Returns the words about faults that stand beside their controls. */
function summaryOf(faults: Faults, slots: readonly Slot[], isPublication: boolean): string {
  if (faults.size > 1) return `${faults.size} fields need another look.`;
  const slot = isPublication && slots.find(({ key }) => faultsWithin(faults, key).size > 0);
  return slot ? `${slotLabel(slot)} ${allFaults(faults).join(", ")}` : "one field needs another look.";
}

export function RecordForm(props: RecordFormProps) {
  const { model, editing, mayChange, isPublication, languages } = props;
  const { faults, save, locales, slots } = editing;
  const others = [
    ...otherFaults(
      faults,
      slots.map(({ key }) => key),
    ),
    ...hiddenFaults(editing, languages),
  ];
  return (
    <form
      class="card record-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {locales.length > 0 && (
        <LanguageBar
          editing={editing}
          languages={languages}
          mayChange={mayChange}
          onChange={props.onLanguages}
        />
      )}
      {others.length > 0 && (
        <p class="form-faults" role="alert">
          {others.join("; ")}
        </p>
      )}
      {faults.size > 0 && others.length === 0 && (
        <p class="form-faults" role="alert">
          {isPublication ? "Not published" : "Not saved"}: {summaryOf(faults, slots, isPublication)}
        </p>
      )}
      {model.fields.length === 0 && <Empty title="No fields yet">Give the model some.</Empty>}
      {model.fields.map((field) => {
        const own = slotsOfField(field, locales);
        const [slot] = own;
        return slot && <FieldSlots key={slotKey(field.name, null)} {...props} slot={slot} slots={own} />;
      })}
    </form>
  );
}
