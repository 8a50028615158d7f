/**
 * Runs every attack at once against a service on this machine, while another space is visited, and prints the slowest
 * answer of each kind that the victim had. Exits with 1 when one took longer than 2 s, or was not what it should be.
 *
 *   node scripts/run.mjs scripts/attack/index.ts             starts a service of its own on new data
 *   BASE=http://localhost:8787 ROOT_TOKEN=… node scripts/run.mjs scripts/attack/index.ts
 *
 * Each attack has a space and a client's address of its own, and its answers are counted by status and code, so that one
 * can see whether it reached its mark. SECONDS is how long it runs (180); ONLY=1,5 runs the attacks whose names begin so,
 * ONLY=none none of them.
 */
import { loadavg } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { median, ms, table } from "../bench/figures.ts";
import { bearer, json, newSpace } from "../harness/api.ts";
import { newDataDir, removeDataDir, startService } from "../harness/service.ts";
import { attacks } from "./attacks.ts";
import { Outcomes } from "./outcomes.ts";
import type { Scene } from "./scene.ts";
import { makeVictim, visit, type Victim, type Visits } from "./victim.ts";

const { BASE, ROOT_TOKEN = "", SECONDS = "180", ONLY } = process.env;

interface Target {
  base: string;
  rootToken: string;
}

/** Returns the service to attack. It must run on this machine, so that no attack meets a service of others. */
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

const FAULTS_SHOWN = 10;

/** Prints one line per kind: how many answers, the median, the slowest and the faults; then the first faults. */
function printVisits(all: Visits[]): void {
  const rows = all.map(({ name, times, faults, isBound }) => [
    ...[isBound ? name : `(${name})`, times.length, ms(median(times)), ms(Math.max(...times))],
    faults.length,
  ]);
  table([["the victim's", "answers", "median", "slowest", "faults"], ...rows]);
  for (const { name, faults } of all) {
    for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(`${name}, ${fault}`);
  }
}

/** Makes a scene with a space, keys, and a client's address of its own for each attack. */
async function sceneOf(target: Target, n: number, victim: Victim, until: AbortSignal): Promise<Scene> {
  const space = await newSpace(target);
  const headers = { ...bearer(target.rootToken), "Content-Type": "application/json" };
  const body = JSON.stringify({ name: "reader", role: "read" });
  const { key: readKey } = await json<{ key: string }>(
    await fetch(`${space.api}/keys`, { method: "POST", headers, body }),
  );
  const address = `198.51.100.${n + 1}`;
  const victims = { victim: victim.space, victimPicture: victim.pictureId };
  return { space, readKey, address, ...victims, outcomes: new Outcomes(), until };
}

/** Watches how busy the machine and this client are, because both delay answers that the service gave in time. */
function watchClient(): () => string {
  const delay = monitorEventLoopDelay();
  delay.enable();
  const began = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(began);
    const load = loadavg()
      .map((one) => one.toFixed(1))
      .join(", ");
    const [used, late] = [ms((user + system) / 1000), ms(delay.max / 1e6)];
    return `Load of the machine: ${load}. This client used ${used} of processor time and was late by ${late} at most.`;
  };
}

async function run(target: Target): Promise<boolean> {
  const victim = await makeVictim(await newSpace(target));
  const end = new AbortController();
  const scenes: Scene[] = [];
  for (const [n, { name, prepare }] of chosen.entries()) {
    console.log(`Preparing: ${name}`);
    const scene = await sceneOf(target, n, victim, end.signal);
    await prepare?.(scene);
    scenes.push(scene);
  }
  console.log(`Attacking for ${SECONDS} s`);
  const client = watchClient();
  setTimeout(() => end.abort(), Number(SECONDS) * 1000);
  const attacking = chosen.map(async ({ name, run: attack }, n) => {
    const scene = scenes[n] as Scene;
    await attack(scene);
    return scene.outcomes.rows().map((row, i) => [i === 0 ? name : "", ...row]);
  });
  const visits = await visit(victim, end.signal);
  const outcomes = (await Promise.all(attacking)).flat();
  table([["attack", "what was sent", "answers to the attacker", "slowest"], ...outcomes]);
  printVisits(visits);
  console.log(client());
  return visits.every(({ faults, isBound }) => !isBound || faults.length === 0);
}

process.exitCode = (await whileItRuns(run)) ? 0 : 1;
