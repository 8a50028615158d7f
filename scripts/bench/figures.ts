/** Formats figures for printing: medians, percentiles, tables. */

/** Returns the value that `share` of the values lie below. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

export const median = (values: number[]): number => percentile(values, 0.5);

/** Prints a Markdown table. The first row is its head. */
export const table = (rows: (string | number)[][]): void => console.log(tableText(rows));

/** Returns a Markdown table. */
export function tableText(rows: (string | number)[][]): string {
  const text = rows.map((row) => row.map(String));
  const widths =
    text[0]?.map((_, column) => Math.max(...text.map((row) => (row[column] ?? "").length))) ?? [];
  const line = (row: string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = text;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [line(head), rule, ...body.map(line)].join("\n");
}

export const ms = (value: number): string => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
export const mb = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;
