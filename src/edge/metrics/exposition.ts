/** Writes the text that Prometheus reads (exposition format 0.0.4). */
import {
  COUNTERS,
  fullName,
  GAUGES,
  HISTOGRAMS,
  writeLabels,
  type CounterName,
  type GaugeName,
  type HistogramName,
} from "./families.ts";
import type { Distribution, MetricsBatch } from "./tally.ts";

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** One value of a gauge. */
export interface Gauge {
  name: GaugeName;
  labels: Record<string, string>;
  value: number;
}

const headed = (
  name: CounterName | HistogramName | GaugeName,
  type: "counter" | "histogram" | "gauge",
  help: string,
  lines: string[],
): string[] => [`# HELP ${fullName(name)} ${help}`, `# TYPE ${fullName(name)} ${type}`, ...lines];

const line = (name: string, labels: string, value: number): string =>
  `${name}${labels === "" ? "" : `{${labels}}`} ${value}`;

const sorted = <T>(series: Record<string, T> | undefined): [labels: string, value: T][] =>
  Object.entries(series ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));

function distributionLines(name: HistogramName, labels: string, { buckets, sum }: Distribution): string[] {
  const full = fullName(name);
  const { upTo } = HISTOGRAMS[name];
  const withBound = (bound: string): string =>
    (labels === "" ? "" : `${labels},`) + writeLabels({ le: bound });
  let total = 0;
  const lines = upTo.map((bound, at) => {
    total += buckets[at] ?? 0;
    return line(`${full}_bucket`, withBound(String(bound)), total);
  });
  const count = buckets.reduce((all, n) => all + n, 0);
  return [
    ...lines,
    line(`${full}_bucket`, withBound("+Inf"), count),
    line(`${full}_sum`, labels, sum),
    line(`${full}_count`, labels, count),
  ];
}

/** Returns all figures, including those with no counts, so that every name exists for queries. */
export function exposition(total: MetricsBatch, gauges: Gauge[]): string {
  const counters = (Object.keys(COUNTERS) as CounterName[]).flatMap((name) => {
    const lines = sorted(total.counters[name]).map(([labels, n]) => line(fullName(name), labels, n));
    return headed(name, "counter", COUNTERS[name].help, lines);
  });
  const histograms = (Object.keys(HISTOGRAMS) as HistogramName[]).flatMap((name) => {
    const lines = sorted(total.distributions[name]).flatMap(([labels, distribution]) =>
      distributionLines(name, labels, distribution),
    );
    return headed(name, "histogram", HISTOGRAMS[name].help, lines);
  });
  const now = (Object.keys(GAUGES) as GaugeName[]).flatMap((name) => {
    const values = gauges.filter((gauge) => gauge.name === name);
    const lines = values.map(({ labels, value }) => line(fullName(name), writeLabels(labels), value));
    return headed(name, "gauge", GAUGES[name].help, lines);
  });
  return `${[...counters, ...histograms, ...now].join("\n")}\n`;
}
