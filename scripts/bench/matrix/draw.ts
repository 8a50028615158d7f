/** Writes what is shown of the results: a table in the README, one cell by cell, and the charts. */
import { readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { drawChart } from "./chart.ts";
import { readGrowth } from "./resident.ts";
import type { Results } from "./results.ts";
import { detailPage, summaryTable } from "./table.ts";

const README = new URL("../../../README.md", import.meta.url);
const MARKS = ["<!-- matrix: written by npm run bench matrix -->", "<!-- /matrix -->"] as const;

/** The README with its table anew. @throws Error when it has no place for one */
function withTable(readme: string, table: string): string {
  const [start, end] = MARKS.map((mark) => readme.indexOf(mark)) as [number, number];
  if (start < 0 || end < start) throw new Error("the README has no place for the matrix");
  return `${readme.slice(0, start)}${MARKS[0]}\n\n${table}\n\n${readme.slice(end)}`;
}

/** Every file that follows from the results, by its place, as it is to be. */
export async function drawn(results: Results): Promise<[file: URL, text: string][]> {
  const options = { ...(await resolveConfig(README)), parser: "markdown" };
  const readme = withTable(readFileSync(README, "utf8"), summaryTable(results));
  const here = (name: string): URL => new URL(name, import.meta.url);
  return [
    [README, await format(readme, options)],
    [here("README.md"), await format(detailPage(results, readGrowth()), options)],
    [here("chart-light.svg"), drawChart(results, "light")],
    [here("chart-dark.svg"), drawChart(results, "dark")],
  ];
}

export async function draw(results: Results): Promise<void> {
  for (const [file, text] of await drawn(results)) writeFileSync(file, text);
}
