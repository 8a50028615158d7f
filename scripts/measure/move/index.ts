/**
 * Moves a space of 100,000 records with a history and 1,000 media to another database while 20 writers write and readers
 * read, all over HTTP on what `DATABASES=3 npm start` runs, and prints one table: how long writes were refused, what was
 * refused of reads, and what is lost, double or wrong afterwards by the writers' own ledger. Then it lets the rows go that
 * were left behind, and compares again. Exits with 1 if something is wrong.
 *
 *   node scripts/run.mjs scripts/measure/move/index.ts
 *   RECORDS=2000 MEDIA=40 node scripts/run.mjs scripts/measure/move/index.ts
 *
 * WRITERS (20), READERS (8), CHANGES of each record before the move (2). KEEP=FOLDER keeps the filled space there, and
 * begins with it if it is there already.
 */
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median, ms, percentile, table } from "../../bench/figures.ts";
import { bearer, json, type Space } from "../../harness/api.ts";
import { newDataDir, removeDataDir, startService, type Service } from "../../harness/service.ts";
import { lookInto } from "../../soak/stored.ts";
import { Caller, type Refusal } from "./caller.ts";
import { compare, type Compared } from "./compare.ts";
import { fillRecords, makeSpace } from "./fill.ts";
import { ageLeftRows, rowsOn, type Rows } from "./left.ts";
import type { Contents, Entry } from "./ledger.ts";
import { readOn } from "./readers.ts";
import { Writer } from "./writers.ts";

const number = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const SIZES = {
  records: number("RECORDS", 100_000),
  media: number("MEDIA", 1000),
  changes: number("CHANGES", 2),
};
const WRITERS = number("WRITERS", 20);
const READERS = number("READERS", 8);
const { KEEP, PORT } = process.env;
/** The longest refusal of writes that the product promises (RULES 12.6). */
const REFUSED_MAX_MS = 5000;
const MOVE_MAX_MS = number("MOVE_MAX", 3600) * 1000;
/** How long the writers go on after the move. */
const AFTER_MS = 10_000;
const TARGET = 1;
const SWEEPS_PER_RUN = 3;
const RUNS_MAX = 6;
/** Records of the first filling whose whole history is read; five times as many of those that were written meanwhile. */
const HISTORIES = 120;

const dataDir = newDataDir();
const env = { DATABASES: "3", LOG_SAMPLE: "0", API_RATE: "1000000" };
const start = (): Promise<Service> =>
  startService({ dataDir, env, ...(PORT !== undefined && { port: Number(PORT) }) });
const pause = (waitMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, waitMs));
const spread = (values: number[]): string =>
  `${ms(median(values))} / ${ms(percentile(values, 0.99))} / ${ms(Math.max(...values))}`;
const seconds = (value: number): string => `${(value / 1000).toFixed(1)} s`;

interface Filled {
  space: Space;
  contents: Contents;
}

const at = (service: Service, { space, contents }: Filled): Filled => ({
  contents,
  space: { ...space, api: `${service.base}/api/v1/${space.name}` },
});

/** Fills a space, or takes the filled one of an earlier run. */
async function filled(): Promise<{ service: Service; filled: Filled }> {
  const ledger = KEEP === undefined ? "" : join(KEEP, "ledger.json");
  if (existsSync(ledger)) {
    cpSync(join(KEEP ?? "", "data"), dataDir, { recursive: true });
    const service = await start();
    return { service, filled: at(service, JSON.parse(readFileSync(ledger, "utf8")) as Filled) };
  }
  const first = await start();
  const { space, files } = await makeSpace(first, SIZES);
  await first.stop();
  const records = fillRecords(dataDir, space.id, files, SIZES);
  console.log(`${records.length} records and ${files.length} media are there`);
  const made = { space, contents: { records, files } };
  if (KEEP !== undefined) {
    cpSync(dataDir, join(KEEP, "data"), { recursive: true });
    writeFileSync(ledger, JSON.stringify(made));
  }
  const service = await start();
  return { service, filled: at(service, made) };
}

interface MoveView {
  state: string;
  shard: number;
  reason: string | null;
  rows: { copied: number; total: number };
}

async function moved(service: Service, space: Space): Promise<MoveView> {
  const headers = { ...bearer(service.rootToken), "Content-Type": "application/json" };
  await json(
    await fetch(`${space.api}/move`, { method: "POST", headers, body: JSON.stringify({ shard: TARGET }) }),
  );
  let view: MoveView = { state: "none", shard: 0, reason: null, rows: { copied: 0, total: 0 } };
  let said = "";
  const until = Date.now() + MOVE_MAX_MS;
  while (Date.now() < until && view.state !== "done" && view.state !== "stayed") {
    await pause(500);
    view = await json<MoveView>(await fetch(`${space.api}/move`, { headers })).catch(() => view);
    const share = Math.floor((20 * view.rows.copied) / Math.max(1, view.rows.total)) * 5;
    const words = `${view.state} ${share} % ${view.reason ?? ""}`;
    if (words !== said) console.log(words);
    said = words;
  }
  return view;
}

/** Runs the sweep until nothing of the space is left where it was. @returns the rows of each database then */
async function sweepLeft(spaceId: string): Promise<Rows[]> {
  for (let run = 0; ; run++) {
    service = await start();
    for (let sweep = 0; sweep < SWEEPS_PER_RUN; sweep++)
      await fetch(`${service.base}/cdn-cgi/local/scheduled`);
    // A database can be looked into while the service does not run.
    await service.stop();
    const rows = rowsOn(dataDir, spaceId);
    if (run === RUNS_MAX || rows.every(({ state, rows: n }) => state !== "left" || n === 0)) return rows;
  }
}

const rowsText = (rows: readonly Rows[]): string =>
  rows.map(({ state, rows: n }) => `${state} ${n}`).join(", ");

const { service: first, filled: start0 } = await filled();
let service = first;
const faults: string[] = [];
try {
  const { contents, space } = start0;
  const caller = new Caller();
  let isOver = false;
  const over = (): boolean => isOver;
  const ofWriter = <T>(items: T[], no: number): T[] => items.filter((_, n) => n % WRITERS === no);
  const writers = Array.from({ length: WRITERS }, (_, no) => {
    const own = { records: ofWriter(contents.records, no), files: ofWriter(contents.files, no) };
    return new Writer(caller, space, no, own);
  });
  const before = new Map(contents.records.map((entry) => [entry.id, entry.version]));
  const working = writers.map((writer) => writer.work(over));
  const reading = Array.from({ length: READERS }, () => readOn(caller, space, contents, over, 20));
  await pause(3000);
  const began = performance.now();
  const view = await moved(service, space);
  const took = performance.now() - began;
  if (view.state !== "done" || view.shard !== TARGET)
    faults.push(`the move is ${view.state}: ${view.reason}`);
  await pause(AFTER_MS);
  isOver = true;
  await Promise.all([...working, ...reading]);
  const all: Contents = {
    records: writers.flatMap((writer) => writer.contents.records),
    files: writers.flatMap((writer) => writer.contents.files),
  };
  const touched = all.records.filter(({ id, version }) => version !== before.get(id));
  const every = Math.max(1, Math.floor(all.records.length / HISTORIES));
  const others = all.records.filter((_, n) => n % every === 0);
  const check = async (historyOf: readonly Entry[]): Promise<Compared> => {
    const compared = await compare(new Caller(), space, all, historyOf);
    faults.push(...compared.faults);
    return compared;
  };
  faults.push(...caller.faults);
  const compared = await check([...new Set([...touched.slice(0, 5 * HISTORIES), ...others])]);
  await service.stop();
  const waits = caller.refusals.map(({ refusedAt, takenAt }) => takenAt - refusedAt);
  const longest = Math.max(0, ...waits);
  if (longest > REFUSED_MAX_MS) faults.push(`writes were refused for ${seconds(longest)}`);
  const ofRefusals = (of: (refusal: Refusal) => number): number[] => caller.refusals.map(of);
  const episode =
    longest === 0
      ? 0
      : Math.max(...ofRefusals(({ lastRefusedAt }) => lastRefusedAt)) -
        Math.min(...ofRefusals(({ refusedAt }) => refusedAt));
  table([
    ["move", `${contents.records.length} records before it, ${WRITERS} writers, ${READERS} readers`],
    ["the move took", seconds(took)],
    ["rows copied", view.rows.copied],
    ["writes meanwhile", caller.writes],
    ["a write, median / 99 % / slowest", spread(caller.writeMs)],
    ["writes that were refused at first", caller.refusals.length],
    ["longest refusal of a write", seconds(longest)],
    ["first to last refusal", seconds(episode)],
    ["Retry-After", [...new Set(caller.refusals.map(({ retryAfter }) => retryAfter))].join() || "–"],
    ["reads meanwhile, refused or wrong", `${caller.reads}, ${caller.faults.length}`],
    ["a read, median / 99 % / slowest", spread(caller.readMs)],
    ["compared: records, published", `${compared.records}, ${compared.published}`],
    ["compared: versions of some records", compared.versions],
    ["compared: media with their bytes", compared.media],
    ["compared: searches", compared.searches],
    ["rows by database", rowsText(rowsOn(dataDir, space.id))],
    ["faults", faults.length],
  ]);
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
  faults.length = 0;
  ageLeftRows(dataDir);
  const left = await sweepLeft(space.id);
  if (left.some(({ state, rows }) => state === "left" && rows > 0))
    faults.push("rows are left on the database that the space has left");
  service = await start();
  space.api = `${service.base}/api/v1/${space.name}`;
  await check(others);
  await service.stop();
  const objects = lookInto(dataDir);
  for (const key of objects.withoutObject) faults.push(`the master ${key} has no object`);
  for (const key of objects.withoutRow) faults.push(`the object ${key} has no row`);
  console.log(
    `\nRows after the sweep: ${rowsText(left)}. Objects: ${objects.objects}. Faults: ${faults.length}.`,
  );
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await service.stop();
  removeDataDir(dataDir);
}
