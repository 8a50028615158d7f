/**
 * The history of a record: its events with their authors, the differences of each version, and the way to restore one.
 */
import { History as HistoryIcon } from "lucide-preact";
import { useState } from "preact/hooks";
import { useParams } from "wouter-preact";
import { nameOf, useRecordModel, type Model, type RecordModel } from "../api/models.ts";
import { titleOf, useRecord } from "../api/records.ts";
import { useRestoreVersion, useVersions, type RecordEvent } from "../api/versions.ts";
import { useLocalesOf } from "../api/space.ts";
import { languageName } from "../lib/languages.ts";
import { useMay, useSession } from "../session/context.tsx";
import { Ago } from "../ui/ago.tsx";
import { BackLink } from "../ui/back.tsx";
import { Button } from "../ui/button.tsx";
import { Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import { complain, notify } from "../ui/toast.tsx";
import { Differences } from "./differences.tsx";
import "./history.css";

const EVENT_BADGES: Record<RecordEvent["event"], string> = {
  created: "badge badge-accent",
  updated: "badge",
  published: "badge badge-good",
  unpublished: "badge badge-warn",
  trashed: "badge badge-bad",
  restored: "badge badge-accent",
};

const keyOf = ({ version, event, createdAt }: RecordEvent): string => `${version}/${event}/${createdAt}`;

/** Returns the languages that an event changed: none for a record that is the same in all. */
const localesOf = (event: RecordEvent): readonly string[] =>
  (event as { locales?: readonly string[] }).locales ?? [];

interface EventsProps {
  events: readonly RecordEvent[];
  shown: RecordEvent | undefined;
  onShow: (event: RecordEvent) => void;
}

function Events({ events, shown, onShow }: EventsProps) {
  return (
    <ol class="events" aria-label="Versions">
      {events.map((one) => (
        <li key={keyOf(one)}>
          <button
            type="button"
            class="event"
            aria-current={shown && keyOf(shown) === keyOf(one) ? "true" : undefined}
            onClick={() => onShow(one)}
          >
            <span class="event-head">
              <span class="numbers">Version {one.version}</span>
              <span class={EVENT_BADGES[one.event]}>{one.event}</span>
            </span>
            <span class="field-hint">
              <Ago time={one.createdAt} />
              {one.actor && `, by ${one.actor.kind === "system" ? "the service" : one.actor.name}`}
            </span>
            {localesOf(one).length > 0 && (
              <span class="field-hint">{localesOf(one).map(languageName).join(", ")}</span>
            )}
          </button>
        </li>
      ))}
    </ol>
  );
}

function RecordHistory({ model, models, id }: { model: RecordModel; models: readonly Model[]; id: string }) {
  const mayRestore = useMay("write");
  const { data: record } = useRecord(model, id);
  const { data: events, error, refetch } = useVersions(model, id);
  const { mutate, isPending } = useRestoreVersion(model, id);
  const [chosen, setChosen] = useState<RecordEvent | null>(null);
  const shown = chosen ?? events?.[0];
  const before = events?.find(({ version }) => shown && version < shown.version);
  const locales = useLocalesOf(model) ?? [];
  const [locale, setLocale] = useState<string | null>(null);
  const restore = (version: number): void =>
    mutate(
      { version, locale },
      {
        onSuccess: () => {
          setChosen(null);
          const what = locale === null ? "content" : `content in ${languageName(locale)}`;
          notify(`Version ${version} is the ${what} again`);
        },
        onError: (fault) => complain(fault.message),
      },
    );
  const isPage = model.typeModel === "pages";
  return (
    <Page
      form
      title={isPage ? nameOf(model) : record ? titleOf(model, record) : "History"}
      aside="History"
      above={<Back model={model} id={id} />}
      actions={
        mayRestore &&
        shown &&
        record &&
        shown.version !== record.version && (
          <>
            {locales.length > 1 && (
              <select
                class="select history-locale"
                aria-label="Languages to restore"
                value={locale ?? ""}
                onChange={(event) => setLocale(event.currentTarget.value || null)}
              >
                <option value="">All languages</option>
                {locales.map(({ code }) => (
                  <option key={code} value={code}>
                    {languageName(code)} alone
                  </option>
                ))}
              </select>
            )}
            <Button icon={<HistoryIcon />} busy={isPending} onClick={() => restore(shown.version)}>
              Restore version {shown.version}
            </Button>
          </>
        )
      }
    >
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!events && !error && <Skeleton lines={6} />}
      {events?.length === 0 && (
        <Empty title="Nothing was kept yet" picture={<HistoryIcon />}>
          What comes after the next change is kept here.
        </Empty>
      )}
      {events && shown && (
        <div class="history">
          <Events events={events} shown={shown} onShow={setChosen} />
          <Differences
            model={model}
            models={models}
            id={id}
            version={shown.version}
            before={before?.version ?? null}
          />
        </div>
      )}
    </Page>
  );
}

function Back({ model, id }: { model: RecordModel; id: string }) {
  const { space } = useSession();
  return <BackLink to={`/${space}/content/${model.typeModel}/${model.name}/${id}`} />;
}

export function HistoryPage() {
  const { typeModel, model: name, id } = useParams<{ typeModel: string; model: string; id: string }>();
  const { model, models, error, refetch } = useRecordModel(typeModel, name);
  if (model && models) return <RecordHistory key={id} model={model} models={models} id={id} />;
  return (
    <Page title={model === null ? "Not here" : "History"}>
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {model === null && <Empty title="There is no such model">It may have been removed.</Empty>}
      {model === undefined && !error && <Skeleton lines={6} />}
    </Page>
  );
}
