/** The reasons why a bulk was refused, by record. */
import { SilverprintError } from "../../client/index.ts";

/** A record with the version that the editor saw. If it has another one, nothing changes. Undefined for any version. */
export interface BulkRecord {
  id: string;
  version?: number | undefined;
}

/** A reason that stands in the way of a record. */
export interface BulkFault {
  id: string;
  message: string;
}

const OPERATION = /^operations\.(\d+)(?:\.(?:data\.|data$|id$)?(.*))?$/;

/** The name of the version that a record must have, in an operation and in the path of its fault. */
export const IF_MATCH = "ifMatch";

/** The message about a record that another editor has changed. The service's own message is for programs. */
const STALE = "It has changed since you selected it. Look at it, then select it again.";

/** Returns the reasons of a refusal by record. @param records those of the operations, in their order */
export function bulkFaults(
  error: unknown,
  records: readonly BulkRecord[],
  { fields }: { fields: readonly { name: string }[] },
): BulkFault[] {
  if (!(error instanceof SilverprintError)) return [];
  // The code is that of the first fault alone. It decides only where a field of the model has the name of the header.
  const mayBeStale = error.code === "PRECONDITION_FAILED" || !fields.some(({ name }) => name === IF_MATCH);
  return (error.details ?? []).flatMap(({ path, message }) => {
    const [, index, field = ""] = OPERATION.exec(path) ?? [];
    const record = index === undefined ? undefined : records[Number(index)];
    if (record === undefined) return [];
    const isStale = mayBeStale && field === IF_MATCH;
    return [{ id: record.id, message: isStale ? STALE : `${field} ${message}`.trim() }];
  });
}
