/** The faults that the service found, sorted by their places: beside a control, or above the form. */
import { SilverprintError } from "../../client/index.ts";

/** The messages by path; those that belong nowhere are under "". */
export type Faults = ReadonlyMap<string, readonly string[]>;

export const NO_FAULTS: Faults = new Map();

/** Writes `fields[2].name` as `fields.2.name`. */
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

/** Returns the messages about `path` itself and about everything inside it. */
export const faultsAt = (faults: Faults, path: string): string[] =>
  [...faults].flatMap(([at, messages]) => (at === path || at.startsWith(`${path}.`) ? messages : []));

/** Returns the faults of `path` and of everything inside it, under their paths from there. */
export const faultsWithin = (faults: Faults, path: string): Faults =>
  new Map(
    [...faults].flatMap(([at, messages]) =>
      at === path
        ? [["", messages] as const]
        : at.startsWith(`${path}.`)
          ? [[at.slice(path.length + 1), messages] as const]
          : [],
    ),
  );

export const allFaults = (faults: Faults): string[] => [...faults.values()].flat();

/** Returns whether an error says that values would be lost, which the editor may allow. */
export const hasLosses = (error: unknown): error is SilverprintError =>
  error instanceof SilverprintError && (error.details ?? []).some(({ loss }) => loss !== undefined);

/** Returns the messages about paths that no control shows. */
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
