/** The status of a record's publication. */
import type { RecordView } from "../api/records.ts";

const BADGES: Record<string, string> = {
  draft: "badge badge-warn",
  published: "badge badge-good",
  changed: "badge badge-accent",
};

export function StatusBadge({ record }: { record: RecordView }) {
  const { status } = record;
  if (typeof status !== "string") return null;
  return <span class={BADGES[status] ?? "badge"}>{status}</span>;
}
