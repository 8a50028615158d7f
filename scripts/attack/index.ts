/**
 * Runs every attack at once against a service on this machine, while another space is visited, and prints the slowest
 * answer of each kind that the victim had. Exits with 1 when one took longer than 2 s, or was not what it should be.
 *
 *   node scripts/run.mjs scripts/attack/index.ts             starts a service of its own on new data
 *   BASE=http://localhost:8787 ROOT_TOKEN=… node scripts/run.mjs scripts/attack/index.ts
 *
 * SECONDS is how long it runs (180); ONLY=1,5 runs the attacks whose names begin so, ONLY=none none of them.
 */
import { median, ms, table } from "../bench/figures.ts";
import { bearer, json, newSpace } from "../harness/api.ts";
import { newDataDir, removeDataDir, startService } from "../harness/service.ts";
import { attacks, type Scene } from "./attacks.ts";
import { Statuses } from "./caller.ts";
import { makeVictim, visit, type Visits } from "./victim.ts";

const { BASE, ROOT_TOKEN = "", SECONDS = "180", ONLY } = process.env;
const ANSWER_MAX_MS = 2000;

interface Target {
  base: string;
  rootToken: string;
}

/** Never anybody else's service. @throws Error for a host that is not this machine */
function targetOf(base: string): Target {
  if (!["localhost", "127.0.0.1", "[::1]"].includes(new URL(base).hostname)) {
    throw new Error("BASE must be a service on this machine.");
  }
  return { base, rootToken: ROOT_TOKEN };
}

async function whileItRuns(use: (target: Target) => Promise<boolean>): Promise<boolean> {
  if (BASE !== undefined) return use(targetOf(BASE));
  const dataDir = newDataDir();
  const service = await startService({ dataDir, env: { LOG_SAMPLE: "0" } });
  try {
    return await use(service);
  } finally {
    await service.stop();
    removeDataDir(dataDir);
  }
}

const chosen = attacks.filter(
  ({ name }) => ONLY === undefined || ONLY.split(",").some((start) => name.startsWith(start)),
);

/** One line per kind: how many answers, the median, the slowest, and the first fault. */
function printVisits(all: Visits[]): void {
  const rows = all.map(({ name, times, faults, isBound }) => [
    ...[isBound ? name : `(${name})`, times.length, ms(median(times)), ms(Math.max(...times))],
    ...[faults.length, faults[0] ?? ""],
  ]);
  table([["the victim's", "answers", "median", "slowest", "faults", "the first fault"], ...rows]);
}

async function run(target: Target): Promise<boolean> {
  const attacker = await newSpace(target);
  const victim = await makeVictim(await newSpace(target));
  const headers = { ...bearer(target.rootToken), "Content-Type": "application/json" };
  const body = JSON.stringify({ name: "reader", role: "read" });
  const { key: readKey } = await json<{ key: string }>(
    await fetch(`${attacker.api}/keys`, { method: "POST", headers, body }),
  );
  const end = new AbortController();
  const scene: Scene = {
    ...{ attacker: { ...attacker, readKey }, victim: victim.space },
    ...{ victimPicture: victim.pictureId, until: end.signal },
  };
  for (const { name, prepare } of chosen) {
    console.log(`Preparing: ${name}`);
    await prepare?.(scene);
  }
  console.log(`Attacking for ${SECONDS} s`);
  setTimeout(() => end.abort(), Number(SECONDS) * 1000);
  const attacking = chosen.map(async ({ name, run: attack }) => {
    const statuses = new Statuses();
    await attack(scene, statuses);
    return [name, statuses.text];
  });
  const visits = await visit(victim, end.signal);
  table([["attack", "answers to the attacker, by status"], ...(await Promise.all(attacking))]);
  printVisits(visits);
  const isHeld = ({ times, faults, isBound }: Visits): boolean =>
    !isBound || (faults.length === 0 && times.every((time) => time <= ANSWER_MAX_MS));
  return visits.every(isHeld);
}

process.exitCode = (await whileItRuns(run)) ? 0 : 1;
