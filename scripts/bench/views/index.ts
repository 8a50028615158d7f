/**
 * Simulates a million views in a day, with and without the edge's cache, and prints their costs. The views spread over
 * 10,000 pictures (Zipf, exponent 1) and five regions with one cache tier each. Isolates live ten minutes. There are
 * 200 uploads and 50 trashings. The entrypoints are real, and the platform is simulated (scripts/bench/views).
 * `--hours=2` runs the first two hours. What is trashed is drawn by its views; `--trashed=evenly` draws any picture alike.
 */
import { table } from "../figures.ts";
import { costOf } from "./prices.ts";
import type { Result } from "./result.ts";
import { Simulation } from "./simulation.ts";
import type { Day } from "./traffic.ts";

const DAY: Day = {
  ...{ hours: 24, views: 1_000_000, pictures: 10_000, regions: 5, uploads: 200, trashings: 50 },
  trashed: "by-views",
};
/** As in wrangler.toml. */
const LOG_SAMPLE = 0.02;

const count = (number: number): string => Math.round(number).toLocaleString("en");
const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

function dayOf(flags: string[]): Day {
  const given = flags.map((flag) => /^--hours=(\d+(?:\.\d+)?)$/.exec(flag)?.[1]).find(Boolean);
  const trashed = flags.includes("--trashed=evenly") ? "evenly" : DAY.trashed;
  const hours = Number(given ?? DAY.hours);
  const part = (whole: number): number => Math.max(1, Math.round((whole * hours) / DAY.hours));
  const { views, uploads, trashings } = DAY;
  return { ...DAY, trashed, hours, views: part(views), uploads: part(uploads), trashings: part(trashings) };
}

type Row = [name: string, of: (result: Result) => string];

const ROWS: Row[] = [
  ["views", ({ views }) => count(views)],
  ["views without D1", ({ viewsWithoutD1, views }) => `${((100 * viewsWithoutD1) / views).toFixed(1)} %`],
  ["requests", ({ requests }) => count(requests)],
  ["calls of the cached entrypoint", ({ loopbacks }) => count(loopbacks)],
  ["D1 queries", ({ d1Queries }) => count(d1Queries)],
  ["calls of queues", ({ queueCalls }) => count(queueCalls)],
  ["calls of Metrics", ({ metricsCalls }) => count(metricsCalls)],
  ["R2 reads", ({ r2Reads }) => count(r2Reads)],
  ["purges", ({ purges }) => count(purges)],
  ["log lines", ({ logLines }) => count(logLines)],
  ["stale answers past their bound", ({ staleAnswers }) => count(staleAnswers)],
  ["wrong answers", ({ wrongAnswers }) => count(wrongAnswers)],
  ["cost of requests per million views", (result) => dollars(perMillion(result).requests)],
  ["cost beyond requests per million views", (result) => dollars(perMillion(result).beyond)],
  ...["CPU time", "D1", "R2", "objects", "logs"].map((part): Row => [
    `of that ${part}`,
    (result) => dollars(perMillion(result).parts[part] ?? NaN),
  ]),
];

function perMillion(result: Result) {
  const { requests, beyond, parts } = costOf(result);
  const scale = 1_000_000 / result.views;
  const scaled = Object.entries(parts).map(([name, part]): [string, number] => [name, part * scale]);
  return { requests: requests * scale, beyond: beyond * scale, parts: Object.fromEntries(scaled) };
}

export async function benchViews(flags: string[]): Promise<void> {
  const day = dayOf(flags);
  const progress = (views: number): void => console.error(`${count(views)} views`);
  const before = await Simulation.run(day, { edgeCache: "off", logSample: 1 }, progress);
  const after = await Simulation.run(day, { edgeCache: "on", logSample: LOG_SAMPLE }, progress);
  table([
    ["", "no edge cache, every request logged", "edge cache, 2 % logged"],
    ...ROWS.map(([name, of]) => [name, of(before), of(after)]),
  ]);
  for (const [event, times] of new Map([...before.troubles, ...after.troubles]))
    console.log(`\nThe log has ${event} ${times} times.`);
}
