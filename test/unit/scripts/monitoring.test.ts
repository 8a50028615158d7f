/** Dashboard and alerts name figures that there are, with labels that they have; the page explains each of them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COUNTERS, fullName, GAUGES, HISTOGRAMS } from "../../../src/edge/metrics/families.ts";

const read = (file: string): string => readFileSync(`scripts/monitoring/${file}`, "utf8");
const dashboard = JSON.parse(read("grafana-dashboard.json")) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
const alerts = read("alerts.yaml");
const page = read("README.md");

type Families = Record<string, { labels: readonly string[] }>;
const familiesOf = (families: Families): [name: string, labels: readonly string[]][] =>
  Object.entries(families).map(([name, { labels }]) => [fullName(name as keyof typeof COUNTERS), labels]);

/** By the names that queries use, the labels. */
const labelsOf = new Map<string, readonly string[]>();
for (const families of [COUNTERS, GAUGES])
  for (const [name, labels] of familiesOf(families)) labelsOf.set(name, labels);
for (const [name, labels] of familiesOf(HISTOGRAMS)) {
  labelsOf.set(`${name}_bucket`, [...labels, "le"]);
  labelsOf.set(`${name}_sum`, labels);
  labelsOf.set(`${name}_count`, labels);
}

interface Selected {
  name: string;
  /** Labels that are selected, and those that are summed by. */
  labels: string[];
}

/** Returns the metrics that a query names. */
function selectedIn(query: string): Selected[] {
  return [...query.matchAll(/(?:by \(([^)]*)\) \(\s*\w*\(?)?(silverprint_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, by = "", name = "", selectors = ""]) => {
      const selected = [...selectors.matchAll(/(\w+)\s*(?:=~|!=|!~|=)\s*"/g)].map(([, label = ""]) => label);
      const summed = by.split(",").map((label) => label.trim());
      return { name, labels: [...selected, ...summed].filter((label) => label !== "") };
    },
  );
}

const queries: [where: string, query: string][] = [
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }): [string, string] => [title, expr]),
  ),
  ["alerts", alerts],
];

describe("the files of scripts/monitoring", () => {
  it.each(queries)("%s: figures and labels are there", (_, query) => {
    const selected = selectedIn(query);
    expect(selected.length).toBeGreaterThan(0);
    const unknown = selected.filter(
      ({ name, labels }) => !labels.every((label) => labelsOf.get(name)?.includes(label)),
    );
    expect(unknown).toEqual([]);
    expect(selected.filter(({ name }) => !labelsOf.has(name))).toEqual([]);
  });

  it("the dashboard shows every figure, and the page explains it with its labels", () => {
    const shown = queries.map(([, query]) => query).join("\n");
    for (const families of [COUNTERS, GAUGES, HISTOGRAMS]) {
      for (const [name, labels] of familiesOf(families)) {
        expect(shown).toContain(name);
        expect(page).toContain(labels.length > 0 ? `\`${name}{${labels.join(",")}}\`` : `\`${name}\``);
      }
    }
  });

  it("the page says what to do about every alert", () => {
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(page).toContain(`- **${name}.**`);
  });
});
