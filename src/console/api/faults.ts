/** What the service found wrong, sorted by where it belongs: beside its control, or above the form. */
import { SilverprintError } from "../../client/index.ts";

/** By path; what belongs nowhere is under "". */
export type Faults = ReadonlyMap<string, readonly string[]>;

export const NO_FAULTS: Faults = new Map();

/** `fields[2].name` as `fields.2.name`. */
const dotted = (path: string): string => path.replace(/\[(\w+)\]/g, ".$1");

export function faultsOf(error: Error | null): Faults {
  if (!error) return NO_FAULTS;
  const details = error instanceof SilverprintError ? (error.details ?? []) : [];
  const faults = new Map<string, string[]>();
  for (const { path, message } of details) {
    const at = dotted(path);
    faults.set(at, [...(faults.get(at) ?? []), message]);
  }
  if (faults.size === 0) faults.set("", [error.message]);
  return faults;
}

/** What is said of `path` itself and of everything inside it. */
export const faultsAt = (faults: Faults, path: string): string[] =>
  [...faults].flatMap(([at, messages]) => (at === path || at.startsWith(`${path}.`) ? messages : []));

/** Those under paths that no control shows. */
export const otherFaults = (faults: Faults, shown: readonly string[]): string[] =>
  [...faults].flatMap(([at, messages]) =>
    shown.some((path) => at === path || at.startsWith(`${path}.`))
      ? []
      : messages.map((message) => (at === "" ? message : `${at} ${message}`)),
  );

export const isStale = (error: unknown): boolean =>
  error instanceof SilverprintError && error.code === "PRECONDITION_FAILED";
export const isConflict = (error: unknown): boolean =>
  error instanceof SilverprintError && error.code === "CONFLICT";
