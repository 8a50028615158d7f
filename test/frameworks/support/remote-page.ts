/** The expectations of a page whose pictures stand on another server, with the base address and without it. */
import type { Browser, Page, Request } from "playwright-core";
import sharp from "sharp";
import { expect, it } from "vitest";
import { ssimulacra2 } from "../../../scripts/bench/bytes/ssimulacra2.ts";
import { startRemote, type RemotePicture, type RemoteSite } from "./remote.ts";
import { hasChromium, openBrowser, type Screen } from "./visit.ts";

const SCREENS: readonly Screen[] = [
  { width: 390, density: 2 },
  { width: 1280, density: 1 },
];
const WARM_WITHIN_MS = 180_000;
const POLL_MS = 500;
/** For two builds of the app, and all files of its pictures, on a machine that is busy with other things. */
const TEST_MAX_MS = 600_000;
const VIEWPORT_HEIGHT = 4000;
/** First visits on each screen. */
const FIRST_VISITS = 3;
/** For one step of the browser, on a machine that is busy with other things. */
const STEP_MAX_MS = 120_000;

interface SeenRemote {
  name: string;
  /** The address that the page asks for. */
  address: string;
  /** The answers to it, the last of which is the file. */
  hops: string[];
  body: Buffer;
  contentType: string;
  cacheControl: string;
  /** The width of its box in pixels of the screen. */
  shownWidth: number;
  milliseconds: number;
  /** Until the first of the answers, a redirect, had come, with its connection. */
  redirectMs: number;
}

interface Visit {
  pictures: SeenRemote[];
  complaints: string[];
}

/** Runs in the page. */
const placesOf = (page: Page) =>
  page.$$eval("img[data-name]", (elements) =>
    (elements as HTMLImageElement[]).map((image) => {
      const [entry] = performance.getEntriesByName(image.currentSrc);
      return {
        name: image.dataset["name"] ?? "",
        address: image.currentSrc,
        boxWidth: image.getBoundingClientRect().width,
        milliseconds: entry?.duration ?? NaN,
      };
    }),
  );

/** Opens a page as a new visitor. @throws if a picture is not shown in time */
async function visit(browser: Browser, url: string, { width, density }: Screen): Promise<Visit> {
  const viewport = { width, height: VIEWPORT_HEIGHT };
  const context = await browser.newContext({ viewport, deviceScaleFactor: density });
  context.setDefaultTimeout(STEP_MAX_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const requests: Request[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "image") requests.push(request);
  });
  await page.goto(url, { waitUntil: "load" });
  await page.waitForFunction(() => {
    const images = [...document.querySelectorAll<HTMLImageElement>("img[data-name]")];
    return images.length > 0 && images.every(({ complete, naturalWidth }) => complete && naturalWidth > 0);
  });
  const pictures: SeenRemote[] = [];
  for (const place of await placesOf(page)) {
    const chain = requests.filter((request) => firstOf(request).url() === place.address);
    const response = await chain[chain.length - 1]?.response();
    pictures.push({
      ...place,
      hops: chain.map((request) => request.url()),
      redirectMs: chain[0]?.timing().responseStart ?? NaN,
      shownWidth: Math.round(place.boxWidth * density),
      body: (await response?.body()) ?? Buffer.alloc(0),
      contentType: response?.headers()["content-type"] ?? "",
      cacheControl: response?.headers()["cache-control"] ?? "",
    });
  }
  await context.close();
  return { pictures, complaints };
}

/** Returns the request that a chain of redirects began with. */
function firstOf(request: Request): Request {
  const before = request.redirectedFrom();
  return before ? firstOf(before) : request;
}

/** Returns the milliseconds that a new visitor's browser takes for the originals themselves. */
async function timeOriginals(browser: Browser, { pictures }: RemoteSite): Promise<Map<string, number>> {
  const page = await browser.newPage();
  const times = await page.evaluate(
    async (sources) => {
      const images = sources.map((src) => Object.assign(new Image(), { src }));
      await Promise.all(images.map((image) => image.decode()));
      return sources.map((src) => performance.getEntriesByName(src)[0]?.duration ?? NaN);
    },
    pictures.map(({ src }) => src),
  );
  await page.close();
  return new Map(pictures.map(({ name }, index) => [name, times[index] ?? NaN]));
}

const CHROMIUM_ACCEPT = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";

/** Asks for a picture until its file is built. */
async function warm(address: string): Promise<void> {
  for (const start = Date.now(); Date.now() - start < WARM_WITHIN_MS;) {
    const response = await fetch(address, { headers: { Accept: CHROMIUM_ACCEPT }, redirect: "manual" });
    await response.body?.cancel();
    expect(response.status, address).toBe(302);
    if (response.headers.get("Location")?.includes("/cdn/v/")) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${address} is not built in time`);
}

async function bitmapOf(file: Buffer, width: number, height: number) {
  const image = sharp(file).removeAlpha().toColourspace("srgb").resize(width, height, { fit: "fill" });
  return { width, height, channels: 3, data: new Uint8Array(await image.raw().toBuffer()) };
}

/** Returns how much a file looks like the original where both are shown at the same size: SSIMULACRA 2. */
async function lookOf(file: Buffer, original: Buffer, shownWidth: number): Promise<number> {
  const { width, height } = await sharp(original).metadata();
  const shownHeight = Math.round((shownWidth * height) / width);
  const [a, b] = [
    await bitmapOf(original, shownWidth, shownHeight),
    await bitmapOf(file, shownWidth, shownHeight),
  ];
  return ssimulacra2(a, b);
}

const QUALITY_MAX = 100;
const QUALITY_MIN = 40;

/**
 * Returns the framework's file at the lowest quality with which it looks as good: made by sharp, which all three
 * frameworks use, with the framework's own format and width. The best of them if none looks as good, being too narrow.
 */
async function atLook(
  { body, shownWidth }: SeenRemote,
  { file }: RemotePicture,
  look: number,
): Promise<{ bytes: number; isAsGood: boolean }> {
  const { format, width } = await sharp(body).metadata();
  const encoded = (quality: number) => sharp(file).resize(width).toFormat(format, { quality }).toBuffer();
  let [low, high] = [QUALITY_MIN, QUALITY_MAX];
  while (low < high) {
    const quality = (low + high) >> 1;
    if ((await lookOf(await encoded(quality), file, shownWidth)) >= look) high = quality;
    else low = quality + 1;
  }
  const best = await encoded(low);
  return { bytes: best.length, isAsGood: (await lookOf(best, file, shownWidth)) >= look };
}

/** Builds and serves the page, with the base address, or with none. @returns where it answers */
export type Serve = (remote: RemoteSite, base: string | null) => Promise<string>;

/** Describes what holds for a page of a framework when its pictures come by the service. */
export function describeRemotePage(framework: string, serve: Serve): void {
  const rule = "shows pictures of another server, smaller than the framework makes them";
  it.skipIf(!hasChromium)(rule, { timeout: TEST_MAX_MS }, async () => {
    const browser = await openBrowser();
    const remote = await startRemote();
    const say = (text: string): void => console.log(`${framework}: ${text}`);
    try {
      const own = await visits(browser, await serve(remote, null));
      const url = await serve(remote, remote.base);
      const addresses = await expectUnbroken(browser, url, remote, say);
      for (const address of addresses) await warm(address);
      const asked = remote.origin.requests.length;
      const warmed = await visits(browser, url);
      expect(remote.origin.requests).toHaveLength(asked);
      for (const [index, { pictures, complaints }] of warmed.entries()) {
        expect(complaints).toEqual([]);
        const sum = { ours: 0, theirs: 0 };
        for (const [at, seen] of pictures.entries()) {
          const [picture, theirs] = [remote.pictures[at], own[index]?.pictures[at]];
          if (!picture || theirs?.name !== seen.name) throw new Error(`${seen.name} is not on both pages`);
          expectOneRequest(seen);
          sum.ours += seen.body.length;
          sum.theirs += await bytesOfEqual(seen, theirs, picture, say);
        }
        // A single picture may be larger: the grid may have no width that is as near as the framework's.
        expect(sum.ours).toBeLessThan(sum.theirs);
      }
    } finally {
      await browser.close();
      await remote.origin.stop();
    }
  });
}

async function visits(browser: Browser, url: string): Promise<Visit[]> {
  const all: Visit[] = [];
  for (const screen of SCREENS) all.push(await visit(browser, url, screen));
  return all;
}

/** Opens the page before any file is there, in turns with the originals. @returns the addresses that it asks for */
async function expectUnbroken(
  browser: Browser,
  url: string,
  remote: RemoteSite,
  say: (text: string) => void,
): Promise<Set<string>> {
  const addresses = new Set<string>();
  const slower: number[] = [];
  const redirects: number[] = [];
  let running: string[] = [];
  for (let round = 0; round < FIRST_VISITS; round++) {
    for (const screen of SCREENS) {
      const originals = await timeOriginals(browser, remote);
      // A fetch of the visit before that still ran would store its picture after it was forgotten.
      for (const address of running) await warm(address);
      await remote.forget({ isKnown: running.length > 0 });
      const first = await visit(browser, url, screen);
      running = first.pictures.map(({ address }) => address);
      for (const seen of expectOriginals(first, remote)) {
        addresses.add(seen.address);
        slower.push(seen.milliseconds - (originals.get(seen.name) ?? NaN));
        redirects.push(seen.redirectMs);
      }
    }
  }
  say(
    `a picture of a first visit takes ${spread(slower)} ms more than the original on a page of its own, and the ` +
      `redirect ${spread(redirects)} ms of it`,
  );
  return addresses;
}

/** Expects the originals on the page, each by one redirect, since there is no file yet. */
function expectOriginals(
  { pictures, complaints }: Visit,
  { base, origin, ...remote }: RemoteSite,
): SeenRemote[] {
  expect(complaints).toEqual([]);
  expect(pictures.map(({ name }) => name)).toEqual(remote.pictures.map(({ name }) => name));
  for (const { address, hops } of pictures) {
    expect(address.startsWith(`${base}/`), address).toBe(true);
    expect(hops).toHaveLength(2);
    expect(hops[1]?.startsWith(origin.base), hops[1]).toBe(true);
  }
  return pictures;
}

/** Returns the median and the maximum of times in milliseconds. */
function spread(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  return `${sorted[sorted.length >> 1]?.toFixed(0)} (median) to ${Math.max(...times).toFixed(0)} (at most)`;
}

/** Expects one request, which leads to a file that browsers keep for good. */
function expectOneRequest({ hops, cacheControl, name }: SeenRemote): void {
  expect(hops, name).toHaveLength(2);
  expect(new URL(hops[1] ?? "").pathname, name).toMatch(/^\/cdn\/v\//);
  expect(cacheControl, name).toBe("public, max-age=31536000, immutable");
}

/** Returns the bytes of the framework's own file that looks as good as ours. */
async function bytesOfEqual(
  seen: SeenRemote,
  theirs: SeenRemote,
  picture: RemotePicture,
  say: (text: string) => void,
): Promise<number> {
  const look = await lookOf(seen.body, picture.file, seen.shownWidth);
  const equal = await atLook({ ...theirs, shownWidth: seen.shownWidth }, picture, look);
  const described = async ({ body, contentType }: SeenRemote): Promise<string> => {
    const { width } = await sharp(body).metadata();
    const score = await lookOf(body, picture.file, seen.shownWidth);
    return `${body.length} bytes, ${contentType}, ${width} wide, look ${score.toFixed(1)}`;
  };
  say(
    `${seen.name} at ${seen.shownWidth} pixels: ${await described(seen)}; its own: ${await described(theirs)}, and ` +
      `${equal.bytes} ${equal.isAsGood ? "at the same look" : "at its best, which looks worse"}`,
  );
  return equal.bytes;
}
