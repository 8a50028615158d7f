/** A visit to a page whose pictures stand on another server: what a new visitor's browser asks for, and how long it takes. */
import type { Browser, Page, Request } from "playwright-core";
import type { Screen } from "./visit.ts";

const VIEWPORT_HEIGHT = 4000;
/** For one step of the browser, on a machine that is busy with other things. */
const STEP_MAX_MS = 120_000;

export interface SeenRemote {
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

export interface RemoteVisit {
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
export async function visitRemote(
  browser: Browser,
  url: string,
  { width, density }: Screen,
): Promise<RemoteVisit> {
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
