/**
 * `node scripts/run.mjs scripts/measure/exchange.ts [RECORDS] [MEDIA] [KILLS]`: shows that a space comes back whole. It
 * fills a space of a service of its own, exports it with the built command, imports that into an empty space, and exports
 * that: both exports have to be the same, byte for byte but for `exportedAt`. Then it does so once more while the command,
 * and sometimes the service, is killed (SIGKILL) at random places and begun again. It prints the most memory that the
 * command and the edge Worker took, and ends with 1 if something differs or the command took more than 150 MB.
 *
 * SEED=N repeats the places of an earlier run.
 *
 * The memory is read through the inspector, with which workerd may abort once (`trap int3` in the kernel's log): it
 * warns of an RPC result that nobody disposed of while it collects garbage, and takes the stack for the inspector's
 * message, which V8 cannot do in the middle of optimised code. Most likely the result is one of Miniflare's registry,
 * through which the local edge Worker calls the builder; deployed, no Worker stands between them. Begin again then.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bearer, json, newSpace, type Space } from "../harness/api.ts";
import { randomOf } from "../samples/random.ts";
import { newDataDir, removeDataDir, startService, type Service } from "../harness/service.ts";
import { writePackage } from "../package/write-package.ts";
import { freePort } from "../start/ports.ts";
import { runCommand, type Run, type RunOptions } from "./exchange/command.ts";
import { watchEdge, type EdgeMemory } from "./exchange/edge-memory.ts";
import { fill } from "./exchange/fill.ts";
import { compareExports } from "./exchange/same.ts";

const [records = 2000, media = 50, kills = 5] = process.argv.slice(2).map(Number);
const COMMAND_MAX_BYTES = 150e6;
/** One kill in so many is of the whole service. */
const SERVICE_KILL_EVERY = 4;
const MB = 1e6;

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 2 ** 31));

const random = randomOf(seed);
const mb = (bytes: number): string => `${(bytes / MB).toFixed(0)} MB`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

const faults: string[] = [];
let commandPeak = 0;
let killed = 0;

const work = mkdtempSync(join(tmpdir(), "silverprint-exchange-"));
const program = join(work, "package");
const dataDir = newDataDir();
const port = Number(process.env["PORT"] ?? (await freePort()));
const inspectorPort = await freePort();
const start = (): Promise<Service> =>
  startService({
    dataDir,
    port,
    env: { INSPECTOR_PORT: String(inspectorPort), LOG_SAMPLE: "0.000001", API_RATE: "1000000" },
  });
let service: Service;

const command = async (space: Space, argv: readonly string[], options?: RunOptions): Promise<Run> => {
  const run = await runCommand(
    program,
    { base: service.base, space: space.name, key: space.key },
    argv,
    options,
  );
  commandPeak = Math.max(commandPeak, run.peakBytes);
  return run;
};

/** Runs a command that has to end well. @throws Error with its words */
async function whole(space: Space, argv: readonly string[]): Promise<Run> {
  const run = await command(space, argv);
  if (run.code !== 0) throw new Error(`silverprint ${argv.join(" ")} ended with ${run.code}: ${run.output}`);
  return run;
}

function tell(what: string, { ms, peakBytes }: Run, memory?: EdgeMemory): void {
  const edge =
    memory && `; edge isolate live ${mb(memory.liveBytes)}, its process ${mb(memory.processBytes)}`;
  console.log(`${what}: ${seconds(ms)}, command ${mb(peakBytes)}${edge ?? ""}`);
}

const watched = async (what: string, space: Space, argv: readonly string[]): Promise<Run> => {
  const { result, memory } = await watchEdge(service, inspectorPort, () => whole(space, argv));
  tell(what, result, memory);
  return result;
};

/** Compares an export with the first one. */
async function hold(what: string, folder: string): Promise<void> {
  const { lines, bytes, masters, faults: found } = await compareExports(first, folder);
  console.log(
    `${what}: ${lines} lines, ${mb(bytes)}, ${masters} masters: ${found.length === 0 ? "the same" : "DIFFERS"}`,
  );
  faults.push(...found.map((fault) => `${what}, ${fault}`));
}

/** Kills the whole service, and starts it again. */
async function powerCut(): Promise<void> {
  await service.kill();
  service = await start();
}

/**
 * Runs a command again and again, each time killed after a random part of `ms`, and at last to its end.
 * @param again is called when a run has ended before its kill
 * @throws Error with the output of a run that has failed before the command was killed
 */
async function throughKills(
  target: () => { space: Space; argv: readonly string[] },
  { ms, count, again }: { ms: number; count: number; again: () => Promise<void> },
): Promise<void> {
  let mostMs = ms;
  for (let done = 0; done < count;) {
    const { space, argv } = target();
    const killAfterMs = 150 + random() * mostMs;
    const isOfService = (killed + 1) % SERVICE_KILL_EVERY === 0;
    const run = await command(space, argv, { killAfterMs, ...(isOfService && { kill: powerCut }) });
    if (run.code === 0) {
      mostMs = Math.min(mostMs, run.ms);
      await again();
      continue;
    }
    if (!isOfService && run.code !== null) throw new Error(run.output);
    done += 1;
    killed += 1;
    console.log(`  kill ${killed} of the ${isOfService ? "service" : "command"} after ${seconds(run.ms)}`);
  }
  const { space, argv } = target();
  const run = await whole(space, argv);
  tell(`${argv[0]} after its last kill`, run);
}

/** Returns an empty space, and removes the webhooks of another: a service has each id of a webhook once. */
async function emptySpaceInPlaceOf({ api, key }: Space): Promise<Space> {
  const headers = bearer(key);
  for (const { id } of await json<{ id: string }[]>(await fetch(`${api}/webhooks`, { headers })))
    await json(await fetch(`${api}/webhooks/${id}`, { method: "DELETE", headers }));
  // The sweep removes its row.
  await (await fetch(`${service.base}/cdn-cgi/local/scheduled`)).text();
  return newSpace(service);
}

const folderOf = (name: string): string => {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  return folder;
};
const first = folderOf("first");

async function measure(): Promise<void> {
  await writePackage(program);
  service = await start();
  console.log(`seed ${seed}; data in ${dataDir}, exports in ${work}`);
  const from = await newSpace(service);
  const began = performance.now();
  await fill(from, records, media);
  console.log(`${records} records and ${media} media made in ${seconds(performance.now() - began)}`);

  const exporting = await watched("export", from, ["export", first]);
  const to = await emptySpaceInPlaceOf(from);
  const importing = await watched("import", to, ["import", first]);
  await watched("export of the import", to, ["export", folderOf("second")]);
  await hold("export of the import", folderOf("second"));
  const repeated = await whole(to, ["import", first]);
  tell("import once more", repeated);
  const { imported } = repeated.json as { imported: number };
  if (imported > 0) faults.push(`a second import has imported ${imported} lines`);

  const ofExport = Math.ceil(kills / 2);
  await throughKills(() => ({ space: to, argv: ["export", folderOf("killed")] }), {
    ms: (exporting.ms * 2) / ofExport,
    count: ofExport,
    again: () => Promise.resolve(),
  });
  await hold("export through kills", folderOf("killed"));
  let next = await emptySpaceInPlaceOf(to);
  const ofImport = kills - ofExport;
  await throughKills(() => ({ space: next, argv: ["import", first] }), {
    ms: (importing.ms * 2) / ofImport,
    count: ofImport,
    again: async () => {
      next = await emptySpaceInPlaceOf(next);
    },
  });
  await whole(next, ["export", folderOf("third")]);
  await hold("export of an import through kills", folderOf("third"));
}

try {
  await measure();
} finally {
  await service!.stop();
  removeDataDir(dataDir);
}
if (commandPeak > COMMAND_MAX_BYTES) faults.push(`the command took ${mb(commandPeak)}`);
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(`${killed} kills; the command took at most ${mb(commandPeak)}; ${faults.length} faults`);
if (faults.length === 0) rmSync(work, { recursive: true, force: true });
process.exitCode = faults.length > 0 ? 1 : 0;
