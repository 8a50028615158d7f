/** Writes the page with the tables, and the charts, from the results. */
import { writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { drawChart } from "./chart.ts";
import type { Results } from "./results.ts";
import { detailPage, summaryTable } from "./table.ts";

const PAGE = new URL("README.md", import.meta.url);

/** The content of every file that is made from the results, by path. */
export async function drawn(results: Results): Promise<[file: URL, text: string][]> {
  const options = { ...(await resolveConfig(PAGE)), parser: "markdown" };
  const here = (name: string): URL => new URL(name, import.meta.url);
  const page = `${detailPage(results)}\n\n## By format\n\n${summaryTable(results)}\n`;
  return [
    [PAGE, await format(page, options)],
    [here("chart-light.svg"), drawChart(results, "light")],
    [here("chart-dark.svg"), drawChart(results, "dark")],
  ];
}

export async function draw(results: Results): Promise<void> {
  for (const [file, text] of await drawn(results)) writeFileSync(file, text);
}
