/**
 * The content API over 100,000 records with 10 versions each, drafts and published: single reads, filtered and sorted
 * lists, counts, searches, relations, drafts, deep cursors, a populate of three levels. For each the time as a multiple
 * of a bare Worker's that runs one D1 query by primary key, in the same workerd and in turns with it; and the rows that
 * D1 reads, with a tenth of the records and with all of them.
 */
import { fillModel, idOf, MODELS } from "./data.ts";
import { start, TOKEN, type Service } from "./worker.ts";
import { median, table } from "../figures.ts";

const RECORDS = 100_000;
const TENTH = RECORDS / 10;
const ROUNDS = 30;
const SPACE = "/api/v1/bench";
const ARTICLES = `${SPACE}/data/collections/articles`;

interface Answer {
  ms: number;
  rows: string;
  queries: string;
  cursor: string | null;
}

async function ask(base: URL, path: string, init: RequestInit = {}, counted = false): Promise<Answer> {
  const headers = {
    Authorization: `Bearer ${TOKEN}`,
    ...(init.body !== undefined && { "Content-Type": "application/json" }),
    ...(counted && { "X-Count": "1" }),
  };
  const started = performance.now();
  const response = await fetch(new URL(path, base), { ...init, headers });
  const text = await response.text();
  const ms = performance.now() - started;
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  const { meta } = JSON.parse(text) as { meta?: { nextCursor: string | null } };
  return {
    ms,
    rows: response.headers.get("X-Rows") ?? "?",
    queries: response.headers.get("X-Queries") ?? "?",
    cursor: meta?.nextCursor ?? null,
  };
}

/** Where a list is after nine tenths of the records: read through by pages of 100. */
async function deepCursor(edge: URL, query: string): Promise<string> {
  let cursor = "";
  for (let read = 0; read < RECORDS * 0.9; read += 100) {
    cursor =
      (await ask(edge, `${ARTICLES}?${query}&limit=100${cursor && `&cursor=${cursor}`}`)).cursor ?? cursor;
  }
  return cursor;
}

const ROUTES: [string, string][] = [
  ["one record", `${ARTICLES}/${idOf("R", 777)}`],
  ["list, newest", `${ARTICLES}?`],
  ["sort by number", `${ARTICLES}?sort=-views`],
  ["filter, rare value", `${ARTICLES}?filter[author][eq]=${idOf("A", 77)}`],
  ["filter, common value", `${ARTICLES}?filter[kind][eq]=published`],
  ["rare filter, other sort", `${ARTICLES}?filter[slug][eq]=slug-777&sort=title`],
  ["common filter, other sort", `${ARTICLES}?filter[kind][eq]=published&sort=title`],
  ["range, same sort", `${ARTICLES}?filter[views][gte]=500&filter[views][lt]=900000&sort=views`],
  [
    "two filters, two sorts",
    `${ARTICLES}?filter[kind][eq]=published&filter[day][gt]=2021-01-01T00:00:00Z&sort=day,-title`,
  ],
  ["relation filter", `${ARTICLES}?filter[author.name][eq]=Author%2077`],
  ["or, two rare values", `${ARTICLES}?filter[or][0][slug][eq]=slug-7&filter[or][1][slug][eq]=slug-8`],
  ["count, common value", `${ARTICLES}?filter[kind][eq]=published&count=true`],
  ["search, some 100 match", `${ARTICLES}?search=title%207919`],
  ["search, all match", `${ARTICLES}?search=title`],
  ["three levels of populate, 25", `${ARTICLES}?populate=author.company.city`],
  ["draft, one record", `${ARTICLES}/${idOf("R", 777)}?status=draft`],
  ["draft list, newest", `${ARTICLES}?status=draft`],
  ["draft filter, common value", `${ARTICLES}?status=draft&filter[kind][eq]=published`],
  ["draft filter, other sort", `${ARTICLES}?status=draft&filter[kind][eq]=published&sort=title`],
  ["history of a record", `${ARTICLES}/${idOf("R", 777)}/versions`],
];

/** What the API promises of its costs: one request at most so many times another, in turns in one run. */
const PROMISES: [name: string, of: string, most: number][] = [
  ["draft list, newest", "list, newest", 1.2],
  ["draft filter, common value", "filter, common value", 1.2],
  ["draft filter, other sort", "common filter, other sort", 1.2],
  ["search, some 100 match", "filter, common value", 3],
  ["search, all match", "filter, common value", 3],
  ["relation filter", "filter, rare value", 2],
  ["count, common value", "filter, common value", 2],
];

/** Median milliseconds of the bare Worker and of each route, all in turns. */
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
 * The median time of one route as a multiple of another's. They take turns with each other alone, so that both find the
 * caches as the other left them.
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

export async function benchContent(): Promise<void> {
  const service = await start();
  try {
    const { edge, db } = service;
    const post = (path: string, body: object) =>
      ask(edge, path, { method: "POST", body: JSON.stringify(body) });
    await post("/api/v1/spaces", { name: "bench" });
    for (const model of MODELS) await post(`${SPACE}/models`, { typeModel: "collections", ...model });
    await fillModel(db, "cities", 0, 20);
    await fillModel(db, "companies", 0, 100);
    await fillModel(db, "authors", 0, 1000);
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
        `${perSecond.toFixed(0)} per second.`,
    );
  } finally {
    await service.stop();
  }
}

if (import.meta.main) await benchContent();
