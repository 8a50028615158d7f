/**
 * Takes one of three databases away for a minute while spaces on all of them are used over HTTP, and prints how the spaces
 * of each were answered before, meanwhile and after. For half of the minute its calls fail at once, for the other half they
 * are not answered. Exits with 1 if a space of another database noticed, or if pictures of its own spaces that the isolate
 * holds were not answered.
 *
 *   node scripts/run.mjs scripts/measure/away/index.ts
 *
 * SECONDS is the length of each of the four phases (30), PORT where the service answers.
 */
import { median, ms, percentile, table } from "../../bench/figures.ts";
import { json, newSpace, picture, upload, variantOf, type Space } from "../../harness/api.ts";
import { newDataDir, removeDataDir } from "../../harness/service.ts";
import { LocalWorkers } from "../../start/local-workers.ts";
import { workerOutput } from "../../start/output.ts";
import { freePort, waitUntilHealthy } from "../../start/ports.ts";
import { photoOf } from "../move/fill.ts";
import { AWAY_PATH, withSwitch } from "./worker.ts";

const SECONDS = Number(process.env["SECONDS"] ?? 30);
const SHARDS = 3;
const AWAY = 1;
const PER_SHARD = 2;
const PAUSE_MS = 100;
const ANSWER_MS = 20_000;
const rootToken = "root-of-the-measurement-away-0123";
const PHASES = ["back", "fail", "hang", "back"] as const;
const NAMES = ["before", "fails", "hangs", "after"];

const dataDir = newDataDir();
const port = Number(process.env["PORT"] ?? (await freePort()));
const base = `http://localhost:${port}`;
const quiet = {
  builder: workerOutput("builder", false, () => undefined),
  edge: workerOutput("edge", false, () => undefined),
};
const workers = new LocalWorkers({
  port,
  inspectorPorts: null,
  dataDir,
  databases: SHARDS,
  variables: {
    ...{ ROOT_TOKEN: rootToken, CURSOR_SECRET: "cursors-of-the-measurement-away-01", LOG_SAMPLE: "0" },
    ...{ EDGE_CACHE: "off", BACKUPS: "off", API_RATE: "1000000", LOCAL: "1" },
  },
  changeEdge: withSwitch(`DB_${AWAY}`),
  outputs: quiet,
  onLost: () => process.exit(1),
});

interface Place {
  shard: number;
  space: Space;
  pictureId: string;
  /** The path of a variant that is there. */
  file: string;
}

interface Kind {
  name: string;
  /** Whether the picture and file must be answered while the space's own database is away. */
  isHeld: boolean;
  ask: (place: Place, n: number) => Promise<boolean>;
}

const isStatus = async (url: string, init: RequestInit, ...statuses: number[]): Promise<boolean> => {
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS), ...init });
  await response.arrayBuffer();
  return statuses.includes(response.status);
};

const keyed = ({ space }: Place, body?: object): RequestInit => ({
  headers: { Authorization: `Bearer ${space.key}`, ...(body && { "Content-Type": "application/json" }) },
  ...(body && { method: "POST", body: JSON.stringify(body) }),
});

const POSTS = "data/collections/posts";
const KINDS: Kind[] = [
  {
    name: "picture",
    isHeld: true,
    ask: async ({ space, pictureId }) => {
      const { status, state } = await picture(space, pictureId, "w=128&fm=webp");
      return status === 302 && (state === "hit" || state === "built");
    },
  },
  { name: "file", isHeld: true, ask: ({ file }) => isStatus(file, {}, 200) },
  {
    name: "new variant",
    isHeld: true,
    // The master, or the variant: never an error.
    ask: async ({ space, pictureId }, n) =>
      (
        await picture(
          space,
          pictureId,
          `w=64&ar=1:1&fm=webp&q=80&fp=${(n % 21) / 20},${(Math.floor(n / 21) % 21) / 20}`,
        )
      ).status === 302,
  },
  {
    name: "record read",
    isHeld: false,
    ask: (place) => isStatus(`${place.space.api}/${POSTS}?limit=5`, keyed(place), 200),
  },
  {
    name: "record written",
    isHeld: false,
    ask: (place, n) => isStatus(`${place.space.api}/${POSTS}`, keyed(place, { title: `Post ${n}` }), 201),
  },
];

interface Line {
  times: number[];
  failed: number;
}

const linesOf = new Map<string, Line>();
const lineOf = (kind: string, isAway: boolean, phase: number): Line => {
  const key = `${kind}/${isAway}/${phase}`;
  const line = linesOf.get(key) ?? { times: [], failed: 0 };
  linesOf.set(key, line);
  return line;
};

async function makePlace(shard: number): Promise<Place> {
  const space = await newSpace({ base, rootToken }, { shard });
  const { id } = await upload(space, await photoOf(shard));
  const { location } = await variantOf(space, id, "w=128&fm=webp");
  const place = { shard, space, pictureId: id, file: location };
  const model = { typeModel: "collections", name: "posts", fields: [{ name: "title", type: "string" }] };
  await json(await fetch(`${space.api}/models`, keyed(place, model)));
  return place;
}

let phase = 0;
let isOver = false;

async function visit(place: Place, { name, ask }: Kind): Promise<void> {
  for (let n = 0; !isOver; n++) {
    const asked = phase;
    const began = performance.now();
    const isAnswered = await ask(place, n).catch(() => false);
    const line = lineOf(name, place.shard === AWAY, asked);
    line.times.push(performance.now() - began);
    // A call that was under way while the database was taken away, or came back, belongs to neither.
    if (!isAnswered && (asked === phase || place.shard !== AWAY)) line.failed += 1;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

const noticed: string[] = [];
try {
  await workers.start();
  await waitUntilHealthy(base, () => quiet.edge.tail());
  const places: Place[] = [];
  for (let n = 0; n < SHARDS * PER_SHARD; n++) places.push(await makePlace(n % SHARDS));
  const visiting = places.flatMap((place) => KINDS.map((kind) => visit(place, kind)));
  for (const how of PHASES) {
    await fetch(`${base}${AWAY_PATH}?how=${how}`);
    // As the cron does each minute.
    void fetch(`${base}/cdn-cgi/local/scheduled`).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
    phase += 1;
  }
  isOver = true;
  await Promise.all(visiting);
  for (const isAway of [false, true]) {
    const rows = KINDS.flatMap(({ name, isHeld: isBound }) =>
      NAMES.map((phaseName, at) => {
        const { times, failed } = lineOf(name, isAway, at);
        // Without an answer nothing was measured, which is no success.
        let isWrong = failed > 0 && (!isAway || isBound || at === 0 || at === NAMES.length - 1);
        isWrong ||= times.length === 0;
        if (isWrong) noticed.push(`${name}, ${phaseName}`);
        const slowest = ms(Math.max(...times));
        return [
          at === 0 ? name : "",
          phaseName,
          times.length,
          failed,
          ms(median(times)),
          ms(percentile(times, 0.99)),
          slowest,
        ];
      }),
    );
    console.log(isAway ? "\nSpaces of the database that is away:\n" : "Spaces of the other databases:\n");
    table([["", "", "answers", "failed", "median", "99 %", "slowest"], ...rows]);
  }
} finally {
  await workers.stop();
  removeDataDir(dataDir);
}
if (noticed.length > 0) process.exitCode = 1;
