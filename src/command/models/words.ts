/** The words for a person about a plan, or about changes that were made. Pure. */
import type { ErrorDetail } from "../../errors.ts";
import type { Colours } from "../terminal/output.ts";
import { isChange, type Entry, type ModelEntry, type ModelsPlan } from "./api.ts";

const names = (list: readonly string[]): string => list.join(", ");

function detailsOf(entry: ModelEntry, { green, red, yellow, cyan }: Colours): string[] {
  const renamed = Object.entries(entry.renamed).map(([from, to]) => `${from} → ${to}`);
  const lines: [mark: string, list: readonly string[]][] = [
    [green("+"), entry.added],
    [red("-"), entry.removed],
    [cyan(">"), renamed],
    [yellow("~"), entry.changed],
  ];
  return [
    ...lines.flatMap(([mark, list]) => list.map((name) => `  ${mark} ${name}`)),
    ...(entry.options.length > 0 ? [`  ${yellow("~")} options: ${names(entry.options)}`] : []),
    ...(entry.reordered ? [`  ${yellow("~")} order of the fields`] : []),
  ];
}

function entryLines(entry: Entry, colours: Colours): string[] {
  const { bold, yellow } = colours;
  if ("settings" in entry)
    return [bold("settings"), ...entry.settings.map((name) => `  ${yellow("~")} ${name}`)];
  const records = entry.records === 1 ? "1 record" : `${entry.records} records`;
  const about = [
    ...(entry.action === "create" ? ["new"] : []),
    ...(entry.records > 0 ? [records] : []),
    ...(entry.inBackground ? ["in the background"] : []),
  ];
  const title = bold(`${entry.typeModel}/${entry.model}`);
  return [about.length > 0 ? `${title} (${names(about)})` : title, ...detailsOf(entry, colours)];
}

/** Returns one paragraph per change; empty for none. */
export const changesWords = (changes: readonly Entry[], colours: Colours): string =>
  changes
    .filter(isChange)
    .map((entry) => `${entryLines(entry, colours).join("\n")}\n`)
    .join("");

/** Returns the number of changes: "3 changes". */
export const countWords = (changes: readonly Entry[]): string => {
  const count = changes.filter(isChange).length;
  return count === 1 ? "1 change" : `${count} changes`;
};

/** Returns the flags that allow the losses among conflicts; empty for none. */
export function flagsOf(conflicts: readonly ErrorDetail[]): string {
  const allowed = conflicts.flatMap(({ loss }) => loss?.name ?? []);
  return [...new Set(allowed)].map((name) => `--allow-drop ${name}`).join(" ");
}

/** Returns the words of a plan. */
export function planWords({ changes, conflicts }: ModelsPlan, colours: Colours): string {
  const { red, bold, dim } = colours;
  if (!changes.some(isChange)) return "Nothing would change.";
  const flags = flagsOf(conflicts);
  const lines = conflicts.map(({ path, message }) => `  ${red(path)} ${message}`);
  const next =
    flags === "" ? "mend what stands against it" : `mend the document, or 'silverprint apply ${flags}'`;
  return [
    changesWords(changes, colours),
    conflicts.length > 0
      ? `${red("Against it stands:")}\n${lines.join("\n")}\n${bold("Next:")} ${next}.`
      : `${countWords(changes)}. ${dim("'silverprint apply' makes them.")}`,
  ].join("\n");
}
