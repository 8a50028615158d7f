/** The facts about a record beside its fields, and the records that refer to it. */
import { Eye, EyeOff } from "lucide-preact";
import { Link } from "wouter-preact";
import type { RecordModel } from "../api/models.ts";
import type { RecordView } from "../api/records.ts";
import { useRecordReferences } from "../api/references.ts";
import { StatusBadge } from "../content/status.tsx";
import { languageName } from "../lib/languages.ts";
import { IconButton } from "../ui/button.tsx";
import type { Publishing } from "./publishing.tsx";
import type { Editing } from "./use-editing.ts";
import { ago, dateTime, untitled } from "../lib/format.ts";
import { useSession } from "../session/context.tsx";
import { CopyButton } from "../ui/copy.tsx";
import { Card } from "../ui/page.tsx";

/** The times at which the record is to be published and unpublished. */
const PLANS = [
  ["publishAt", "Shown from"],
  ["unpublishAt", "Shown until"],
] as const;

/** Returns the name of the actor in `createdBy` or `updatedBy`. */
function authorIn(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("kind" in value) || !("name" in value)) return null;
  if (value.kind === "system") return "the service";
  return typeof value.name === "string" ? value.name : null;
}

function Past({ words, time, by }: { words: string; time: unknown; by?: unknown }) {
  if (typeof time !== "string") return null;
  const author = authorIn(by);
  return (
    <div>
      <dt>{words}</dt>
      <dd>
        <span title={dateTime(time)}>{ago(time)}</span>
        {author !== null && <span class="field-hint record-author">by {author}</span>}
      </dd>
    </div>
  );
}

interface AboutProps {
  model: RecordModel;
  editing: Editing;
  /** Null if the reader may not publish. */
  publishing: Publishing | null;
}

/** Renders the publication of each language, which is published by itself. */
function Editions({ model, editing, publishing }: AboutProps) {
  const { saved, locales, isDirty } = editing;
  const statuses = saved?.["statuses"] as Record<string, string> | undefined;
  if (!saved || !model.drafts || !statuses || locales.length === 0) return null;
  return (
    <ul class="editions" aria-label="Languages">
      {locales.map(({ code }) => {
        const status = statuses[code] ?? "draft";
        const name = languageName(code);
        return (
          <li key={code} class="edition">
            <span class="edition-name">{name}</span>
            <StatusBadge status={status} />
            {publishing && status !== "published" && (
              <IconButton
                name={`Make ${name} public`}
                icon={<Eye />}
                disabled={isDirty || publishing.isBusy}
                onClick={() => publishing.step("publish", [code])}
              />
            )}
            {publishing && status === "published" && (
              <IconButton
                name={`Take back ${name}`}
                icon={<EyeOff />}
                disabled={publishing.isBusy}
                onClick={() => publishing.step("unpublish", [code])}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function UsedIn({ model, record }: { model: RecordModel; record: RecordView }) {
  const { space } = useSession();
  const { data } = useRecordReferences(model, record.id);
  if (!data || data.data.length === 0) return null;
  return (
    <Card title="Named by">
      <ul class="named-by">
        {data.data.map(({ typeModel, model: name, id, title, fields }) => (
          <li key={`${name}/${id}`}>
            <Link href={`/${space}/content/${typeModel}/${name}/${id}`}>{title ?? untitled(id)}</Link>
            <span class="field-hint">
              {name}: {fields.join(", ")}
            </span>
          </li>
        ))}
      </ul>
      {data.meta.nextCursor !== null && <p class="field-hint">And more.</p>}
    </Card>
  );
}

export function About(props: AboutProps) {
  const { model, editing } = props;
  const { saved: record, status } = editing;
  const isField = (name: string): boolean => model.fields.some((field) => field.name === name);
  const author = (name: "createdBy" | "updatedBy"): unknown => (isField(name) ? null : record?.[name]);
  return (
    <aside class="record-side" aria-label="About this record">
      <p class="record-status" role="status">
        {status}
      </p>
      {record && (
        <Card>
          <StatusBadge status={record["status"]} />
          <Editions {...props} />
          <dl class="record-facts numbers">
            {PLANS.map(([name, words]) => {
              const time = record[name];
              return typeof time === "string" ? (
                <div key={name}>
                  <dt>{words}</dt>
                  <dd title={ago(time)}>{dateTime(time)}</dd>
                </div>
              ) : null;
            })}
            <Past words="Published" time={record["publishedAt"]} />
            <Past words="Changed" time={record.updatedAt} by={author("updatedBy")} />
            <Past words="Created" time={record.createdAt} by={author("createdBy")} />
            <div>
              <dt>Version</dt>
              <dd>{record.version}</dd>
            </div>
            <div>
              <dt>Id</dt>
              <dd class="mono">{record.id}</dd>
            </div>
          </dl>
          <CopyButton small text={record.id} name="Copy id" />
        </Card>
      )}
      {record && model.typeModel === "collections" && <UsedIn model={model} record={record} />}
    </aside>
  );
}
