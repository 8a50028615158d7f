/** The view of a page and the requests of a visitor's browser: headless Chromium, which watches every picture. */
import { join } from "node:path";
import { chromium, type Browser, type Page, type Request, type Route } from "playwright-core";
import sharp from "sharp";
import { chromiumFlags, findBrowser } from "../../../scripts/harness/browsers.ts";

const command = findBrowser("chromium");
if (command === null) console.warn("No Chromium here: the pages are not opened.");
export const hasChromium = command !== null;

/** High enough that no picture waits for being scrolled to. */
const VIEWPORT_HEIGHT = 4000;
/** For a page to lay itself out, and for a framework to wake up and do what it should not. */
const SETTLE_MS = 500;
/** For one step of the browser, on a machine that is busy with other things. */
const STEP_MAX_MS = 120_000;
const PICTURES = /\/api\/v1\/[^/]+\/pictures\//;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface SeenPicture {
  name: string;
  box: Box;
  /** Requests for it, in order. */
  requests: string[];
  status: number;
  headers: Record<string, string>;
  isRedirected: boolean;
  /** The width of the file that the browser got. */
  width: number;
  height: number;
  /** Mean colour of its box, RGB, while the file was held back and when it was there. */
  before: number[];
  after: number[];
}

export interface Visit {
  pictures: SeenPicture[];
  /** CLS. */
  layoutShift: number;
  /** Errors and warnings of the console, and thrown errors. */
  complaints: string[];
}

export interface Screen {
  width: number;
  density: number;
}

export interface VisitOptions {
  /** Where screenshots go; null for nowhere. */
  shots: string | null;
  /** Answers requests for crops as the service does before they are built: with the whole master. */
  isCold?: boolean;
}

export async function openBrowser(): Promise<Browser> {
  const args = chromiumFlags("").filter((flag) => !/^--(headless|user-data-dir|disable-features)/.test(flag));
  return chromium.launch({
    executablePath: command ?? "",
    args: [...args, "--disable-quic", "--disable-sync"],
  });
}

/** Returns the identity of one picture of the page: two that show the same media item are cropped differently. */
function identity(address: string): string {
  const { pathname, searchParams } = new URL(address);
  return `${pathname} ${searchParams.get("ar") ?? ""}`;
}

interface Place {
  name: string;
  box: Box;
  src: string;
}

const placesOf = (page: Page): Promise<Place[]> =>
  page.$$eval("img[data-name]", (elements) =>
    (elements as HTMLImageElement[]).map((image) => {
      const { x, y, width, height } = image.getBoundingClientRect();
      return { name: image.dataset["name"] ?? "", box: { x, y, width, height }, src: image.currentSrc };
    }),
  );

/** Returns every address that the page's pictures may ask for. */
export async function addressesOf(browser: Browser, url: string): Promise<string[]> {
  const page = await browser.newPage();
  await page.route(PICTURES, (route) => route.abort());
  await page.goto(url);
  await page.waitForSelector("img[data-name=drawing]");
  const found = await page.$$eval("img[data-name], picture source", (elements) =>
    elements.flatMap((element) => {
      // Unpic puts each candidate on a line of its own.
      const candidates = (element.getAttribute("srcset") ?? "").split(/,\s+/);
      const entries = candidates.map((candidate) => candidate.trim().split(" ")[0]!);
      return [...entries, element.getAttribute("src") ?? ""];
    }),
  );
  await page.close();
  return [...new Set(found)].filter((address) => PICTURES.test(address));
}

async function meanOf(screenshot: Buffer, box: Box, density: number): Promise<number[]> {
  const side = (value: number): number => Math.round(value * density);
  const area = { left: side(box.x), top: side(box.y), width: side(box.width), height: side(box.height) };
  const { channels } = await sharp(screenshot).removeAlpha().extract(area).stats();
  return channels.map(({ mean }) => mean);
}

const shotOf = ({ shots }: VisitOptions, { width, density }: Screen, when: string): { path?: string } =>
  shots === null ? {} : { path: join(shots, `${width}-at-${density}-${when}.png`) };

/** Runs in the page. A picture that has come is not decoded yet, and one that is decoded not painted. */
const untilPainted = async (): Promise<void> => {
  const images = [...document.querySelectorAll<HTMLImageElement>("img[data-name]")];
  await Promise.all(images.map((image) => image.decode()));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
};

/** Runs in the page, before anything else of it. */
const countLayoutShift = (): void => {
  const counts = window as unknown as { layoutShift: number };
  counts.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      counts.layoutShift += (entry as unknown as { value: number }).value;
  }).observe({ type: "layout-shift", buffered: true });
};

/** Holds all pictures back until it is told to let them go. */
class Gate {
  #held: Route[] | null = [];
  readonly #isCold: boolean;

  constructor({ isCold = false }: VisitOptions) {
    this.#isCold = isCold;
  }

  async pass(route: Route): Promise<void> {
    if (this.#held) this.#held.push(route);
    else await this.#answer(route);
  }

  async open(): Promise<void> {
    const held = this.#held ?? [];
    this.#held = null;
    await Promise.all(held.map((route) => this.#answer(route)));
  }

  async #answer(route: Route): Promise<void> {
    const address = route.request().url();
    if (!this.#isCold || !address.includes("ar=")) return route.continue();
    await route.fulfill({ response: await route.fetch({ url: address.replace(/\?.*$/, "") }) });
  }
}

const NOTHING = { width: 0, height: 0 };

async function seen(place: Place, requests: Request[]): Promise<Omit<SeenPicture, "before" | "after">> {
  const own = requests.filter((request) => identity(request.url()) === identity(place.src));
  const last = own[own.length - 1];
  const response = last ? await last.response() : null;
  const { width, height } = response ? await sharp(await response.body()).metadata() : NOTHING;
  return {
    ...{ name: place.name, box: place.box, width, height },
    requests: own.map((request) => request.url()),
    status: response?.status() ?? 0,
    headers: (await response?.allHeaders()) ?? {},
    isRedirected: own.some((request) => request.redirectedFrom() !== null),
  };
}

/** Opens a page, looks at it while every picture is held back, and again when all are there. */
export async function visit(
  browser: Browser,
  url: string,
  screen: Screen,
  options: VisitOptions,
): Promise<Visit> {
  const viewport = { width: screen.width, height: VIEWPORT_HEIGHT };
  const context = await browser.newContext({ viewport, deviceScaleFactor: screen.density });
  context.setDefaultTimeout(STEP_MAX_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  const requests: Request[] = [];
  page.on("request", (request) => PICTURES.test(request.url()) && requests.push(request));
  const gate = new Gate(options);
  await page.route(PICTURES, (route) => gate.pass(route));
  await page.addInitScript(countLayoutShift);
  await page.goto(url, { waitUntil: "domcontentloaded" });
  await page.waitForSelector("img[data-name=drawing]");
  await page.waitForTimeout(SETTLE_MS);
  const early = await page.screenshot(shotOf(options, screen, "before"));
  const earlyPlaces = await placesOf(page);
  await gate.open();
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>("img[data-name]")].every(
      (image) => image.complete && image.naturalWidth > 0,
    ),
  );
  await page.evaluate(untilPainted);
  await page.waitForTimeout(SETTLE_MS);
  const late = await page.screenshot(shotOf(options, screen, "after"));
  const places = await placesOf(page);
  const pictures = await Promise.all(
    places.map(async (place, i) => ({
      ...(await seen(place, requests)),
      before: await meanOf(early, earlyPlaces[i]!.box, screen.density),
      after: await meanOf(late, place.box, screen.density),
    })),
  );
  const layoutShift = await page.evaluate(() => (window as unknown as { layoutShift: number }).layoutShift);
  await context.close();
  return { pictures, layoutShift, complaints };
}
