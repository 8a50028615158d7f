/** The tables and charts of speed and memory. */
import { drawBars, type BarChart } from "../charts/bars.ts";
import { ms } from "../figures.ts";
import type { Measured, Results } from "./measure.ts";
import { SIDES, type Line, type Side } from "./works.ts";

type All = readonly [Line, Results][];

const MEGABYTE_BYTES = 1_048_576;
/** The memory of an isolate, as Workers limit it. */
const ISOLATE_MB = 128;
const LONGEST = { ratio: 4, megabytes: 512 };

const done = (results: Results, side: Side): Measured | null => {
  const result = results[side];
  return typeof result === "object" ? result : null;
};

const megabytes = ({ grownBytes }: Measured): number => grownBytes / MEGABYTE_BYTES;

/** Returns the time that a comparison is made by: of one thread, so that another program on the core does not count. */
const timeOf = ({ computedMs }: Measured): number => computedMs;

function rowsOf(all: All, cell: (measured: Measured, results: Results) => string): string[][] {
  const head = ["work", ...SIDES];
  const rows = all.map(([line, results]) => [
    line.name,
    ...SIDES.map((side) => {
      const measured = done(results, side);
      if (measured) return cell(measured, results);
      return side === "jSquash" && results[side] ? "fails" : "–";
    }),
  ]);
  return [head, ...rows];
}

const ratioToSharp = (measured: Measured, results: Results): number => {
  const sharp = done(results, "sharp");
  return sharp ? timeOf(measured) / timeOf(sharp) : NaN;
};

/** Returns processor times, and in brackets their multiples of sharp's. */
export const speedRows = (all: All): string[][] =>
  rowsOf(all, (measured, results) => {
    const time = ms(timeOf(measured));
    return measured === results.sharp ? time : `${time} (${ratioToSharp(measured, results).toFixed(2)})`;
  });

export const memoryRows = (all: All): string[][] =>
  rowsOf(all, (measured) => `${megabytes(measured).toFixed(0)} MB`);

function chartOf(
  all: All,
  value: (measured: Measured, results: Results) => number,
  text: (measured: Measured, results: Results) => string,
  more: Pick<BarChart, "title" | "mark" | "most">,
): Record<"light" | "dark", string> {
  const groups = all.map(([{ name }, results]) => ({
    name,
    bars: SIDES.flatMap((series) => {
      const measured = done(results, series);
      return measured ? [{ series, value: value(measured, results), text: text(measured, results) }] : [];
    }),
  }));
  const chart: BarChart = { groups, series: SIDES, ...more };
  return { light: drawBars(chart, "light"), dark: drawBars(chart, "dark") };
}

export const speedChart = (all: All): Record<"light" | "dark", string> =>
  chartOf(all, ratioToSharp, (measured) => ms(timeOf(measured)), {
    title: "Processor time as a multiple of sharp's: shorter is better",
    mark: { value: 1, text: "sharp" },
    most: LONGEST.ratio,
  });

export const memoryChart = (all: All): Record<"light" | "dark", string> =>
  chartOf(all, megabytes, (measured) => `${megabytes(measured).toFixed(0)} MB`, {
    title: "Memory of one variant in megabytes: shorter is better",
    mark: { value: ISOLATE_MB, text: "all of an isolate: 128 MB" },
    most: LONGEST.megabytes,
  });
