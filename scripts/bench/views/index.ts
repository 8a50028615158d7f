/**
 * Simulates a million views in a day, with and without the edge's cache, and prints their costs. The views spread over
 * 10,000 pictures (Zipf, exponent 1) and five regions with one cache tier each. Isolates live ten minutes. There are
 * 200 uploads and 50 trashings. The entrypoints are real, and the platform is simulated (scripts/bench/views).
 * `--hours=2` runs the first two hours. What is trashed is drawn by its views; `--trashed=evenly` draws any picture
 * alike. `--spaces=200 --databases=8` spreads the pictures over spaces of Zipf sizes and those over databases, as the
 * service places new spaces, and prints the queries of each database, with the edge's cache alone, and beside them those of
 * the same day with one database; `--moves` has spaces moved before until the databases are about even.
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
const CACHED = { edgeCache: "on", logSample: LOG_SAMPLE } as const;

const count = (number: number): string => Math.round(number).toLocaleString("en");
const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

/** Returns the number that a flag gives. */
function numberOf(flags: string[], name: string, usual: number): number {
  const given = flags
    .map((flag) => new RegExp(`^--${name}=(\\d+(?:\\.\\d+)?)$`).exec(flag)?.[1])
    .find(Boolean);
  return Number(given ?? usual);
}

function dayOf(flags: string[]): Day {
  const trashed = flags.includes("--trashed=evenly") ? "evenly" : DAY.trashed;
  const hours = numberOf(flags, "hours", DAY.hours);
  const part = (whole: number): number => Math.max(1, Math.round((whole * hours) / DAY.hours));
  const { views, uploads, trashings } = DAY;
  const spread = {
    spaces: numberOf(flags, "spaces", 1),
    databases: numberOf(flags, "databases", 1),
    isEvened: flags.includes("--moves"),
  };
  return {
    ...{ ...DAY, ...spread, trashed, hours },
    ...{ views: part(views), uploads: part(uploads), trashings: part(trashings) },
  };
}

type Row = [name: string, of: (result: Result) => string, isOfCosts?: true];

const ROWS: Row[] = [
  ["views", ({ views }) => count(views)],
  ["views without D1", ({ viewsWithoutD1, views }) => `${((100 * viewsWithoutD1) / views).toFixed(1)} %`],
  ["requests", ({ requests }) => count(requests)],
  ["calls of the cached entrypoint", ({ loopbacks }) => count(loopbacks)],
  ["D1 queries", ({ d1Queries }) => count(d1Queries)],
  ["of that for the place of a space", ({ placeQueries }) => count(placeQueries)],
  ["calls of queues", ({ queueCalls }) => count(queueCalls)],
  ["calls of Metrics", ({ metricsCalls }) => count(metricsCalls)],
  ["R2 reads", ({ r2Reads }) => count(r2Reads)],
  ["invalidations", ({ invalidations }) => count(invalidations)],
  ["log lines", ({ logLines }) => count(logLines)],
  ["stale answers past their bound", ({ staleAnswers }) => count(staleAnswers)],
  ["wrong answers", ({ wrongAnswers }) => count(wrongAnswers)],
  ["cost of requests per million views", (result) => dollars(perMillion(result).requests), true],
  ["cost beyond requests per million views", (result) => dollars(perMillion(result).beyond), true],
  ...["CPU time", "D1", "R2", "objects", "logs"].map((part): Row => [
    `of that ${part}`,
    (result) => dollars(perMillion(result).parts[part] ?? NaN),
    true,
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
  if ((day.databases ?? 1) > 1) {
    const spread = await Simulation.run(day, CACHED, progress);
    printDatabases(spread, await Simulation.run({ ...day, databases: 1, isEvened: false }, CACHED, progress));
    return;
  }
  const before = await Simulation.run(day, { edgeCache: "off", logSample: 1 }, progress);
  const after = await Simulation.run(day, CACHED, progress);
  table([
    ["", "no edge cache, every request logged", "edge cache, 2 % logged"],
    ...ROWS.map(([name, of]) => [name, of(before), of(after)]),
  ]);
  for (const [event, times] of new Map([...before.troubles, ...after.troubles]))
    console.log(`\nThe log has ${event} ${times} times.`);
}

/** Prints the queries of each database with the edge's cache, how even they are, and what one database would answer. */
function printDatabases(result: Result, alone: Result): void {
  const { queriesOf } = result;
  table([
    ["", `${queriesOf.length} databases`, "one database"],
    ...ROWS.filter(([, , isOfCosts]) => !isOfCosts).map(([name, of]) => [name, of(result), of(alone)]),
  ]);
  console.log();
  table([
    ["database", "queries of views", "of that for places", "queries of sweeps"],
    ...queriesOf.map(({ views, places, sweeps }, shard) => [
      shard,
      count(views),
      count(places),
      count(sweeps),
    ]),
  ]);
  const ratio = (numbers: number[]): string => (Math.max(...numbers) / Math.min(...numbers)).toFixed(2);
  console.log(
    `\n${result.moves} moves before. The most by the fewest: ${ratio(queriesOf.map(({ views, places }) => views - places))} of pictures, ` +
      `${ratio(queriesOf.map(({ views }) => views))} with those for places.`,
  );
}
