/**
 * The console in browsers, used as an editor uses it: signed in, and watched for requests to other origins and for its
 * scripts.
 */
import { fileURLToPath } from "node:url";
import { chromium, firefox, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { describe, inject } from "vitest";
import { drivenChromiumFlags, findBrowser, type BrowserName } from "../../../scripts/harness/browsers.ts";
import { BROWSER_OF_RING } from "../ring.ts";

export { inspect, SIZES } from "./console-inspection.ts";

/** Where each browser is; null when it is not here: its tests are skipped then, and counted as skipped. */
const PATHS: Record<BrowserName, string | null> = {
  chromium: findBrowser("chromium"),
  firefox: findBrowser("firefox"),
};
for (const [name, path] of Object.entries(PATHS))
  if (path === null) console.warn(`No ${name} here: its tests of the console are skipped.`);

/** Playwright speaks WebDriver BiDi to a Firefox that is not its own, through a relay (see there). */
const FIREFOX_RELAY = fileURLToPath(new URL("./firefox.mjs", import.meta.url));

/** Frames per second. Firefox draws each without a graphics card; with 60, that takes a sixth of its processor time. */
const FIREFOX_FRAME_RATE = 10;

function launch(name: BrowserName): Promise<Browser> {
  const path = PATHS[name] ?? "";
  if (name === "chromium") return chromium.launch({ executablePath: path, args: drivenChromiumFlags });
  const env = { ...process.env, FIREFOX_BEHIND_RELAY: path };
  return firefox.launch({
    channel: "moz-firefox",
    executablePath: FIREFOX_RELAY,
    env,
    firefoxUserPrefs: { "layout.frame_rate": FIREFOX_FRAME_RATE },
  });
}

const launched = new Map<BrowserName, Promise<Browser>>();

/**
 * Returns the browser of this process. Test files share it, because starting one takes as long as a test. It ends with
 * the process.
 */
async function open(name: BrowserName): Promise<Browser> {
  if (!(await launched.get(name))?.isConnected()) launched.set(name, launch(name));
  return launched.get(name) as Promise<Browser>;
}

/**
 * Describes a suite in one browser, which `openBrowser` starts, or gives if it runs already. Without another name, it is
 * the browser of the ring. Where the browser is not installed, the suite is skipped, and counted as skipped.
 */
export function inBrowser(
  title: string,
  suite: (openBrowser: () => Promise<Browser>, name: BrowserName) => void,
  name: BrowserName = BROWSER_OF_RING[inject("ring")],
): void {
  describe.skipIf(PATHS[name] === null)(`${title}, ${name}`, () => suite(() => open(name), name));
}

/**
 * The style that Playwright adds to a page to take its picture. The policy refuses it in Firefox, where no driver
 * stands above it.
 */
const SCREENSHOT_STYLE = "sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=";

/** Firefox also tells of a picture whose address was taken back while it was drawn, as an error of the page. */
const NOT_OF_THE_PAGE = [SCREENSHOT_STYLE, "Image corrupt or truncated."];

export interface Visit {
  page: Page;
  /** Faults in the page: exceptions, refusals of its Content-Security-Policy, requests to other origins. */
  faults: string[];
  close: () => Promise<void>;
}

/** For what a page comes to show, and for it to load, on a busy machine. */
const PATIENCE_MS = 300_000;

/** Opens a tab of its own, with storage of its own. */
export async function visit(
  browser: Browser,
  base: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => {
    if (!NOT_OF_THE_PAGE.some((part) => message.includes(part))) faults.push(message);
  });
  page.on("console", (message) => {
    const text = message.text();
    if (/content.security.policy|trusted/i.test(text) && !text.includes(SCREENSHOT_STYLE)) faults.push(text);
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["blob:", "data:"].includes(url.protocol) && url.origin !== base) faults.push(`asked ${url.href}`);
  });
  return { page, faults, close: () => context.close() };
}

/** Signs in as people do. */
export async function signInByForm(page: Page, space: string, key: string): Promise<void> {
  await page.goto("/console");
  await page.getByLabel("Space").fill(space);
  await page.getByLabel("Key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Media" }).waitFor();
}

/** Where the console keeps who is signed in (src/console/session/kept.ts). */
const SESSION = "silverprint.session";

/** Opens `path` of the console with a session that the tab has already, as after a reload: the form is tested once. */
export async function signIn(page: Page, space: string, key: string, path = "media"): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const self = await page.request.get(`/api/v1/${space}/keys/self`, { headers });
  const { data } = (await self.json()) as { data: { name: string; role: string } };
  const session = JSON.stringify({ space, key, name: data.name, role: data.role, member: null });
  await page.addInitScript(
    ([at, value]) => {
      // Signs in once: an editor who signs out stays signed out. The empty page of a new tab has no storage.
      if (location.protocol !== "http:" || sessionStorage.getItem("signed-in") !== null) return;
      sessionStorage.setItem("signed-in", "by a test");
      sessionStorage.setItem(at, value);
    },
    [SESSION, session] as const,
  );
  await page.goto(`/console/${space}/${path}`);
  await page.getByRole("link", { name: "Media" }).waitFor();
}

/**
 * Collects the messages that the page shows from now on, until it is left. A busy machine may look after one is gone.
 */
export async function messagesOf(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const messages = new Set<string>();
    const log = document.querySelector('[role="log"]');
    if (!log) throw new Error("The page has no place for messages");
    const note = (): void => {
      for (const { textContent } of log.querySelectorAll("p")) messages.add(textContent);
    };
    new MutationObserver(note).observe(log, { childList: true, subtree: true, characterData: true });
    Object.assign(globalThis, { messages });
  });
  return () => page.evaluate(() => [...(globalThis as unknown as { messages: Set<string> }).messages]);
}
