/** A record, or the content of a page: the form of its model, filled in. */
import { History as HistoryIcon } from "lucide-preact";
import { Link, useLocation, useParams } from "wouter-preact";
import { SilverprintError } from "../../client/index.ts";
import { nameOf, useModel, type Model } from "../api/models.ts";
import { titleOf, useRecord, type RecordView } from "../api/records.ts";
import { useMay, useSession } from "../session/context.tsx";
import { Gone } from "../session/gone.tsx";
import { BackLink } from "../ui/back.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Fault, Page, Skeleton } from "../ui/page.tsx";
import { notify } from "../ui/toast.tsx";
import { About } from "./about.tsx";
import { Conflict } from "./conflict.tsx";
import { RecordForm } from "./form.tsx";
import { PublishButtons, usePublishing } from "./publishing.tsx";
import { TrashRecord } from "./trash-record.tsx";
import { useEditing } from "./use-editing.ts";
import "./record.css";

const NEW = "new";

function Back({ model }: { model?: Model }) {
  const { space } = useSession();
  const list = model?.typeModel === "collections" ? `/collections/${model.name}` : "";
  return <BackLink to={`/${space}/content${list}`} />;
}

interface EditorProps {
  model: Model;
  models: readonly Model[];
  /** Null for a new one. */
  record: RecordView | null;
}

function Editor({ model, models, record }: EditorProps) {
  const { space } = useSession();
  const [, navigate] = useLocation();
  const mayChange = useMay("write");
  const mayPreview = useMay("preview");
  const isPage = model.typeModel === "pages";
  const editing = useEditing(model, record, (made) => {
    notify("Saved");
    navigate(`/${space}/content/${model.typeModel}/${model.name}/${made.id}`, { replace: true });
  });
  const publishing = usePublishing(model, editing);
  const { saved } = editing;
  const title = isPage ? nameOf(model) : saved ? titleOf(model, saved) : "New record";
  return (
    <Page
      sticky
      form
      title={title}
      above={<Back model={model} />}
      aside={isPage ? "Single page" : nameOf(model)}
      actions={
        <>
          {saved && mayPreview && (
            <Link
              class={buttonClass("plain")}
              href={`/${space}/content/${model.typeModel}/${model.name}/${saved.id}/history`}
            >
              <HistoryIcon aria-hidden="true" />
              History
            </Link>
          )}
          {mayChange && (
            <>
              {saved && <TrashRecord model={model} record={saved} onLeave={editing.release} />}
              <Button
                kind={model.drafts ? "plain" : "solid"}
                busy={editing.isSaving}
                disabled={saved !== null && !editing.isDirty}
                onClick={() => editing.save()}
              >
                Save
              </Button>
              {model.drafts && <PublishButtons model={model} editing={editing} publishing={publishing} />}
            </>
          )}
        </>
      }
    >
      <div class="record">
        <RecordForm
          model={model}
          models={models}
          editing={publishing.faults.size > 0 ? { ...editing, faults: publishing.faults } : editing}
          mayChange={mayChange}
        />
        <About model={model} record={saved} status={editing.status} />
      </div>
      {editing.conflict && (
        <Conflict
          model={model}
          models={models}
          conflict={editing.conflict}
          isSaving={editing.isSaving}
          onResolve={editing.resolve}
          onClose={editing.closeConflict}
        />
      )}
    </Page>
  );
}

export function RecordPage() {
  const params = useParams<{ typeModel: string; model: string; id?: string }>();
  const { model, models, error: modelError } = useModel(params.typeModel, params.model);
  const isNew = params.id === NEW && params.typeModel === "collections";
  const id = isNew ? null : (params.id ?? params.model);
  const typeModel = params.typeModel === "pages" ? "pages" : "collections";
  const { data, error, refetch } = useRecord({ typeModel, name: params.model }, id);
  if (model && models && (isNew || data)) {
    return (
      <Editor key={`${model.name}/${isNew ? NEW : id}`} model={model} models={models} record={data ?? null} />
    );
  }
  const isGone = model === null || (error instanceof SilverprintError && error.status === 404);
  return (
    <Page title={isGone ? "Not here" : "Record"} above={<Back {...(model && { model })} />}>
      {isGone && <Gone what="record" />}
      {!isGone && (error || modelError) && (
        <Fault error={error ?? modelError} onRetry={() => void refetch()} />
      )}
      {!isGone && !error && !modelError && <Skeleton lines={8} />}
    </Page>
  );
}
