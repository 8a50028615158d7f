/** The status of a record's publication, and of each of its languages. */
import type { RecordView } from "../api/records.ts";
import { languageName } from "../lib/languages.ts";

const BADGES: Record<string, string> = {
  draft: "badge badge-warn",
  published: "badge badge-good",
  changed: "badge badge-accent",
};

export function StatusBadge({ status }: { status: unknown }) {
  if (typeof status !== "string") return null;
  return <span class={BADGES[status] ?? "badge"}>{status}</span>;
}

/** So many languages have a badge each in a line of a table. Of more, only their number is said. */
const LANGUAGES_MAX = 4;

/** Shows the status of a record in a table: by language if it has several. */
export function Statuses({ record }: { record: RecordView }) {
  const statuses = Object.entries((record["statuses"] as Record<string, string> | undefined) ?? {});
  if (statuses.length < 2) return <StatusBadge status={record["status"]} />;
  if (statuses.length > LANGUAGES_MAX) {
    const published = statuses.filter(([, status]) => status !== "draft").length;
    return (
      <>
        <StatusBadge status={record["status"]} />
        <span class="badge numbers">
          {published} of {statuses.length}
          <span class="status-words"> languages</span>
        </span>
      </>
    );
  }
  return (
    <>
      {statuses.map(([code, status]) => (
        <span key={code} class={BADGES[status] ?? "badge"} title={`${languageName(code)}: ${status}`}>
          {code}
          <span class="visually-hidden"> {status}</span>
        </span>
      ))}
    </>
  );
}
