/** One JSON line for each try, with what an operator asks for: which variant, what came of it, at what cost. */
import type { RecentFetch, Settlement } from "../messages.ts";
import type { BareMaster } from "../storage/pictures/placeholders.ts";
import type { Outcome, PlaceholderOutcome } from "./work/outcome.ts";
import type { JobRow } from "./store/sql.ts";

/** Returns the space of a variant's key, which begins with `v/{spaceId}/`. */
const spaceOf = (key: string): string | undefined => key.split("/")[1];

export function logBuild(row: JobRow, outcome: Outcome, settled: Settlement | null): void {
  const { key, lane, attempts, room } = row;
  const { state, ...rest } = outcome;
  const details = "evicted" in rest ? { ...rest, evicted: rest.evicted.length } : rest;
  const final = settled !== null;
  console.log(
    JSON.stringify({
      event: "build",
      spaceId: spaceOf(key),
      key,
      lane,
      state,
      final,
      attempts,
      room,
      ...details,
    }),
  );
}

export function logDropped(row: JobRow): void {
  const { key, lane, attempts } = row;
  console.log(
    JSON.stringify({ event: "build", spaceId: spaceOf(key), key, lane, state: "unreadable", attempts }),
  );
}

export function logPlaceholder(master: BareMaster, outcome: PlaceholderOutcome): void {
  const { spaceId, mediaId, version, tries } = master;
  console.log(JSON.stringify({ event: "placeholder", spaceId, mediaId, version, tries, ...outcome }));
}

/** Logs that the list of masters could not be read, or a result could not be written. */
export function logNoLook(spaceId: string, error: unknown): void {
  console.log(JSON.stringify({ event: "placeholder", spaceId, state: "lost", reason: String(error) }));
}

/** @param spaceId the name of the queue's object */
export function logFetch(spaceId: string | undefined, fetch: RecentFetch): void {
  console.log(JSON.stringify({ event: "fetch", spaceId, ...fetch }));
}
