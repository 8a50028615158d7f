/** The figures of `GET /api/v1/metrics`: names, labels and help texts. All names have the same prefix. */

const PREFIX = "silverprint_";

interface Family {
  help: string;
  labels: readonly string[];
}

/** Figures that only grow. */
export const COUNTERS = {
  requests_total: {
    help: "Requests answered, by route, status and state of the variant.",
    labels: ["route", "status", "transform"],
  },
  edge_replays_total: { help: "Image answers that the edge's cache gave.", labels: ["route"] },
  d1_round_trips_total: { help: "Round trips to D1 of requests.", labels: ["route"] },
  admissions_total: { help: "Answers of queues to cold variants.", labels: ["state"] },
  budget_refusals_total: {
    help: "Cold variants, and fetches from other servers, refused for want of budget.",
    labels: ["budget"],
  },
  builds_total: {
    help: "Builds that are over, by what came of them.",
    labels: ["format", "lane", "outcome"],
  },
  build_retries_total: { help: "Builds that were lost and go on from the queue.", labels: ["lane"] },
  busy_answers_total: { help: "Builds that found no room in the builder and wait.", labels: ["lane"] },
  prebuilds_total: {
    help: "Builds ahead (presets, renewals, better encodings) that are over, by what came of them.",
    labels: ["outcome"],
  },
  placeholders_total: { help: "Tries at placeholders, by what came of them.", labels: ["outcome"] },
  remote_fetches_total: {
    help: "Fetches of pictures of other servers that are over, by what came of them.",
    labels: ["outcome", "cause"],
  },
  sweep_removed_total: { help: "What the sweep dealt with, by its step.", labels: ["step"] },
  sweep_failures_total: { help: "Steps of the sweep that failed.", labels: ["step"] },
} as const satisfies Record<string, Family>;

/** Distributions of seconds. */
export const HISTOGRAMS = {
  build_seconds: {
    help: "From the call of the builder to the row in D1, of builds that gave a variant.",
    labels: ["format", "lane"],
    upTo: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  },
} as const satisfies Record<string, Family & { upTo: readonly number[] }>;

/** Present values. */
export const GAUGES = {
  queue_depth: { help: "Builds that wait, in all spaces.", labels: ["lane"] },
  queue_oldest_seconds: { help: "How long the oldest of them has waited.", labels: ["lane"] },
  stored_bytes: { help: "Bytes in R2, by what they are.", labels: ["kind"] },
  database_bytes: { help: "The size of each D1 database. It holds 10 GB at most.", labels: ["database"] },
  sweep_age_seconds: { help: "Seconds since the last sweep ended.", labels: [] },
} as const satisfies Record<string, Family>;

export type CounterName = keyof typeof COUNTERS;
export type HistogramName = keyof typeof HISTOGRAMS;
export type GaugeName = keyof typeof GAUGES;

/** The values of a figure's labels, by label. */
export type LabelsOf<F extends Family> = { readonly [Label in F["labels"][number]]: string };

export const fullName = (name: CounterName | HistogramName | GaugeName): string => PREFIX + name;

const escaped = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");

/** Writes labels in the syntax of Prometheus, without braces: `route="/healthz",status="200"`. */
export const writeLabels = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",");
