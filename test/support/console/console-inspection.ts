/** Pages of the console as axe and a reader see them: without fault, and within their window, in each theme and size. */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** The folder for pictures of pages that people look at; without it none are taken, which a test needs no time for. */
const SHOTS = process.env["CONSOLE_SHOTS"];
/** A PNG of a page takes several times as long to pack. */
const JPEG = { type: "jpeg", quality: 90 } as const;

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Axe {
  run: (options: object) => Promise<{
    violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
  }>;
}

const STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The rules that read colours. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/**
 * Returns the faults that axe finds against WCAG 2.2 AA and its best practices.
 * @param isAgain whether the page was found without fault in other colours: what does not depend on them is left out
 */
async function accessibilityFaults(page: Page, isAgain: boolean): Promise<string[]> {
  // Half a megabyte, which a page that was not left since has.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  const rules = isAgain ? { type: "rule", values: OF_COLOURS } : { type: "tag", values: STANDARDS };
  return page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    // The places of checks that pass are not needed.
    const { violations } = await axe.run({ runOnly, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = "" }) => `${id}: ${html} ${failureSummary}`),
    );
  }, rules);
}

export const SIZES = {
  phone: { width: 360, height: 740 },
  desk: { width: 1280, height: 800 },
  wide: { width: 3840, height: 2160 },
} as const;

/** Waits until the page is drawn as it is now, and nothing that comes to an end still moves in it. */
const settled = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const drawn = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    await drawn();
    await drawn();
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
    await drawn();
  });

const LATER_MS = 300;
/** About ten seconds. A busy machine lays a page out later than it is resized. */
const FIT_POLLS = 50;
const FIT_POLL_MS = 200;

/** Returns the faults that axe still finds a little later, when a busy machine has laid out the page too. */
async function lastingFaults(page: Page, isAgain: boolean): Promise<string[]> {
  if ((await accessibilityFaults(page, isAgain)).length === 0) return [];
  await page.waitForTimeout(LATER_MS);
  return accessibilityFaults(page, isAgain);
}

/** Returns whether the page is laid out within the width of its window. */
async function comesToFit(page: Page): Promise<boolean> {
  for (let polls = 0; polls < FIT_POLLS; polls++) {
    if (await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)) return true;
    await page.waitForTimeout(FIT_POLL_MS);
  }
  return false;
}

/**
 * Switches the theme; in Firefox by the console's own switch, because WebDriver BiDi emulates no media features there.
 */
async function showTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  if (browserOf(page) === "chromium")
    return page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.evaluate((to) => (document.documentElement.dataset["theme"] = to), theme);
}
const browserOf = (page: Page): string => page.context().browser()?.browserType().name() ?? "chromium";

/**
 * Shows the page in both themes and three sizes, and answers what axe finds and which sizes the page is too wide for.
 * Keeps pictures of it where CONSOLE_SHOTS says.
 */
export async function inspect(page: Page, name: string): Promise<string[]> {
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
  const faults: string[] = [];
  const suffix = browserOf(page) === "chromium" ? "" : `-${browserOf(page)}`;
  for (const theme of ["light", "dark"] as const) {
    await showTheme(page, theme);
    for (const [size, viewport] of Object.entries(SIZES)) {
      // Firefox looks at the phone's dark colours, in the second ring.
      if (size === "phone" && theme === "dark" && browserOf(page) === "chromium" && !SHOTS) continue;
      // Firefox draws without a graphics card, and ends its process over a page of 4K now and then. The themes differ in
      // colours alone (styles/tokens.css): only what depends on them is looked at in both. For the widest, that is nothing.
      if (size === "wide" && (browserOf(page) === "firefox" || (theme === "dark" && !SHOTS))) continue;
      await page.setViewportSize(viewport);
      await settled(page);
      if (SHOTS)
        await page.screenshot({ path: join(SHOTS, `${name}-${size}-${theme}${suffix}.jpg`), ...JPEG });
      if (!(await comesToFit(page))) faults.push(`${name} is wider than a ${size}`);
      // Axe reads the same of a page in every browser. Firefox gives a second opinion on the phone's layout.
      if (size === "wide" || (size === "desk" && browserOf(page) === "firefox")) continue;
      const found = await lastingFaults(page, theme === "dark");
      faults.push(...found.map((fault) => `${size} ${theme} ${fault}`));
    }
  }
  await page.setViewportSize(SIZES.desk);
  await showTheme(page, "light");
  return [...new Set(faults)];
}
