/** First visits to an app whose pictures the service does not have yet, in turns with the same app showing the originals. */
import type { Browser } from "playwright-core";
import { expect } from "vitest";
import { visitRemote, type RemoteVisit } from "./remote-visit.ts";
import type { RemoteSite } from "./remote.ts";
import type { Screen } from "./visit.ts";

const WARM_WITHIN_MS = 180_000;
const POLL_MS = 500;

const CHROMIUM_ACCEPT = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";

/** Asks for a picture until its file is built. */
export async function warm(address: string): Promise<void> {
  for (const start = Date.now(); Date.now() - start < WARM_WITHIN_MS;) {
    const response = await fetch(address, { headers: { Accept: CHROMIUM_ACCEPT }, redirect: "manual" });
    await response.body?.cancel();
    expect(response.status, address).toBe(302);
    if (response.headers.get("Location")?.includes("/cdn/v/")) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${address} is not built in time`);
}

/** One picture in two neighbouring visits. */
interface Pair {
  name: string;
  /** From the request to the last byte, in milliseconds: by the service, and the original. */
  ours: number;
  original: number;
  /** Until the redirect to the original had come, with its connection, in milliseconds. */
  redirect: number;
}

/**
 * Opens each page once with the originals and once by the service, before the service has any of its pictures, and
 * prints how long the pictures take. Expects that none is broken, but nothing of the times.
 * @param sites the address of the app that shows the originals, and of the one that has the base address
 * @param screens taken in turns
 */
export async function compareFirstVisits(
  browser: Browser,
  sites: { originals: string; service: string },
  remote: RemoteSite,
  screens: readonly Screen[],
  say: (text: string) => void,
): Promise<void> {
  const pairs: Pair[] = [];
  for (const page of remote.pages.keys()) {
    const path = page === 0 ? "" : String(page);
    const screen = screens[page % screens.length]!;
    const visitOriginals = (): Promise<RemoteVisit> => visitRemote(browser, sites.originals + path, screen);
    // Neither is always the one that comes first.
    const isFirst = page % 4 < 2;
    const before = isFirst ? await visitOriginals() : null;
    const ours = await visitRemote(browser, sites.service + path, screen);
    // The builds would take the processor from the next visit.
    for (const { address } of ours.pictures) await warm(address);
    const originals = before ?? (await visitOriginals());
    expectOriginals(originals, remote, page);
    expectRedirects(ours, remote, page);
    for (const [at, { name, milliseconds, redirectMs }] of ours.pictures.entries()) {
      const original = originals.pictures[at]!.milliseconds;
      pairs.push({ name, ours: milliseconds, original, redirect: redirectMs });
    }
  }
  const pairsOf = (name: string): Pair[] => pairs.filter((pair) => pair.name === name);
  for (const { name } of remote.pages[0] ?? []) say(describePairs(name, pairsOf(name)));
}

/** Expects the originals on the page, each at its own address. */
function expectOriginals({ pictures }: RemoteVisit, remote: RemoteSite, page: number): void {
  expect(pictures.map(({ address }) => address)).toEqual(remote.pages[page]?.map(({ src }) => src));
}

/** Expects the originals on the page, each by one redirect, since there is no file yet. */
function expectRedirects({ pictures, complaints }: RemoteVisit, remote: RemoteSite, page: number): void {
  expect(complaints).toEqual([]);
  for (const { address } of pictures) expect(address.startsWith(`${remote.base}/`), address).toBe(true);
  const expected = remote.pages[page]?.map(({ src }, at) => [pictures[at]?.address, src]);
  expect(pictures.map(({ hops }) => hops)).toEqual(expected);
}

function medianOf(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function describePairs(name: string, pairs: readonly Pair[]): string {
  const [ours, originals] = [pairs.map((pair) => pair.ours), pairs.map((pair) => pair.original)];
  const [oursMs, originalMs] = [medianOf(ours), medianOf(originals)];
  const differences = pairs.map((pair) => pair.ours - pair.original);
  const redirects = pairs.map(({ redirect }) => redirect);
  const whole = (value: number): string => value.toFixed(0);
  return (
    `${name} at ${pairs.length} first visits: ${whole(oursMs)} ms, the original on the same page ` +
    `${whole(originalMs)} ms (medians): ${whole(oursMs - originalMs)} ms more, ${whole(Math.max(...differences))} ms ` +
    `at the worst visit; the redirect takes ${whole(medianOf(redirects))} to ${whole(Math.max(...redirects))} ms`
  );
}
