/**
 * A model with localized fields in a space with 5 locales beside the same model in a space without locales, 100,000
 * records each: the same requests in turns, in `de` and without a locale. Alone, with another number of records:
 * `node scripts/run.mjs scripts/bench/content/locales.ts 2000`. With a folder after that, the records are kept there for
 * the next run with it, which brings the tables up to date and need not write 100,000 records again. A run with another
 * number of records is refused there.
 */
import { resolve } from "node:path";
import { median, table } from "../figures.ts";
import { ask, type Answer } from "./ask.ts";
import { idOf } from "./data.ts";
import { noteKept, readKept } from "./kept.ts";
import { fillLocales } from "./locale-data.ts";
import { migrationFiles, start, type Service } from "./worker.ts";

const RECORDS = 100_000;
const ROUNDS = 200;
/** Rounds before those that are measured: what runs for the first time is compiled first, more of it in a locale. */
const WARM_UP_ROUNDS = 15;
/** The record that is read and written, the first of those that are written straight into D1. */
const FIRST = 1;
/** How much dearer a read and a write may be in one of 5 locales than without locales. */
const READ_MOST = 1.1;
const WRITE_MOST = 1.5;
const CODES = ["en", "de", "fr", "es", "it"];
const [PLAIN, LOCALIZED] = ["/api/v1/bench-plain", "/api/v1/bench-locales"];
const MODEL = "/data/collections/pieces";

const fields = (localized: boolean): object[] => [
  { name: "title", type: "string", searchable: true, localized },
  { name: "slug", type: "string", unique: true, localized },
  { name: "body", type: "text", localized },
  { name: "views", type: "number" },
];

/** The reads, each by the parameters that both spaces are asked with. One record is asked for by its id. */
const READS: [name: string, query: string][] = [
  ["one record", `/${idOf("R", FIRST)}?`],
  ["list, newest", "?"],
  ["sort by a localized text", "?sort=title"],
  ["sort by a localized text, descending", "?sort=-title"],
  ["filter by a unique localized text", "?filter[slug][eq]=de-77"],
  ["filter by the beginning of a localized text", "?filter[title][startsWith]=Stone%2077"],
  ["range of a shared number, sort by it", "?filter[views][gte]=100&sort=views"],
  ["localized filter, shared sort", "?filter[title][startsWith]=Stone&sort=-views"],
  ["count of a common range", "?filter[views][gte]=100&count=true"],
  ["search, some 100 match", "?search=stone%20791"],
  ["search, all match", "?search=stone"],
];

/** A mark of this run. The records of another may be kept. */
const RUN = Date.now().toString(36);
const text = (n: number): object => ({ title: `Stone ${n} de`, body: `de${n} `.repeat(60) });

/** The writes of round `n`, by method and path. The localized space is written in `de`. */
const WRITES: [name: string, method: string, path: string, body: (n: number) => object][] = [
  ["change of localized texts", "PUT", `/${idOf("R", FIRST)}`, text],
  ["change of a shared number", "PUT", `/${idOf("R", FIRST)}`, (n) => ({ views: n })],
  ["change of both", "PUT", `/${idOf("R", FIRST + 1)}`, (n) => ({ ...text(n), views: n })],
  ["new record", "POST", "", (n) => ({ ...text(n), slug: `new-${RUN}-${n}`, views: n })],
];

const send = (edge: URL, method: string, path: string, body: object, counted = false) =>
  ask(edge, path, { method, body: JSON.stringify(body) }, counted);

const nameOf = (space: string): string => space.slice(space.lastIndexOf("/") + 1);

async function fill({ edge, db }: Service, space: string, records: number): Promise<void> {
  const isLocalized = space === LOCALIZED;
  await send(edge, "POST", "/api/v1/spaces", { name: nameOf(space) });
  if (isLocalized)
    await send(edge, "PATCH", `${space}/settings`, { locales: CODES.map((code) => ({ code })) });
  await send(edge, "POST", `${space}/models`, {
    typeModel: "collections",
    name: "pieces",
    fields: fields(isLocalized),
  });
  const words = Object.fromEntries(CODES.map((code) => [code, `first ${code}`]));
  const first = isLocalized ? { title: words, slug: words } : { title: "first", slug: "first" };
  await send(edge, "POST", `${space}${MODEL}${isLocalized ? "?locale=all" : ""}`, first);
  const code = isLocalized ? "en" : "de";
  await fillLocales(db, { space: nameOf(space), model: "pieces", code }, FIRST, records);
}

/** A request to each of the two spaces. */
type Pair = [plain: () => Promise<Answer>, localized: () => Promise<Answer>];

/** Returns the medians of a pair that takes turns, each of which begins with the other. */
async function inTurns(pair: (round: number) => Pair): Promise<[plain: number, localized: number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const requests = pair(round);
    for (const at of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { ms } = await requests[at]();
      if (round >= 0) times[at].push(ms);
    }
  }
  return [median(times[0]), median(times[1])];
}

export async function fillSpaces(service: Service, records: number): Promise<void> {
  for (const space of [PLAIN, LOCALIZED]) await fill(service, space, records);
}

export async function benchLocales({ edge }: Service): Promise<void> {
  const rows = [
    [
      "request",
      "without, ms",
      "in 5 locales, ms",
      "ratio",
      "at most",
      "kept",
      "rows read without",
      "rows read in 5",
    ],
  ];
  const add = async (name: string, most: number, pair: (round: number, counted?: boolean) => Pair) => {
    const [before, after] = await inTurns(pair);
    const [plain, localized] = pair(ROUNDS, true);
    const ratio = after / before;
    const kept = ratio <= most ? "yes" : "no";
    const read = [(await plain()).rows, (await localized()).rows];
    console.log(`${name}: ${ratio.toFixed(2)}`);
    rows.push([name, before.toFixed(1), after.toFixed(1), ratio.toFixed(2), String(most), kept, ...read]);
  };
  for (const [name, query] of READS) {
    const inGerman = query.endsWith("?") ? `${query}locale=de` : `${query}&locale=de`;
    await add(name, READ_MOST, (_, counted = false) => [
      () => ask(edge, `${PLAIN}${MODEL}${query}`, {}, counted),
      () => ask(edge, `${LOCALIZED}${MODEL}${inGerman}`, {}, counted),
    ]);
  }
  for (const [index, [name, method, path, body]] of WRITES.entries()) {
    await add(name, WRITE_MOST, (round, counted = false) => {
      const values = body(index * ROUNDS + round);
      return [
        () => send(edge, method, `${PLAIN}${MODEL}${path}`, values, counted),
        () => send(edge, method, `${LOCALIZED}${MODEL}${path}?locale=de`, values, counted),
      ];
    });
  }
  table(rows);
  console.log(
    `\nRecords of 4 fields, 3 of them localized in ${CODES.length} locales, beside the same without locales, in turns.`,
  );
}

/**
 * Starts the service on the records in a folder, which are written there if there are none.
 * @throws Error if the folder keeps another number of records
 */
async function startKept(folder: string, records: number): Promise<Service> {
  const kept = readKept(folder, records);
  const service = await start({ folder, after: kept?.migration ?? "" });
  if (!kept) await fillSpaces(service, records);
  noteKept(folder, { migration: migrationFiles().at(-1), records });
  return service;
}

if (import.meta.main) {
  const [, , count, folder] = process.argv;
  const records = count === undefined ? RECORDS : Number(count);
  const service = folder === undefined ? await start() : await startKept(resolve(folder), records);
  try {
    if (folder === undefined) await fillSpaces(service, records);
    await benchLocales(service);
  } finally {
    await service.stop();
  }
}
