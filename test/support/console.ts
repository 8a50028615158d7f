/** The console in Chromium, as people use it: signed in, watched for what it asks of others and what it runs. */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { findBrowser } from "../../scripts/harness/browsers.ts";

/** Where Chromium is; null when there is none: the tests are skipped then, and counted as skipped. */
export const chromiumPath = findBrowser("chromium");
if (chromiumPath === null) console.warn("No Chromium here: tests of the console are skipped.");

/** Pictures of pages, looked at by people; CI keeps the folder. */
const SHOTS = process.env["CONSOLE_SHOTS"] ?? ".bench/console";

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath ?? "", args: ["--no-sandbox", "--disable-dev-shm-usage"] });

export interface Visit {
  page: Page;
  /** What went wrong in the page: exceptions, refusals of its Content-Security-Policy, requests to other origins. */
  faults: string[];
  close: () => Promise<void>;
}

/** A tab of its own, with storage of its own. */
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
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (/content.security.policy|trusted/i.test(message.text())) faults.push(message.text());
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (!["blob:", "data:"].includes(url.protocol) && url.origin !== base) faults.push(`asked ${url.href}`);
  });
  return { page, faults, close: () => context.close() };
}

export async function signIn(page: Page, space: string, key: string): Promise<void> {
  await page.goto("/console");
  await page.getByLabel("Space").fill(space);
  await page.getByLabel("Key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Media" }).waitFor();
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Axe {
  run: (options: object) => Promise<{
    violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
  }>;
}

/** What axe finds against WCAG 2.2 AA and its best practices: empty when there is nothing. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const { violations } = await axe.run({ runOnly: { type: "tag", values: tags } });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = "" }) => `${id}: ${html} ${failureSummary}`),
    );
  });
}

export const SIZES = {
  phone: { width: 360, height: 740 },
  desk: { width: 1280, height: 800 },
  wide: { width: 3840, height: 2160 },
} as const;

const SETTLED_MS = 300;

/**
 * Shows the page in both themes and three sizes, keeps pictures of it, and answers what axe finds and which sizes the
 * page is too wide for.
 */
export async function inspect(page: Page, name: string): Promise<string[]> {
  mkdirSync(SHOTS, { recursive: true });
  const faults: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await page.waitForTimeout(SETTLED_MS);
      await page.screenshot({ path: join(SHOTS, `${name}-${size}-${colorScheme}.png`) });
      const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      if (isTooWide) faults.push(`${name} is wider than a ${size}`);
      if (size !== "wide")
        faults.push(...(await accessibilityFaults(page)).map((fault) => `${size} ${colorScheme} ${fault}`));
    }
  }
  await page.setViewportSize(SIZES.desk);
  await page.emulateMedia({ colorScheme: "light" });
  return [...new Set(faults)];
}
