/**
 * The cached-variant redirect against a bare Hono route, asked in turns in one workerd: requests a second, time of
 * the processor for each, and D1 queries of a cold and a warm hit.
 */
import { startEdgeWorker, type EdgeWorker } from "./edge-worker.ts";
import { median, table } from "./figures.ts";
import { load } from "./load.ts";
import { computedMs } from "../harness/processes.ts";

const ROUNDS = 15;
const LOAD = { requests: 4000, connections: 32 };
const CLIENT = { Accept: "image/avif;q=0,image/webp,*/*", "CF-Connecting-IP": "203.0.113.1" };

/** Requests a second, and microseconds of all workerd's threads for each request. */
interface Round {
  perSecond: number;
  computedUs: number;
}

async function round(url: URL, pid: number): Promise<Round> {
  const before = computedMs(pid);
  const { perSecond } = await load({ url, headers: CLIENT, status: 302 }, LOAD);
  return { perSecond, computedUs: ((computedMs(pid) - before) * 1000) / LOAD.requests };
}

async function countQueries({ counting }: EdgeWorker): Promise<string[]> {
  const counts: string[] = [];
  for (const expected of ["cold", "warm"]) {
    const answer = await fetch(counting, { headers: CLIENT, redirect: "manual" });
    const state = answer.headers.get("X-Service-Transform");
    if (state !== "hit") throw new Error(`the ${expected} request is no hit: ${answer.status}, ${state}`);
    counts.push(answer.headers.get("X-D1-Queries") ?? "?");
  }
  return counts;
}

export async function benchRedirects(): Promise<void> {
  const edge = await startEdgeWorker();
  try {
    const [cold = "?", warm = "?"] = await countQueries(edge);
    const hits: Round[] = [];
    const bare: Round[] = [];
    for (const url of [edge.bare, edge.hit]) await round(url, edge.pid);
    for (let i = 0; i < ROUNDS; i++) {
      bare.push(await round(edge.bare, edge.pid));
      hits.push(await round(edge.hit, edge.pid));
    }
    const rate = (rounds: Round[]): string => median(rounds.map((r) => r.perSecond)).toFixed(0);
    const cost = (rounds: Round[]): string => `${median(rounds.map((r) => r.computedUs)).toFixed(0)} µs`;
    const ratio = median(hits.map((hit, i) => hit.perSecond / (bare[i]?.perSecond ?? NaN)));
    table([
      ["route", "requests a second", "ratio", "processor a request", "D1 queries, cold", "warm"],
      ["bare Hono route", rate(bare), "1", cost(bare), "", ""],
      ["cached-variant redirect", rate(hits), ratio.toFixed(2), cost(hits), cold, warm],
    ]);
    console.log(
      "\nWithout printed log lines and Miniflare's rate limit object, which a deployed Worker has not.",
    );
  } finally {
    await edge.stop();
  }
}
