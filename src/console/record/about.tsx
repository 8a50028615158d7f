/** The facts about a record beside its fields, and the records that refer to it. */
import { Link } from "wouter-preact";
import type { Model } from "../api/models.ts";
import type { RecordView } from "../api/records.ts";
import { useRecordReferences } from "../api/references.ts";
import { StatusBadge } from "../content/status.tsx";
import { ago, dateTime, untitled } from "../lib/format.ts";
import { useSession } from "../session/context.tsx";
import { CopyButton } from "../ui/copy.tsx";
import { Card } from "../ui/page.tsx";

/** The times at which the record is to be published and unpublished. */
const PLANS = [
  ["publishAt", "Shown from"],
  ["unpublishAt", "Shown until"],
] as const;

function Past({ words, time }: { words: string; time: unknown }) {
  if (typeof time !== "string") return null;
  return (
    <div>
      <dt>{words}</dt>
      <dd title={dateTime(time)}>{ago(time)}</dd>
    </div>
  );
}

interface AboutProps {
  model: Model;
  /** Null for a new record. */
  record: RecordView | null;
  status: string;
}

function UsedIn({ model, record }: { model: Model; record: RecordView }) {
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

export function About({ model, record, status }: AboutProps) {
  return (
    <aside class="record-side" aria-label="About this record">
      <p class="record-status" role="status">
        {status}
      </p>
      {record && (
        <Card>
          <StatusBadge record={record} />
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
            <Past words="Changed" time={record.updatedAt} />
            <Past words="Created" time={record.createdAt} />
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
