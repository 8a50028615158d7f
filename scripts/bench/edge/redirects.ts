/**
 * Compares the cached-variant redirect, in place and through the entrypoint `Cached`, with a bare Hono route. They are
 * called in turns in one workerd. Prints requests per second, processor time per request, and the D1 queries of a cold
 * and a warm hit. With `--other=CHECKOUT`, the redirect of another checkout is called in the same turns, in a workerd of
 * its own; its packages must be installed and its generated files built.
 */
import { startEdgeWorker, type EdgeWorker } from "./edge-worker.ts";
import { median, table } from "../figures.ts";
import { load } from "./load.ts";
import { otherOf, startOther, type Other } from "./other-checkout.ts";
import { computedMs } from "../../harness/processes.ts";

const ROUNDS = 15;
const LOAD = { requests: 4000, connections: 32 };
const CLIENT = { Accept: "image/avif;q=0,image/webp,*/*", "CF-Connecting-IP": "203.0.113.1" };

/** Requests per second, and processor microseconds of all workerd threads per request. */
interface Round {
  perSecond: number;
  computedUs: number;
}

/** A cached hit of the image endpoint of the other checkout, answered in place, and the workerd that answers it. */
interface OtherEdge {
  hit: string;
  pid: number;
}

const PROCESS = new URL("edge-process.ts", import.meta.url);

/** A route, and the workerd process that answers it. */
interface Way {
  url: URL;
  pid: number;
}

async function round({ url, pid }: Way): Promise<Round> {
  const before = computedMs(pid);
  const { perSecond } = await load({ url, headers: CLIENT, status: 302 }, LOAD);
  return { perSecond, computedUs: ((computedMs(pid) - before) * 1000) / LOAD.requests };
}

/** @throws Error if the answer is not a hit */
async function askForHit(url: URL, name: string): Promise<Response> {
  const answer = await fetch(url, { headers: CLIENT, redirect: "manual" });
  const state = answer.headers.get("X-Service-Transform");
  if (state !== "hit") throw new Error(`The ${name} request is not a hit: ${answer.status}, ${state}`);
  return answer;
}

async function countQueries({ counting }: EdgeWorker): Promise<string[]> {
  const counts: string[] = [];
  for (const name of ["cold", "warm"])
    counts.push((await askForHit(counting, name)).headers.get("X-D1-Queries") ?? "?");
  return counts;
}

const rate = (rounds: Round[]): string => median(rounds.map((one) => one.perSecond)).toFixed(0);
const cost = (rounds: Round[]): string => `${median(rounds.map((one) => one.computedUs)).toFixed(0)} µs`;
/** Returns the ratio of each round to the round beside it, since other load on the machine affected both. */
const ratio = (rounds: Round[], others: Round[]): string =>
  median(rounds.map((one, i) => one.perSecond / (others[i]?.perSecond ?? NaN))).toFixed(2);

/** Calls the ways in turns, so that other load on the machine affects all of them. */
async function inTurns(ways: Record<string, Way>): Promise<Record<string, Round[]>> {
  const names = Object.keys(ways);
  const rounds: Record<string, Round[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (const way of Object.values(ways)) await round(way);
  for (let i = 0; i < ROUNDS; i++) {
    // Each of them goes first equally often.
    const turned = [...names.slice(i % names.length), ...names.slice(0, i % names.length)];
    for (const name of turned) {
      const way = ways[name];
      if (way) rounds[name]?.push(await round(way));
    }
  }
  return rounds;
}

const waysOf = ({ bare, hit, loopback, pid }: EdgeWorker, other: OtherEdge | null): Record<string, Way> => ({
  bare: { url: bare, pid },
  hit: { url: hit, pid },
  loopback: { url: loopback, pid },
  ...(other && { other: { url: new URL(other.hit), pid: other.pid } }),
});

/** @param flags `--other=CHECKOUT` */
export async function benchRedirects(flags: readonly string[]): Promise<void> {
  const checkout = otherOf(flags);
  const edge = await startEdgeWorker();
  let other: Other<OtherEdge> | null = null;
  try {
    other = checkout === undefined ? null : await startOther<OtherEdge>(PROCESS, checkout);
    const [cold = "?", warm = "?"] = await countQueries(edge);
    if (other) await askForHit(new URL(other.said.hit), "other checkout's");
    const {
      bare = [],
      hit = [],
      loopback = [],
      other: others,
    } = await inTurns(waysOf(edge, other?.said ?? null));
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
      ...(others ? [[...row("in place, of the other checkout", others), "", ""]] : []),
    ]);
    console.log(
      "\nMedians of rounds in turns. Printed log lines and Miniflare's rate limit object are left out, because a deployed " +
        "Worker has neither. Deployed, a stored answer runs only the first entrypoint.",
    );
  } finally {
    await other?.stop();
    await edge.stop();
  }
}
