/** Measures how a long build delays redirects in the same space and in another one, and the builder's own process. */
import { picture, variantOf, type Space } from "../harness/api.ts";
import { ms, percentile, table } from "./figures.ts";
import { load } from "./load.ts";
import { photoMaster } from "./masters.ts";
import { spaceWith, whileRunning, type Running } from "./running.ts";

/** The address of a redirect that hits, because its variant is built. */
const HIT = "w=500&fm=webp";
/** Below the flood ceiling of 6000 requests per minute. Each connection is a separate client. */
const PAUSE_MS = 15;
const BASELINE_MS = 8000;
/** One build that takes about ten seconds. */
const LONG_BUILD = "w=2560&fm=avif&q=100";
const POLL_MS = 100;
const BUILDS_WITHIN_MS = 120_000;

interface Watched {
  name: string;
  url: URL;
  status: number;
  client: string;
}

const hitUrl = (space: Space, id: string): URL => new URL(`${space.api}/pictures/${id}?${HIT}`);

/** Sends requests to each watched address, one after the other, while `goOn` returns true. */
async function watch(targets: Watched[], goOn: () => boolean): Promise<number[][]> {
  const runs = targets.map(({ url, status, client }) =>
    load(
      {
        url: new URL(url.href.replace("localhost", "127.0.0.1")),
        status,
        headers: { "CF-Connecting-IP": client },
      },
      { requests: Infinity, connections: 1, pauseMs: PAUSE_MS },
      goOn,
    ),
  );
  return (await Promise.all(runs)).map(({ latenciesMs }) => latenciesMs);
}

/** Watches while `work` runs. */
async function watchDuring(
  targets: Watched[],
  work: () => Promise<void>,
): Promise<{ ms: number; times: number[][] }> {
  let isDone = false;
  const watching = watch(targets, () => !isDone);
  const started = performance.now();
  try {
    await work();
  } finally {
    isDone = true;
  }
  return { ms: performance.now() - started, times: await watching };
}

const idle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, BASELINE_MS));

/** Orders all variants at once and waits until the last one is built. */
async function buildAll(space: Space, id: string, queries: string[]): Promise<void> {
  const waiting = new Set(queries);
  for (const deadline = Date.now() + BUILDS_WITHIN_MS; waiting.size > 0 && Date.now() < deadline;) {
    for (const query of waiting) {
      const { state } = await picture(space, id, query);
      if (state === "hit" || state === "built") waiting.delete(query);
      if (state === "unavailable") throw new Error(`${query} is unavailable`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  if (waiting.size > 0) throw new Error("The builds did not end");
}

function rowsOf(when: string, targets: Watched[], times: number[][]): string[][] {
  return targets.map(({ name }, i) => {
    const of = times[i] ?? [];
    return [
      name,
      when,
      String(of.length),
      ms(percentile(of, 0.5)),
      ms(percentile(of, 0.99)),
      ms(percentile(of, 1)),
    ];
  });
}

async function stalls({ service, builderUrl }: Running): Promise<void> {
  const [small, large, progressive] = [
    await photoMaster("jpeg", 2),
    await photoMaster("jpeg", 12),
    await photoMaster("progressive", 80),
  ];
  const same = await spaceWith(service, [small, large, progressive]);
  const other = await spaceWith(service, [small]);
  const [smallId = "", largeId = "", progressiveId = ""] = same.ids;
  const [otherId = ""] = other.ids;
  await variantOf(same.space, smallId, HIT);
  await variantOf(other.space, otherId, HIT);
  const redirects: Watched[] = [
    { name: "redirect, same space", url: hitUrl(same.space, smallId), status: 302, client: "203.0.113.1" },
    { name: "redirect, other space", url: hitUrl(other.space, otherId), status: 302, client: "203.0.113.2" },
  ];
  const healths: Watched[] = [
    { name: "builder process", url: builderUrl, status: 404, client: "203.0.113.3" },
  ];
  const rows = [["request", "meanwhile", "requests", "p50", "p99", "worst"]];
  const quiet = await watchDuring([...redirects, ...healths], idle);
  rows.push(...rowsOf("nothing", [...redirects, ...healths], quiet.times));
  const avif = await watchDuring(redirects, () => buildAll(same.space, largeId, [LONG_BUILD]));
  rows.push(...rowsOf(`${ms(avif.ms)} of one AVIF build`, redirects, avif.times));
  const queries = [1000, 750, 500].map((w) => `w=${w}&fm=webp`);
  const decoding = await watchDuring([...redirects, ...healths], () =>
    buildAll(same.space, progressiveId, queries),
  );
  const what = `${ms(decoding.ms)} of builds from progressive 80 MP`;
  rows.push(...rowsOf(what, [...redirects, ...healths], decoding.times));
  table(rows);
}

export const benchStalls = (): Promise<void> => whileRunning(stalls);
