/**
 * Writes what a bench printed into scripts/bench/README.md, with the day and the machine. The next published run of the
 * same bench replaces the section. Figures enter the page in no other way.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { format, resolveConfig } from "prettier";

const PAGE = new URL("README.md", import.meta.url);

/** Runs `work` and returns what it prints. The output also goes to the console. */
export async function printed(work: () => Promise<void>): Promise<string> {
  const lines: string[] = [];
  const print = console.log;
  console.log = (...values: unknown[]): void => {
    lines.push(values.map(String).join(" "));
    print(...values);
  };
  try {
    await work();
  } finally {
    console.log = print;
  }
  return lines.join("\n");
}

/** The page with this section in place of its earlier one, or at the end. */
export function withSection(page: string, name: string, text: string, when: string): string {
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- /bench ${name} -->`];
  const section = `${begin}\n\n## ${name}\n\n${text}\n\n${when}\n\n${end}`;
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) return `${page.trimEnd()}\n\n${section}\n`;
  return page.slice(0, from) + section + page.slice(to + end.length);
}

export async function publish(name: string, text: string): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const processor = cpus()[0]?.model.trim() ?? "unknown processor";
  const when = `Measured on ${day}, ${cpus().length} cores of ${processor}, Node ${process.versions.node}.`;
  const page = withSection(readFileSync(PAGE, "utf8"), name, text, when);
  writeFileSync(PAGE, await format(page, { ...(await resolveConfig(PAGE)), parser: "markdown" }));
}
