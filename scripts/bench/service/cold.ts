/**
 * `npm run bench cold`: the time that a cold variant takes a visitor, through the service of `npm start`, and where
 * that time goes.
 *
 *     --photos=FOLDER   instead, how many photographs of the folder a first visitor gets within the wait, at 1000 pixels
 *                       in each format; the isolate of the builder is warm
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { BuildTimes } from "../../../src/edge/queue/work/build-clock.ts";
import { picture, variantOf, type Space } from "../../harness/api.ts";
import { median, ms, percentile, table } from "../figures.ts";
import { photoMaster } from "../masters/photographs.ts";
import { spaceWith, whileRunning, type Running } from "./running.ts";

interface Cold {
  ms: number;
  first: string;
  /** The same request once more: a hit that this machine's servers and sockets take as long for. */
  warmMs: number;
}

/** Measures the time from the request to the answer that names the variant, and notes the first answer. */
async function cold(space: Space, id: string, query: string): Promise<Cold> {
  const started = performance.now();
  const { state } = await picture(space, id, query);
  if (state !== "built") await variantOf(space, id, query);
  const built = performance.now();
  await picture(space, id, query);
  return { ms: built - started, first: state ?? "master", warmMs: performance.now() - built };
}

/** Returns the rows of the table, and all requests, in the order of the builds. */
async function colds({ service }: Running): Promise<{ rows: string[][]; requests: Cold[] }> {
  const masters = [
    await photoMaster("jpeg", 2),
    await photoMaster("jpeg", 12),
    await photoMaster("progressive", 80),
  ];
  const { space, ids } = await spaceWith(service, masters);
  const asked: [name: string, id: number, queries: string[]][] = [
    ["JPEG 2 MP → WebP", 0, [1000, 750, 500, 236, 128].map((w) => `w=${w}&fm=webp`)],
    ["JPEG 12 MP → WebP", 1, [1000, 750, 500, 236, 128].map((w) => `w=${w}&fm=webp`)],
    ["JPEG 12 MP → 1600 AVIF", 1, [80, 90, 95].map((q) => `w=1600&fm=avif&q=${q}`)],
    ["progressive JPEG 80 MP → WebP", 2, [1000, 750, 500].map((w) => `w=${w}&fm=webp`)],
  ];
  const rows: string[][] = [];
  const requests: Cold[] = [];
  for (const [name, id, queries] of asked) {
    const runs: Cold[] = [];
    for (const query of queries) runs.push(await cold(space, ids[id] ?? "", query));
    const firsts = [...new Set(runs.map((run) => run.first))].join(", ");
    rows.push([name, String(runs.length), ms(median(runs.map((run) => run.ms))), firsts]);
    requests.push(...runs);
  }
  return { rows, requests };
}

const PHASES = ["room", "master", "build", "wait", "put", "row"] as const satisfies (keyof BuildTimes)[];

/**
 * Returns the medians of each phase of light builds by the queue's log, then of the rest of each request: outside of
 * the phases (picture, admission, answer), all but the build, and all but its pixels. The build is timed by the
 * builder's own clock, so both ways to its room count as the way. Only requests that waited until the variant was there
 * count.
 */
function phases({ service }: Running, requests: readonly Cold[]): string[] {
  const lines = service.output().match(/\{"event":"build",.*\}/g) ?? [];
  const builds = lines.map((line) => JSON.parse(line) as { lane: string; ms?: BuildTimes });
  const asked = builds.filter(({ lane }) => lane !== "idle");
  if (asked.length !== requests.length) {
    throw new Error(`${asked.length} builds for ${requests.length} requests`);
  }
  const light = asked.flatMap(({ lane, ms: spent }, n) => {
    const request = requests[n];
    return lane === "light" && spent && request?.first === "built"
      ? [{ ...spent, total: request.ms, warm: request.warmMs }]
      : [];
  });
  const medianOf = (of: (one: (typeof light)[number]) => number): string => ms(median(light.map(of)));
  const outside = medianOf(({ total, room, build, put, row }) => total - room - build - put - row);
  const cells = PHASES.map((phase) => medianOf((spent) => spent[phase]));
  const notBuild = medianOf(({ total, build }) => total - build);
  const notPixels = medianOf(({ total, build, wait }) => total - build + wait);
  return [String(light.length), ...cells, outside, notBuild, notPixels, medianOf(({ warm }) => warm)];
}

const PHOTO_FORMATS = ["jpeg", "webp", "avif"] as const;
const PHOTO_WIDTH = 1000;
/** Other sizes, whose builds make the modules and the isolate warm. */
const WARMING_WIDTHS = [500, 640, 750];
const TENTHS = 0.9;

/** Measures the first visitor of each photograph, in each format. */
async function firstVisitors({ service }: Running, folder: string): Promise<string[][]> {
  const names = readdirSync(folder).filter((name) => /\.(?:jpe?g|png|webp)$/i.test(name));
  const { space, ids } = await spaceWith(
    service,
    names.sort().map((name) => readFileSync(join(folder, name))),
  );
  const ask = (id: string, format: string, width: number): Promise<Cold> =>
    cold(space, id, `w=${width}&fm=${format}`);
  for (const width of WARMING_WIDTHS) for (const format of PHOTO_FORMATS) await ask(ids[0]!, format, width);
  const runs = new Map(PHOTO_FORMATS.map((format) => [format, [] as Cold[]]));
  for (const id of ids)
    for (const format of PHOTO_FORMATS) runs.get(format)!.push(await ask(id, format, PHOTO_WIDTH));
  return PHOTO_FORMATS.map((format) => {
    const all = runs.get(format)!;
    const times = all.map((one) => one.ms);
    const inTime = all.filter(({ first }) => first === "built").length;
    return [format, String(all.length), String(inTime), ms(median(times)), ms(percentile(times, TENTHS))];
  });
}

export async function benchCold(flags: readonly string[]): Promise<void> {
  const folder = flags.find((flag) => flag.startsWith("--photos="))?.slice("--photos=".length);
  if (folder !== undefined) {
    const head = ["format", "photographs", "answered within the wait", "median", "nine of ten within"];
    await whileRunning(async (running) => table([head, ...(await firstVisitors(running, folder))]));
    return;
  }
  const spent = [
    [
      ...[
        "light builds that were waited for",
        "to a room and back",
        "the master's bytes (beside the build)",
        "build",
        "of it, waiting for the master's bytes",
        "to R2",
        "to D1",
      ],
      ...[
        "request, admission and answer",
        "all but the build",
        "all but its pixels",
        "for comparison, a hit",
      ],
    ],
  ];
  const times = [["cold variant", "of them", "request to variant, median", "first answer"]];
  await whileRunning(async (running) => {
    const { rows, requests } = await colds(running);
    times.push(...rows);
    spent.push(phases(running, requests));
  });
  table(times);
  console.log("\nOf the light ones, medians of what was waited for:\n");
  table(spent);
}
