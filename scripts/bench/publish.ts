/**
 * Publishes what benches print, with the day and the machine: `page` as sections of scripts/bench/README.md, with its
 * charts; any other bench as a page of its own in scripts/bench/published. Figures enter these pages in no other way.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { format, resolveConfig } from "prettier";

const HERE = new URL("./", import.meta.url);
const CHARTS = "charts/";

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

/** Returns the page with `text` between the marks of this section. @throws Error when the page has no such marks */
export function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- bench ${name} -->`, `<!-- /bench ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no section ${name}`);
  return `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`;
}

const measured = (): string => {
  const day = new Date().toISOString().slice(0, 10);
  const processor = cpus()[0]?.model.trim() ?? "unknown processor";
  return `Measured on ${day}, ${cpus().length} cores of ${processor}, Node ${process.versions.node}.`;
};

async function write(file: URL, page: string): Promise<void> {
  const text = await format(page, { ...(await resolveConfig(HERE)), parser: "markdown" });
  mkdirSync(new URL("./", file), { recursive: true });
  writeFileSync(file, text);
}

/** Returns a chart as the page shows it, by the reader's colour scheme. */
export function chartElement(name: string, alt: string): string {
  const dark = `<source media="(prefers-color-scheme: dark)" srcset="${CHARTS}${name}-dark.svg" />`;
  return `<picture>\n  ${dark}\n  <img src="${CHARTS}${name}-light.svg" alt="${alt}" />\n</picture>`;
}

/** @param folder where the page is; by default this one */
export function writeChart(file: string, svg: string, folder: URL = HERE): void {
  const chart = new URL(CHARTS + file, folder);
  mkdirSync(new URL("./", chart), { recursive: true });
  writeFileSync(chart, svg);
}

/**
 * Writes a section of the page.
 * @param folder gets the page, with this repository's as its first; by default the repository's own is changed
 */
export async function publishSection(name: string, text: string, folder: URL = HERE): Promise<void> {
  const file = new URL("README.md", folder);
  const page = readFileSync(existsSync(file) ? file : new URL("README.md", HERE), "utf8");
  await write(file, withSection(page, name, `${text}\n\n${measured()}`));
}

/** Writes the page of a bench. The text above its figures stays. */
export async function publish(name: string, text: string): Promise<void> {
  const file = new URL(`published/${name}.md`, HERE);
  const marks = `<!-- bench ${name} -->\n<!-- /bench ${name} -->\n`;
  const page = existsSync(file) ? readFileSync(file, "utf8") : `# ${name}\n\n${marks}`;
  await write(file, withSection(page, name, `${text}\n\n${measured()}`));
}
