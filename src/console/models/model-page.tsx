/** The page of a model, which is changed after a review of the effect on its records, or removed. */
import { FileText } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link, useParams } from "wouter-preact";
import { faultsOf, isConflict, isStale } from "../api/faults.ts";
import {
  hasRecords,
  nameOf,
  useChangeModel,
  useModel,
  usePlanModelChange,
  type Model,
  type ModelChangeBody,
  type PlannedChange,
  type TypeModel,
} from "../api/models.ts";
import { useMay, useSession } from "../session/context.tsx";
import { BackLink } from "../ui/back.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Card, Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import { notify } from "../ui/toast.tsx";
import { useUnsaved } from "../ui/unsaved.tsx";
import { changeOf, draftOf, isChanged } from "./draft.ts";
import { About, FieldsOf, ModelFaults } from "./model-form.tsx";
import { RemoveModel } from "./remove-model.tsx";
import { Review } from "./review.tsx";

/** Returns whether a change is more than new fields and words, so that it is reviewed first. */
const needsLook = ({ removed, renamed, changed, conflicts }: PlannedChange): boolean =>
  removed.length > 0 || changed.length > 0 || conflicts.length > 0 || Object.keys(renamed).length > 0;

const KIND_WORDS: Record<TypeModel, string> = {
  collections: "collection",
  pages: "single page",
  components: "component",
};

function Back() {
  const { space } = useSession();
  return <BackLink to={`/${space}/models`} />;
}

function Stale({ onReload }: { onReload: () => void }) {
  return (
    <div class="form-faults" role="alert">
      <p>Another editor has changed this model since you opened it. Your change was not made.</p>
      <Button small onClick={onReload}>
        Show the newer model
      </Button>
    </div>
  );
}

/** Returns the fields that differ by language in the model, and do not after the change. */
const unifiedBy = ({ fields }: ModelChangeBody, model: Model): string[] =>
  model.fields
    .filter(
      ({ name, localized }) =>
        localized === true && fields.some((one) => one.name === name && !one.localized),
    )
    .map(({ name }) => name);

function Editor({ model, models, onReload }: { model: Model; models: Model[]; onReload: () => void }) {
  const { space } = useSession();
  const mayChange = useMay("admin");
  const [draft, setDraft] = useState(() => draftOf(model));
  const [plan, setPlan] = useState<PlannedChange | null>(null);
  const planning = usePlanModelChange(model);
  const changing = useChangeModel(model);
  const isDirty = isChanged(draft, model);
  useUnsaved(isDirty ? `The model ${nameOf(model)}` : null);

  const apply = (drop: string[]): void =>
    changing.mutate(changeOf(draft, model, drop), {
      onSuccess: (changed) => {
        setPlan(null);
        setDraft(draftOf(changed));
        notify("Model saved");
      },
      onError: (error) => !isConflict(error) && setPlan(null),
    });
  const save = (): void => {
    changing.reset();
    planning.mutate(changeOf(draft, model, []), {
      onSuccess: (planned) => (needsLook(planned) ? setPlan(planned) : apply([])),
    });
  };
  const error = planning.error ?? changing.error;
  const faults = faultsOf(isStale(error) || plan ? null : error);
  return (
    <Page
      sticky
      title={nameOf(model)}
      aside={
        <>
          <code>{model.name}</code> · {KIND_WORDS[model.typeModel]} · version {model.version}
        </>
      }
      above={<Back />}
      narrow
      actions={
        <>
          {hasRecords(model) && (
            <Link class={buttonClass("plain")} href={`/${space}/content/${model.typeModel}/${model.name}`}>
              <FileText aria-hidden="true" />
              {model.typeModel === "pages" ? "Edit page" : "Records"}
            </Link>
          )}
          {mayChange && (
            <Button
              kind="solid"
              disabled={!isDirty}
              busy={planning.isPending || (changing.isPending && !plan)}
              onClick={save}
            >
              Save model
            </Button>
          )}
        </>
      }
    >
      {isStale(error) && <Stale onReload={onReload} />}
      <ModelFaults faults={faults} />
      <Card>
        <About
          typeModel={model.typeModel}
          draft={draft}
          faults={faults}
          mayChange={mayChange}
          onChange={(to) => setDraft({ ...draft, ...to })}
        />
      </Card>
      <FieldsOf
        typeModel={model.typeModel}
        draft={draft}
        models={models}
        faults={faults}
        mayChange={mayChange}
        onChange={(to) => setDraft({ ...draft, ...to })}
      />
      {mayChange && <RemoveModel model={model} />}
      {!mayChange && <p class="field-hint">A key with the role admin changes models.</p>}
      {plan && (
        <Review
          plan={plan}
          unified={unifiedBy(changeOf(draft, model, []), model)}
          fault={changing.error}
          isBusy={changing.isPending}
          onApply={apply}
          onClose={() => setPlan(null)}
        />
      )}
    </Page>
  );
}

export function ModelPage() {
  const params = useParams<{ typeModel: string; model: string }>();
  const { model, models, error, refetch } = useModel(params.typeModel, params.model);
  const [opened, setOpened] = useState(0);
  if (model && models) {
    const reload = (): void => void refetch().then(() => setOpened((n) => n + 1));
    return (
      <Editor
        key={`${model.typeModel}/${model.name}/${opened}`}
        model={model}
        models={models}
        onReload={reload}
      />
    );
  }
  return (
    <Page title={model === null ? "Not here" : params.model} above={<Back />}>
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {model === null && <Empty title="There is no such model">It may have been removed.</Empty>}
      {model === undefined && !error && <Skeleton lines={6} />}
    </Page>
  );
}
