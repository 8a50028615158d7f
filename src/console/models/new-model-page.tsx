/** The page of a new model: its kind and name, which cannot be changed later, and the form of a model. */
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { faultsAt, faultsOf } from "../api/faults.ts";
import { useCreateModel, useModels, type TypeModel } from "../api/models.ts";
import { useSession } from "../session/context.tsx";
import { BackLink } from "../ui/back.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Card, Page } from "../ui/page.tsx";
import { notify } from "../ui/toast.tsx";
import { useUnsaved } from "../ui/unsaved.tsx";
import { bodyOf, EMPTY, modelName, type ModelDraft } from "./draft.ts";
import { About, FieldsOf, ModelFaults } from "./model-form.tsx";

const KINDS: readonly { typeModel: TypeModel; words: string; meaning: string }[] = [
  { typeModel: "collections", words: "Collection", meaning: "Many records of one kind" },
  { typeModel: "pages", words: "Single page", meaning: "Exactly one record" },
  { typeModel: "components", words: "Component", meaning: "A group of fields that other models hold" },
];

export function NewModelPage() {
  const { space } = useSession();
  const [, navigate] = useLocation();
  const { data: models = [] } = useModels();
  const { mutate, isPending, error } = useCreateModel();
  const [draft, setDraft] = useState<ModelDraft>(EMPTY);
  const [typeModel, setTypeModel] = useState<TypeModel>("collections");
  const [name, setName] = useState("");
  const release = useUnsaved(draft === EMPTY && name === "" ? null : "The new model");
  const faults = faultsOf(error);

  const change = (to: Partial<ModelDraft>): void => {
    if (to.label !== undefined && name === modelName(draft.label)) setName(modelName(to.label));
    setDraft({ ...draft, ...to });
  };
  const create = (): void =>
    mutate(
      { ...bodyOf(draft, typeModel), typeModel, name },
      {
        onSuccess: () => {
          release();
          notify(`The model ${name} is there`);
          navigate(`/${space}/models`);
        },
      },
    );
  return (
    <Page
      sticky
      title="New model"
      narrow
      above={<BackLink to={`/${space}/models`} />}
      actions={
        <Button kind="solid" busy={isPending} onClick={create}>
          Create model
        </Button>
      }
    >
      <ModelFaults faults={faults} />
      <Card>
        <fieldset class="kinds">
          <legend>Kind</legend>
          {KINDS.map((kind) => (
            <label key={kind.typeModel} class="kind">
              <input
                type="radio"
                name="kind"
                checked={typeModel === kind.typeModel}
                onChange={() => setTypeModel(kind.typeModel)}
              />
              <span>
                {kind.words}
                <span class="field-hint">{kind.meaning}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <About typeModel={typeModel} draft={draft} faults={faults} mayChange onChange={change} />
        <Field
          label="Model name"
          required
          hint={
            typeModel === "components"
              ? "Cannot be changed later: models name it."
              : "Cannot be changed later: it is part of the address of every record."
          }
          faults={faultsAt(faults, "name")}
        >
          {(control) => (
            <input
              {...control}
              class="input mono"
              spellcheck={false}
              autocapitalize="none"
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
      </Card>
      <FieldsOf
        typeModel={typeModel}
        draft={draft}
        models={models}
        faults={faults}
        mayChange
        onChange={change}
      />
    </Page>
  );
}
