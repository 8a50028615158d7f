/**
 * The content API over 100,000 records with 10 versions each, drafts and published: single reads, filtered and sorted
 * lists, counts, searches, relations, drafts, deep cursors, a populate of three levels. For each the time as a multiple
 * of a bare Worker's that runs one D1 query by primary key, in the same workerd and in turns with it; and the rows that
 * D1 reads, with a tenth of the records and with all of them. Then records in 5 locales beside records in none.
 *
 * With `--other=CHECKOUT`, only the times of the requests beside those of another checkout, in turns with it.
 */
import { fillModel } from "./data.ts";
import { makeModels } from "./fill.ts";
import { compareContent } from "./other.ts";
import { ARTICLES, ROUTES } from "./routes.ts";
import { otherOf } from "../edge/other-checkout.ts";
import { ask, type Answer } from "./ask.ts";
import { benchLocales, fillSpaces } from "./locales.ts";
import { start, type Service } from "./worker.ts";
import { median, table } from "../figures.ts";

const RECORDS = 100_000;
const TENTH = RECORDS / 10;
const ROUNDS = 30;

/** Returns the cursor of a list after nine tenths of the records, which are read in pages of 100. */
async function deepCursor(edge: URL, query: string): Promise<string> {
  let cursor = "";
  for (let read = 0; read < RECORDS * 0.9; read += 100) {
    cursor =
      (await ask(edge, `${ARTICLES}?${query}&limit=100${cursor && `&cursor=${cursor}`}`)).cursor ?? cursor;
  }
  return cursor;
}

/** The promises of the API about costs: one request costs at most so many times another, in turns in one run. */
const PROMISES: [name: string, of: string, most: number][] = [
  ["draft list, newest", "list, newest", 1.2],
  ["draft filter, common value", "filter, common value", 1.2],
  ["draft filter, other sort", "common filter, other sort", 1.2],
  ["search, some 100 match", "filter, common value", 3],
  ["search, all match", "filter, common value", 3],
  ["relation filter", "filter, rare value", 2],
  ["count, common value", "filter, common value", 2],
];

/** Measures the bare Worker and each route, all in turns: median milliseconds. */
async function times(service: Service, routes: [string, string][]): Promise<{ bare: number; of: number[] }> {
  const bare: number[] = [];
  const route: number[][] = routes.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, [, path]] of routes.entries()) {
      bare.push((await ask(service.bare, "/?id=777")).ms);
      route[index]?.push((await ask(service.edge, path)).ms);
    }
  }
  return { bare: median(bare), of: route.map(median) };
}

/**
 * Returns the median time of one route as a multiple of another's. They take turns with each other alone, so that both
 * find the caches as the other left them.
 */
async function ratioOf(edge: URL, path: string, other: string): Promise<number> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    times[0].push((await ask(edge, path)).ms);
    times[1].push((await ask(edge, other)).ms);
  }
  return median(times[0]) / median(times[1]);
}

async function rowsOf(edge: URL, routes: [string, string][]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const [, path] of routes) answers.push(await ask(edge, path, {}, true));
  return answers;
}

/** @param flags `--other=CHECKOUT` */
export async function benchContent(flags: readonly string[] = []): Promise<void> {
  const checkout = otherOf(flags);
  if (checkout !== undefined) {
    await compareContent(checkout, RECORDS);
    return;
  }
  const service = await start();
  try {
    const { edge, db } = service;
    await makeModels(edge, db, fillModel);
    await fillModel(db, "articles", 0, TENTH);
    const small = await rowsOf(edge, ROUTES);
    const before = performance.now();
    await fillModel(db, "articles", TENTH, RECORDS);
    const perSecond = ((RECORDS - TENTH) / (performance.now() - before)) * 1000;

    const deep: [string, string][] = [];
    for (const [name, query] of [
      ["deep cursor, newest", ""],
      ["deep cursor, by title", "sort=title"],
    ] as const) {
      deep.push([
        name,
        `${ARTICLES}?${query}&cursor=${await deepCursor(edge, query)}`.replace(
          "&cursor",
          query ? "&cursor" : "cursor",
        ),
      ]);
    }
    const routes = [...ROUTES, ...deep];
    const large = await rowsOf(edge, routes);
    const rows = [
      ["request", "time, bare Worker = 1", "D1 queries", "rows read, 10,000", "rows read, 100,000"],
    ];
    const { bare, of } = await times(service, routes);
    const timeOf = (name: string): number => of[routes.findIndex(([route]) => route === name)] ?? NaN;
    for (const [index, [name]] of routes.entries()) {
      rows.push([
        name,
        (timeOf(name) / bare).toFixed(2),
        large[index]?.queries ?? "",
        small[index]?.rows ?? "",
        large[index]?.rows ?? "",
      ]);
    }
    table(rows);
    console.log();
    const pathOf = (name: string): string => ROUTES.find(([route]) => route === name)?.[1] ?? "";
    const promised: string[][] = [];
    for (const [name, other, most] of PROMISES) {
      const ratio = await ratioOf(edge, pathOf(name), pathOf(other));
      promised.push([`${name} / ${other}`, ratio.toFixed(2), String(most), ratio <= most ? "yes" : "no"]);
    }
    table([["in turns", "ratio", "at most", "kept"], ...promised]);
    console.log(
      `\n${RECORDS} records of 7 fields, 10 versions and a published content each, with their index rows, loaded at ` +
        `${perSecond.toFixed(0)} per second.\n`,
    );
    await fillSpaces(service, RECORDS);
    await benchLocales(service);
  } finally {
    await service.stop();
  }
}

if (import.meta.main) await benchContent();
