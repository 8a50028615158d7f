/** The parts that the console shows, and the data that it asks for, before its scripts are there. */
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { newSpace } from "../../../scripts/harness/api.ts";
import { articles, call } from "../../support/console/console-content.ts";
import { inBrowser, signIn, visit } from "../../support/console/console.ts";

const service = inject("service");

/** The parts of the sign-in form that `index.html` repeats. */
const SIGN_IN_PARTS = [".wordmark", ".sign-in-lead", ".field-head", ".input", ".field-hint", ".button"]
  .map((part) => `.sign-in-sheet ${part}`)
  .join();

/**
 * Returns the words, the drawing and the place of each part of a page, with the fonts that it ends up with. In Firefox,
 * fonts are `ready` only after the scripts of the page, so it waits for each font that a layout has asked for.
 */
const lookOf = (page: Page, parts: string): Promise<unknown[]> =>
  page.evaluate(async (parts) => {
    for (;;) {
      document.body.getBoundingClientRect();
      const loading = [...document.fonts].filter(({ status }) => status === "loading");
      if (loading.length === 0) break;
      await Promise.all(loading.map(({ loaded }) => loaded));
    }
    return [...document.querySelectorAll<HTMLElement>(parts)]
      .filter((part) => part.checkVisibility())
      .map((part) => ({
        words: part.textContent.trim().replaceAll(/\s+/g, " "),
        drawn: [...part.querySelectorAll("svg > *")].map(({ outerHTML }) => outerHTML),
        place: part.getBoundingClientRect().toJSON() as unknown,
        colour: getComputedStyle(part).color,
      }));
  }, parts);

inBrowser("the console's first paint", (openBrowser) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it("shows the way in before its scripts are there, in the place where it then is", async () => {
    const { page, faults, close } = await visit(browser, service.base);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/console/assets/*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/console", { waitUntil: "commit" });
    await page.locator(".sign-in-sheet").waitFor();
    const before = await lookOf(page, SIGN_IN_PARTS);
    expect(before).toHaveLength(9);
    release();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await lookOf(page, SIGN_IN_PARTS)).toEqual(before);
    expect(faults).toEqual([]);
    await close();
  });

  it("shows the frame's name before its scripts are there, as it then is", async () => {
    const space = await newSpace(service);
    const { page, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    const then = await lookOf(page, ".bar-name .wordmark");
    expect(then).toHaveLength(1);
    await page.route("**/console/assets/*.js", (route) => route.abort());
    await page.reload();
    expect(await lookOf(page, ".bar-name .wordmark")).toEqual(then);
    await close();
  });

  it("asks for what the first page shows before its scripts are there, and once", async () => {
    const space = await newSpace(service);
    await articles(space);
    const record = await call<{ id: string }>(space, "POST", "/data/collections/articles", { title: "One" });
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    // Late requests of the page before must not count as the next one's.
    await page.getByRole("heading", { name: "No pictures yet" }).waitFor();
    const first = {
      media: ["/media"],
      [`content/collections/articles/${record.id}`]: ["/models", `/data/collections/articles/${record.id}`],
    };
    // Since the document was asked for: the page before may still be asking.
    let asked: string[] = [];
    page.on("request", (request) => {
      if (request.isNavigationRequest()) asked = [];
      asked.push(new URL(request.url()).pathname);
    });
    for (const [path, questions] of Object.entries(first)) {
      const address = `/console/${space.name}/${path}`;
      const early = [address, ...questions.map((question) => `/api/v1/${space.name}${question}`)];
      await page.route("**/console/assets/*.js", async (route) => {
        await expect.poll(() => asked).toEqual(expect.arrayContaining(early));
        await route.continue();
      });
      await page.goto(address);
      await page.getByRole("heading", { name: path === "media" ? "No pictures yet" : "One" }).waitFor();
      for (const one of early) expect(asked.filter((other) => other === one)).toEqual([one]);
      expect(asked.filter((one) => one.endsWith(".css"))).toEqual([]);
      await page.unroute("**/console/assets/*.js");
    }
    expect(faults).toEqual([]);
    await close();
  });
});
