/**
 * Compares the cached-variant redirect, in place and through the entrypoint `Cached`, with a bare Hono route. They are
 * called in turns in one workerd. Prints requests per second, processor time per request, and the D1 queries of a cold
 * and a warm hit.
 */
import { startEdgeWorker, type EdgeWorker } from "./edge-worker.ts";
import { median, table } from "../figures.ts";
import { load } from "./load.ts";
import { computedMs } from "../../harness/processes.ts";

const ROUNDS = 15;
const LOAD = { requests: 4000, connections: 32 };
const CLIENT = { Accept: "image/avif;q=0,image/webp,*/*", "CF-Connecting-IP": "203.0.113.1" };

/** Requests per second, and processor microseconds of all workerd threads per request. */
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
    if (state !== "hit") throw new Error(`The ${expected} request is not a hit: ${answer.status}, ${state}`);
    counts.push(answer.headers.get("X-D1-Queries") ?? "?");
  }
  return counts;
}

const rate = (rounds: Round[]): string => median(rounds.map((one) => one.perSecond)).toFixed(0);
const cost = (rounds: Round[]): string => `${median(rounds.map((one) => one.computedUs)).toFixed(0)} µs`;
/** The ratio of each round to the round beside it. Other load on the machine affected both. */
const ratio = (rounds: Round[], others: Round[]): string =>
  median(rounds.map((one, i) => one.perSecond / (others[i]?.perSecond ?? NaN))).toFixed(2);

export async function benchRedirects(): Promise<void> {
  const edge = await startEdgeWorker();
  try {
    const [cold = "?", warm = "?"] = await countQueries(edge);
    const ways = { bare: edge.bare, hit: edge.hit, loopback: edge.loopback };
    const rounds = { bare: [] as Round[], hit: [] as Round[], loopback: [] as Round[] };
    const names = Object.keys(ways) as (keyof typeof ways)[];
    for (const name of names) await round(ways[name], edge.pid);
    for (let i = 0; i < ROUNDS; i++) {
      // Each of the three goes first in every third round.
      const turned = [...names.slice(i % names.length), ...names.slice(0, i % names.length)];
      for (const name of turned) rounds[name].push(await round(ways[name], edge.pid));
    }
    const { bare, hit, loopback } = rounds;
    const row = (name: string, own: Round[]) => [
      name,
      rate(own),
      ratio(own, bare),
      ratio(own, hit),
      cost(own),
    ];
    table([
      [
        "route",
        "requests per second",
        "to bare",
        "to in place",
        "processor time per request",
        "D1 queries, cold",
        "warm",
      ],
      [...row("bare Hono route", bare), "", ""],
      [...row("cached-variant redirect, in place", hit), cold, warm],
      [...row("the same through the entrypoint Cached", loopback), cold, warm],
    ]);
    console.log(
      "\nMedians of rounds in turns. Printed log lines and Miniflare's rate limit object are left out, because a deployed " +
        "Worker has neither. Deployed, a stored answer runs only the first entrypoint.",
    );
  } finally {
    await edge.stop();
  }
}
