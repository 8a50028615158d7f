/** A record, or the content of a page: the form of its model, filled in. */
import { AppWindow, History as HistoryIcon } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link, useLocation, useParams } from "wouter-preact";
import { SilverprintError } from "../../client/index.ts";
import { nameOf, useRecordModel, type Model, type RecordModel } from "../api/models.ts";
import { ALL_LOCALES, useRecord, type RecordView } from "../api/records.ts";
import { useLocalesOf, type Locale } from "../api/space.ts";
import { stayOnPage } from "../lib/places.ts";
import { useMay, useSession } from "../session/context.tsx";
import { Gone } from "../session/gone.tsx";
import { BackLink } from "../ui/back.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Fault, Page, Skeleton } from "../ui/page.tsx";
import { About } from "./about.tsx";
import { Conflict } from "./conflict.tsx";
import { Preview } from "./preview.tsx";
import { RecordForm } from "./form.tsx";
import type { Languages } from "./languages.tsx";
import { PublishButtons, usePublishing } from "./publishing.tsx";
import { TrashRecord } from "./trash-record.tsx";
import { useEditing } from "./use-editing.ts";
import "./record.css";

const NEW = "new";

function Back({ model }: { model?: RecordModel }) {
  const { space } = useSession();
  const list = model?.typeModel === "collections" ? `/collections/${model.name}` : "";
  return <BackLink to={`/${space}/content${list}`} />;
}

interface EditorProps {
  model: RecordModel;
  models: readonly Model[];
  /** Null for a new one. */
  record: RecordView | null;
  locales: readonly Locale[];
  /** Called with the id of a new record once it is stored. */
  onMade: (id: string) => void;
}

function Editor({ model, models, record, locales, onMade }: EditorProps) {
  const { space } = useSession();
  const [, navigate] = useLocation();
  const mayChange = useMay("write");
  const mayPreview = useMay("preview");
  const isPage = model.typeModel === "pages";
  const [languages, setLanguages] = useState<Languages>({ shown: locales[0]?.code ?? "", beside: null });
  const editing = useEditing(model, record, locales, ({ id }) => {
    onMade(id);
    stayOnPage();
    navigate(`/${space}/content/${model.typeModel}/${model.name}/${id}`, { replace: true });
  });
  const publishing = usePublishing(model, editing);
  const isPublication = editing.faults.size === 0 && publishing.faults.size > 0;
  const [isPreviewed, setPreviewed] = useState(false);
  const { saved } = editing;
  const { previewUrl } = model;
  const previewed =
    isPreviewed && saved && previewUrl !== null ? { record: saved, template: previewUrl } : null;
  const kinds = ["record", languages.beside !== null && "record-pair", previewed && "record-previewed"];
  const title = isPage ? nameOf(model) : (editing.title ?? "New record");
  return (
    <Page
      sticky
      form
      title={title}
      above={<Back model={model} />}
      aside={isPage ? "Single page" : nameOf(model)}
      actions={
        <>
          {saved && mayChange && previewUrl !== null && (
            <Button
              icon={<AppWindow aria-hidden="true" />}
              aria-pressed={isPreviewed}
              onClick={() => setPreviewed(!isPreviewed)}
            >
              Preview
            </Button>
          )}
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
      <div class={kinds.filter(Boolean).join(" ")}>
        {previewed && (
          <Preview
            {...previewed}
            model={model}
            slots={editing.slots}
            locale={locales.length > 0 ? languages.shown : null}
            onClose={() => setPreviewed(false)}
          />
        )}
        <RecordForm
          model={model}
          models={models}
          editing={isPublication ? { ...editing, faults: publishing.faults } : editing}
          mayChange={mayChange}
          isPublication={isPublication}
          languages={languages}
          onLanguages={setLanguages}
        />
        <About model={model} editing={editing} publishing={mayChange ? publishing : null} />
      </div>
      {editing.conflict && (
        <Conflict
          slots={editing.slots}
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

/**
 * Returns the key of a record's form, and a function that notes the id of a record which the form of a new one has
 * stored. The form stays then, with what was typed while the first save was under way. The next new record has a form
 * of its own.
 */
function useFormKey(id: string | null): [key: string, note: (id: string) => void] {
  const [made, setMade] = useState<readonly string[]>([]);
  const at = id === null ? made.length : made.indexOf(id);
  return [at === -1 ? String(id) : `${NEW} ${at}`, (stored) => setMade((before) => [...before, stored])];
}

export function RecordPage() {
  const params = useParams<{ typeModel: string; model: string; id?: string }>();
  const { model, models, error: modelError } = useRecordModel(params.typeModel, params.model);
  const isNew = params.id === NEW && params.typeModel === "collections";
  const id = isNew ? null : (params.id ?? params.model);
  const typeModel = params.typeModel === "pages" ? "pages" : "collections";
  const [formKey, noteMade] = useFormKey(id);
  const locales = useLocalesOf(model);
  const inAll = locales !== undefined && locales.length > 0 ? ALL_LOCALES : null;
  // A record that differs by language is read once the languages are known, and any other one at once.
  const isWaiting = model !== undefined && locales === undefined;
  const { data, error, refetch } = useRecord({ typeModel, name: params.model }, isWaiting ? null : id, inAll);
  if (model && models && locales && (isNew || data)) {
    return (
      <Editor
        key={`${model.name}/${formKey}/${locales.map(({ code }) => code).join()}`}
        model={model}
        models={models}
        record={data ?? null}
        locales={locales}
        onMade={noteMade}
      />
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
