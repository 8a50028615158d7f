/**
 * `npm run bench builds`: builds through what `npm start` starts. It has two parts:
 *
 *     npm run bench builds -- --parts=cold      how long a cold variant takes a visitor, and where that time goes
 *     npm run bench builds -- --parts=growth    what the builder's process grows to
 */
import type { BuildTimes } from "../../src/edge/queue/work/build-clock.ts";
import { picture, variantOf, type Space } from "../harness/api.ts";
import { mb, median, ms, table } from "./figures.ts";
import { drawingMaster, photoMaster, type Kind, type Megapixels } from "./masters.ts";
import { spaceWith, whileRunning, type Running } from "./running.ts";

/** Twenty builds of all kinds: which master, and what of it. */
const MIXED: readonly [master: number, query: string][] = [
  [0, "w=1000&fm=webp"],
  [1, "w=1000&fm=avif"],
  [2, "w=1000&fm=jpeg"],
  [3, "w=1000&fm=webp"],
  [4, "w=1000&fm=webp"],
  [5, "w=500&fm=png"],
  [6, "w=1000&fm=avif"],
  [4, "w=2560&fm=jpeg"],
  [3, "w=1600&fm=avif&q=90"],
  [2, "w=750&fm=png"],
  [1, "w=500&fm=webp&q=100"],
  [0, "w=236&fm=avif"],
  [6, "w=1600&fm=png"],
  [4, "w=1000&fm=avif&q=95"],
  [5, "w=1000&fm=webp"],
  [3, "w=2560&fm=webp"],
  [2, "w=1600&fm=jpeg&q=95"],
  [7, "w=1000&fm=webp"],
  [4, "w=64&fm=jpeg"],
  [7, "w=2560&fm=jpeg"],
];

const mixedMasters = (): Promise<Buffer[]> =>
  Promise.all([
    photoMaster("jpeg", 1),
    photoMaster("jpeg", 2),
    photoMaster("jpeg", 4),
    photoMaster("jpeg", 8),
    photoMaster("jpeg", 12),
    drawingMaster(1200, 900),
    drawingMaster(2400, 1800),
    photoMaster("png", 12),
  ]);

type Build = readonly [id: string, query: string];

const AFTER = [1, 2, 5, 10, 20];

/**
 * Builds one after the other: how far the builder's process had grown at its peak after so many of them, and what
 * V8 counts in the isolate at the end.
 */
async function inARow(running: Running, space: Space, builds: Build[]): Promise<string[]> {
  const grown: number[] = [];
  for (const [id, query] of builds) {
    await variantOf(space, id, query);
    grown.push(running.growthBytes());
  }
  const heapBytes = await running.heapBytes();
  const cells = AFTER.map((count) => grown[count - 1]).map((bytes) => (bytes === undefined ? "" : mb(bytes)));
  return [...cells, heapBytes === null ? "?" : mb(heapBytes)];
}

async function mixed(running: Running): Promise<string[]> {
  const { space, ids } = await spaceWith(running.service, await mixedMasters());
  const builds = MIXED.map(([master, query]): Build => [ids[master] ?? "", query]);
  return [`${MIXED.length} mixed, 1–12 MP and drawings`, ...(await inARow(running, space, builds))];
}

/** The same codecs again and again, the largest variant first: what grows after it is never given back. */
const inTen = (format: string): string[] =>
  [1600, 1000, 750, 500, 236].flatMap((w) => [90, 80].map((q) => `w=${w}&fm=${format}&q=${q}`));

async function ten(running: Running, kind: Kind, megapixels: Megapixels, format: string): Promise<string[]> {
  const { space, ids } = await spaceWith(running.service, [await photoMaster(kind, megapixels)]);
  const builds = inTen(format).map((query): Build => [ids[0] ?? "", query]);
  const name = { jpeg: "baseline JPEG", progressive: "progressive JPEG", png: "PNG" }[kind];
  return [`10 ${format} of ${name}, ${megapixels} MP`, ...(await inARow(running, space, builds))];
}

const TENS: readonly [kind: Kind, megapixels: Megapixels, format: string][] = [
  ["jpeg", 80, "webp"],
  ["progressive", 80, "webp"],
  ["jpeg", 80, "jpeg"],
  ["progressive", 80, "avif"],
  ["png", 12, "webp"],
];

interface Cold {
  ms: number;
  first: string;
  /** The same request once more: a hit that this machine's servers and sockets take as long for. */
  warmMs: number;
}

/** From the request to the answer that names the variant, and what the first answer was. */
async function cold(space: Space, id: string, query: string): Promise<Cold> {
  const started = performance.now();
  const { state } = await picture(space, id, query);
  if (state !== "built") await variantOf(space, id, query);
  const built = performance.now();
  await picture(space, id, query);
  return { ms: built - started, first: state ?? "master", warmMs: performance.now() - built };
}

/** The rows of the table, and all requests, in the order of the builds. */
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
 * Where the time of light builds went: medians of each phase by the queue's log (the build by the builder's own clock,
 * so that both ways to its room count as the way), what of the request lies outside of them
 * (picture, admission, answer), all that is not the build, and all that is not its pixels. Only of requests that waited until the variant was there.
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

async function benchCold(): Promise<void> {
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

async function benchGrowth(): Promise<void> {
  const after = AFTER.map((count) => `after ${count}`);
  const growth = [["builds in a row, a new process each line", ...after, "JS heap and buffers at the end"]];
  const inspected = { isInspected: true };
  await whileRunning(async (running) => void growth.push(await mixed(running)), inspected);
  for (const each of TENS)
    await whileRunning(async (running) => void growth.push(await ten(running, ...each)), inspected);
  console.log(
    "Peak resident size of the builder's process over what it held before its first build, in MB:\n",
  );
  table(growth);
}

const PARTS = { cold: benchCold, growth: benchGrowth };

const isPart = (name: string): name is keyof typeof PARTS => name in PARTS;

/** @throws Error for a flag that is not `--parts=` with names of parts */
function partsOf(flags: string[]): (keyof typeof PARTS)[] {
  const all = Object.keys(PARTS).filter(isPart);
  const named = flags.flatMap((flag) => {
    if (!flag.startsWith("--parts=")) throw new Error(`bench builds: unknown flag ${flag}`);
    return flag.slice("--parts=".length).split(",");
  });
  const unknown = named.filter((name) => !isPart(name));
  if (unknown.length > 0) throw new Error(`bench builds: no part ${unknown.join(", ")}`);
  return named.length === 0 ? all : named.filter(isPart);
}

export async function benchBuilds(flags: string[]): Promise<void> {
  for (const [n, part] of partsOf(flags).entries()) {
    if (n > 0) console.log();
    await PARTS[part]();
  }
}
