/**
 * Lets editors and visitors work in 20 spaces on 3 databases while the builder and the edge are killed and spaces are
 * moved, and prints at the end one table: what was done, what is lost or double, memory, and objects without a row. Exits
 * with 1 if something is wrong.
 *
 *   npm run soak                      10 minutes, on new data
 *   SECONDS=60 npm run soak           another time
 *
 * CALLERS is how many editors and visitors there are (8), SPACES how many spaces (20), KILL_EVERY the seconds from one
 * kill to the next (45).
 */
import sharp from "sharp";
import { mb, median, table } from "../bench/figures.ts";
import { json, newSpace } from "../harness/api.ts";
import { residentBytes } from "../harness/processes.ts";
import { newDataDir, removeDataDir, startService, type Service } from "../harness/service.ts";
import { freePort } from "../start/ports.ts";
import { Caller } from "./caller.ts";
import { differences, Ledger, type Found } from "./ledger.ts";
import { lookInto } from "./stored.ts";
import { work, type Place } from "./worker.ts";

const number = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const SECONDS = number("SECONDS", 600);
const CALLERS = number("CALLERS", 8);
const SPACES = number("SPACES", 20);
const KILL_EVERY_S = number("KILL_EVERY", 45);
const SHARDS = 3;
/** How long calls go on after the end, so that each gets its answer. */
const GRACE_MS = 60_000;
const MOVE_EVERY_MS = 6000;
/** Memory is level if the last third of the time has at most so much more than the middle one. */
const LEVEL_SHARE = 1.25;
const LEVEL_BYTES = 40 * 1_048_576;

const dataDir = newDataDir();
const port = await freePort();
const start = (): Promise<Service> =>
  startService({ dataDir, port, env: { DATABASES: String(SHARDS), LOG_SAMPLE: "0" } });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
let service = await start();
const endsAt = Date.now() + SECONDS * 1000;
const isOver = (): boolean => Date.now() >= endsAt;
const caller = new Caller(service.base, () => endsAt + GRACE_MS);
const kills = { builder: 0, edge: 0, all: 0 };
const moves = { ordered: 0, refused: 0 };
const faults: string[] = [];
interface MoveView {
  state: string;
  shard: number;
  move: number;
  reason: string | null;
}
const GOING = new Set(["copying", "switching"]);
const memory: Record<"edge" | "builder", number[]> = { edge: [], builder: [] };

async function makePlaces(): Promise<Place[]> {
  const places: Place[] = [];
  const body = JSON.stringify({
    typeModel: "collections",
    name: "posts",
    drafts: true,
    fields: [
      { name: "mark", type: "string", unique: true },
      { name: "text", type: "string" },
    ],
  });
  for (let n = 0; n < SPACES; n++) {
    const space = await newSpace(service, { shard: n % SHARDS });
    const headers = { Authorization: `Bearer ${space.key}`, "Content-Type": "application/json" };
    await json(await fetch(`${space.api}/models`, { method: "POST", headers, body }));
    places.push({ space, ledger: new Ledger() });
  }
  return places;
}

/** Kills the builder, the edge or all of the service by turns. What was killed starts again. */
async function killByTurns(): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    await pause(Math.min(KILL_EVERY_S * 1000, Math.max(0, endsAt - Date.now())));
    if (isOver()) return;
    const kind = (["builder", "edge", "all"] as const)[turn % 3] ?? "all";
    try {
      if (kind === "all") {
        await service.kill();
        service = await start();
      } else {
        const pid = kind === "edge" ? await service.edgePid() : await service.builderPid();
        process.kill(pid, "SIGKILL");
      }
      kills[kind] += 1;
    } catch (error) {
      console.error(`A kill of ${kind} failed: ${String(error)}`);
    }
  }
}

/**
 * Moves each space once to each of the other databases. Later moves wait until the sweep has removed what the space has left
 * there: those are withdrawn, so that a withdrawal at any moment is among what is tried.
 */
async function moveByTurns(places: readonly Place[]): Promise<void> {
  const order = (place: Place, shard: number): Promise<unknown> =>
    caller.call("move", service.rootToken, "POST", `/${place.space.name}/move`, { shard }).then((moved) => {
      moves[moved !== null && moved.status < 300 ? "ordered" : "refused"] += 1;
    });
  const everyMs = Math.min(MOVE_EVERY_MS, (SECONDS * 1000) / places.length);
  for (let turn = 0; !isOver(); turn++) {
    await pause(everyMs);
    const at = turn % places.length;
    const place = places[at];
    if (!place || isOver()) return;
    const round = Math.floor(turn / places.length);
    await order(place, (at + 1 + round) % SHARDS);
    if (round < SHARDS - 1) continue;
    await pause(1000);
    await order(place, (at + round) % SHARDS);
  }
}

async function watchMemory(): Promise<void> {
  while (!isOver()) {
    await pause(2000);
    try {
      memory.edge.push(residentBytes(await service.edgePid()));
      memory.builder.push(residentBytes(await service.builderPid()));
    } catch {
      // It was killed just now.
    }
  }
}

/** Runs the sweep, which goes on with moves and with work that was cut off. */
async function sweepByTurns(): Promise<void> {
  while (!isOver()) {
    await fetch(`${service.base}/cdn-cgi/local/scheduled`).catch(() => undefined);
    await pause(15_000);
  }
}

async function allOf<Item>({ space }: Place, path: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = `${path}${path.includes("?") ? "&" : "?"}limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const response = await fetch(`${space.api}${query}`, {
      headers: { Authorization: `Bearer ${space.key}` },
    });
    if (!response.ok) throw new Error(`${response.status} ${query}: ${await response.text()}`);
    const page = (await response.json()) as { data: Item[]; meta: { nextCursor: string | null } };
    items.push(...page.data);
    cursor = page.meta.nextCursor;
  }
  return items;
}

/** Waits for the moves that can go on, and withdraws the others. @returns how many moves the spaces have made */
async function movesAreOver(places: readonly Place[]): Promise<number> {
  const headers = { Authorization: `Bearer ${service.rootToken}`, "Content-Type": "application/json" };
  const read = ({ space }: Place): Promise<MoveView | null> =>
    fetch(`${space.api}/move`, { headers })
      .then((response) => json<MoveView>(response))
      .catch(() => null);
  let made = 0;
  for (const place of places) {
    let view = await read(place);
    for (let looks = 0; looks < 90 && (view === null || GOING.has(view.state)); looks++) {
      if (view?.reason?.startsWith("Rows of an earlier stay")) {
        const body = JSON.stringify({ shard: view.shard });
        await fetch(`${place.space.api}/move`, { method: "POST", headers, body }).catch(() => undefined);
      }
      await fetch(`${service.base}/cdn-cgi/local/scheduled`).catch(() => undefined);
      await pause(1000);
      view = await read(place);
    }
    if (view === null || GOING.has(view.state))
      faults.push(`${place.space.name}: its move does not end: ${view?.reason ?? "no answer"}`);
    made += view?.move ?? 0;
  }
  return made;
}

function isLevel(samples: number[]): { middle: number; last: number; isLevel: boolean } {
  const third = Math.max(1, Math.floor(samples.length / 3));
  const middle = median(samples.slice(third, 2 * third));
  const last = median(samples.slice(-third));
  return { middle, last, isLevel: last <= middle * LEVEL_SHARE + LEVEL_BYTES };
}

try {
  const photo = await sharp({
    create: { width: 900, height: 600, channels: 3, noise: { type: "gaussian", mean: 128, sigma: 30 } },
  } as never)
    .jpeg()
    .toBuffer();
  const places = await makePlaces();
  const beside = [killByTurns(), moveByTurns(places), watchMemory(), sweepByTurns()];
  // Each editor has spaces of its own, so that it alone writes what it remembers.
  const editors = Array.from({ length: CALLERS }, (_, n) =>
    work(
      caller,
      places.filter((_place, index) => index % CALLERS === n),
      photo,
      isOver,
    ),
  );
  await Promise.all([...editors, ...beside]);
  const made = await movesAreOver(places);
  let records = 0;
  let media = 0;
  for (const place of places) {
    const found = await allOf<Found>(place, "/data/collections/posts?status=draft");
    const files = await allOf<{ id: string; filename: string }>(place, "/media");
    records += found.length;
    media += files.length;
    faults.push(...differences(place.ledger, found, files).map((fault) => `${place.space.name}: ${fault}`));
  }
  await service.stop();
  const stored = lookInto(dataDir);
  for (const key of stored.withoutRow) faults.push(`the object ${key} has no row`);
  for (const table of stored.grown) faults.push(`the table ${table} keeps what is over`);
  for (const key of stored.withoutObject) faults.push(`the master ${key} has no object`);
  const levels = Object.entries(memory).map(([name, samples]) => ({ name, ...isLevel(samples) }));
  for (const { name, isLevel: level } of levels) if (!level) faults.push(`the memory of the ${name} grows`);
  const counts = [...caller.counts.answered].sort(([a], [b]) => a.localeCompare(b));
  table([
    ["soak", `${SECONDS} s, ${SPACES} spaces, ${SHARDS} databases, ${CALLERS} callers`],
    ...counts.map(([kind, count]): [string, number] => [kind, count]),
    ["requests sent again", caller.counts.retried],
    ["slowest answer", `${(caller.counts.slowestMs / 1000).toFixed(1)} s`],
    ["moves ordered / refused, begun", `${moves.ordered} / ${moves.refused}, ${made}`],
    ["kills of builder / edge / all", `${kills.builder} / ${kills.edge} / ${kills.all}`],
    ["records, media at the end", `${records}, ${media}`],
    ["objects, without row", `${stored.objects}, ${stored.withoutRow.length}`],
    ["tables that keep what is over", stored.grown.join(", ") || "none"],
    ...levels.map(({ name, middle, last }): [string, string] => [
      `memory of the ${name}`,
      `${mb(middle)}, at the end ${mb(last)}`,
    ]),
    ["faults", faults.length],
  ]);
  for (const fault of faults.slice(0, 30)) console.log(fault);
} finally {
  await service.stop();
  removeDataDir(dataDir);
}
process.exitCode = faults.length > 0 ? 1 : 0;
