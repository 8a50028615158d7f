/** The events that a space's queue reports to the figures of the deployment (RULES 10.10). */
import { parseVariantFile } from "../../image/model/variant.ts";
import type { Env } from "../config.ts";
import type { Admission, FetchAdmission, RecentFetch, Settlement } from "../messages.ts";
import { writePoint } from "../metrics/analytics.ts";
import { recordLater, recordQueue } from "../metrics/isolate.ts";
import { stateOf } from "./figures.ts";
import type { Outcome, PlaceholderOutcome } from "./work/outcome.ts";
import type { JobRow, Statements } from "./store/sql.ts";

export function reportAdmission(env: Env, admission: Admission): void {
  recordLater(env, (tally) => tally.count("admissions_total", { state: admission.state }));
  reportRefusal(env, admission);
}

/** Reports a build or a fetch that was refused because a budget is used up. */
export function reportRefusal(env: Env, admission: Admission | FetchAdmission): void {
  if (admission.state !== "limited") return;
  const { budget } = admission;
  recordLater(env, (tally) => tally.count("budget_refusals_total", { budget }));
}

/** Returns the space of a key, `v/{spaceId}/{mediaId}/{version}/{file}`. */
const spaceOf = (key: string): string => key.split("/")[1] ?? "";
const formatOf = (key: string): string =>
  parseVariantFile(key.slice(key.lastIndexOf("/") + 1))?.format ?? "none";

export interface ReportedTry {
  row: Pick<JobRow, "key"> & { lane: string };
  outcome: Outcome;
  /** Null when the build goes on from the queue. */
  settled: Settlement | null;
  milliseconds: number;
}

export function reportTry(
  env: Env,
  { row: { key, lane }, outcome, settled, milliseconds }: ReportedTry,
): void {
  const format = formatOf(key);
  const { state } = outcome;
  recordLater(env, (tally) => {
    if (state === "busy") tally.count("busy_answers_total", { lane });
    if (state === "lost") tally.count("build_retries_total", { lane }, settled ? 0 : 1);
    if (!settled) return;
    const isOver = state === "built" || state === "gone";
    const result = isOver ? state : "failed";
    tally.count("builds_total", { format, lane, outcome: result });
    if (lane === "idle") tally.count("prebuilds_total", { outcome: result });
    if (state === "built") tally.observe("build_seconds", { format, lane }, milliseconds / 1000);
  });
  const bytes = state === "built" ? outcome.sizeBytes : 0;
  const blobs = [format, lane, state, settled ? "over" : "again"];
  writePoint(env, { event: "build", space: spaceOf(key), blobs, doubles: [milliseconds, bytes] });
}

export function reportPlaceholder(env: Env, { state }: PlaceholderOutcome): void {
  recordLater(env, (tally) => tally.count("placeholders_total", { outcome: state }));
}

export function reportFetch(env: Env, { state, isRevalidation }: RecentFetch): void {
  const cause = isRevalidation ? "revalidation" : "visitor";
  recordLater(env, (tally) => tally.count("remote_fetches_total", { outcome: state, cause }));
}

export function reportLanes(env: Env, spaceId: string, q: Statements, now: number): void {
  const { lanes } = stateOf(q, now);
  recordQueue(env, { spaceId, lanes: { ...lanes } });
}

/** Reports that the space was removed: nothing of it waits. */
export const reportGone = (env: Env, spaceId: string): void => recordQueue(env, { spaceId, lanes: {} });
