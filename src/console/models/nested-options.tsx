/** The options of fields that hold components or rich text. */
import { nameOf, type Model } from "../api/models.ts";
import { Check, Field } from "../ui/field.tsx";
import {
  ANNOTATIONS_DEFAULT,
  DECORATORS_DEFAULT,
  INTERNAL_LINK,
  LINK,
  LISTS_DEFAULT,
  STYLES_DEFAULT,
} from "../field-controls/rich-text/portable-text.ts";
import type { OptionsProps } from "./options.ts";

const componentsIn = (models: readonly Model[]): Model[] =>
  models.filter(({ typeModel }) => typeModel === "components");

/** Renders the one component of a field. */
export function ComponentOption({ field, models, faults, onChange }: OptionsProps) {
  const components = componentsIn(models);
  return (
    <Field
      label="Component"
      required
      faults={faults("component")}
      hint={components.length === 0 ? "There is none yet: make a model of the kind component." : undefined}
    >
      {(control) => (
        <select
          {...control}
          class="select"
          value={field.component ?? ""}
          onChange={(event) => onChange({ component: event.currentTarget.value })}
        >
          <option value="" disabled>
            Choose a component
          </option>
          {components.map((model) => (
            <option key={model.name} value={model.name}>
              {nameOf(model)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Renders a choice of several names. */
function Choices({
  legend,
  hint,
  names,
  chosen,
  faults,
  onChange,
}: {
  legend: string;
  hint?: string | undefined;
  names: readonly (readonly [name: string, words: string])[];
  chosen: readonly string[];
  faults: readonly string[];
  onChange: (names: string[]) => void;
}) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {hint && <p class="field-hint">{hint}</p>}
      <div class="choices-list">
        {names.map(([name, words]) => (
          <Check
            key={name}
            label={words}
            checked={chosen.includes(name)}
            // The order of the list is the order in which editors are offered them.
            onChange={(is) =>
              onChange(names.map(([one]) => one).filter((one) => (one === name ? is : chosen.includes(one))))
            }
          />
        ))}
      </div>
      {faults.length > 0 && <p class="field-faults">{faults.join("; ")}</p>}
    </fieldset>
  );
}

/** Renders the components that may stand among blocks, or in a rich text. */
export function ComponentsOption({ field, models, faults, onChange }: OptionsProps) {
  const components = componentsIn(models);
  const isText = field.type === "richtext";
  if (isText && components.length === 0) return null;
  return (
    <Choices
      legend={isText ? "Components in the text" : "Components"}
      hint={components.length === 0 ? "There is none yet: make a model of the kind component." : undefined}
      names={components.map((model) => [model.name, nameOf(model)])}
      chosen={field.components ?? []}
      faults={faults("components")}
      onChange={(names) => onChange({ components: isText && names.length === 0 ? undefined : names })}
    />
  );
}

const WORDS: Record<string, string> = {
  normal: "Paragraph",
  h1: "Heading 1",
  h2: "Heading 2",
  h3: "Heading 3",
  h4: "Heading 4",
  blockquote: "Quotation",
  bullet: "Bulleted",
  number: "Numbered",
  strong: "Bold",
  em: "Italic",
  underline: "Underline",
  "strike-through": "Strikethrough",
  code: "Code",
};

type NamesOption = "styles" | "lists" | "decorators";
const DEFAULTS: Record<NamesOption, readonly string[]> = {
  styles: STYLES_DEFAULT,
  lists: LISTS_DEFAULT,
  decorators: DECORATORS_DEFAULT,
};
const SEPARATORS = /[\s,;]+/;

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();

/** Renders the usual names as switches, and names of the reader's own in a line below. */
function Names({
  legend,
  option,
  field,
  faults,
  onChange,
}: Omit<OptionsProps, "models"> & { legend: string; option: NamesOption }) {
  const usual = DEFAULTS[option];
  const chosen = field[option] ?? usual;
  const own = chosen.filter((name) => !usual.includes(name));
  const set = (names: string[]): void => onChange({ [option]: isSame(names, usual) ? undefined : names });
  return (
    <div class="choices-pair">
      <Choices
        legend={legend}
        names={usual.map((name) => [name, WORDS[name] ?? name])}
        chosen={chosen}
        faults={faults(option)}
        onChange={(names) => set([...names, ...own])}
      />
      <Field label={`Other ${option}`} hint="Your own, with spaces between.">
        {(control) => (
          <input
            {...control}
            class="input mono"
            spellcheck={false}
            autocapitalize="none"
            // Taken when the reader leaves it, so that a name can be written in peace.
            defaultValue={own.join(" ")}
            onBlur={({ currentTarget: { value } }) => {
              const names = value.split(SEPARATORS).filter((name) => name !== "" && !usual.includes(name));
              if (!isSame(names, own)) set([...usual.filter((name) => chosen.includes(name)), ...names]);
            }}
          />
        )}
      </Field>
    </div>
  );
}

/** Renders the forms, links and pictures that a rich text may have. */
export function RichTextOptions(props: OptionsProps) {
  const { field, models, faults, onChange } = props;
  const annotations = field.annotations ?? [...ANNOTATIONS_DEFAULT];
  const internal = annotations.find((one) => typeof one === "object")?.to ?? "";
  const setLinks = (hasLink: boolean, to: string): void => {
    const links = [
      ...(hasLink ? [LINK as "link"] : []),
      ...(to === "" ? [] : [{ name: INTERNAL_LINK as "internalLink", to }]),
    ];
    onChange({ annotations: hasLink && to === "" ? undefined : links });
  };
  return (
    <>
      <Names legend="Styles" option="styles" {...props} />
      <Names legend="Lists" option="lists" {...props} />
      <Names legend="Marks" option="decorators" {...props} />
      <div class="field-pair">
        <div class="choices-list">
          <Check
            label="Links"
            hint="To pages of the web, mail addresses and paths."
            checked={annotations.includes(LINK)}
            onChange={(is) => setLinks(is, internal)}
          />
          <Check
            label="Pictures"
            hint="Between paragraphs, with alt text and caption."
            checked={field.image === true}
            onChange={(image) => onChange({ image })}
          />
        </div>
        <Field label="Links to records of" faults={faults("annotations")}>
          {(control) => (
            <select
              {...control}
              class="select"
              value={internal}
              onChange={(event) => setLinks(annotations.includes(LINK), event.currentTarget.value)}
            >
              <option value="">None</option>
              {models
                .filter(({ typeModel }) => typeModel === "collections")
                .map((model) => (
                  <option key={model.name} value={model.name}>
                    {nameOf(model)}
                  </option>
                ))}
            </select>
          )}
        </Field>
      </div>
    </>
  );
}
