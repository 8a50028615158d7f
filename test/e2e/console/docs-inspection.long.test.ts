/**
 * The API reference as axe sees it. It has all routes on one page, so axe and the layout take 12 seconds of the processor.
 * In Chromium, though this is the second ring: colours and roles are the same in both browsers, and Firefox draws all
 * routes for minutes.
 */
import type { Browser } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { newSpace } from "../../../scripts/harness/api.ts";
import { inBrowser, inspect, signIn, visit } from "../../support/console/console.ts";

const service = inject("service");

const suite = (openBrowser: () => Promise<Browser>): void => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it("has no fault with a call and its answer open", async () => {
    const space = await newSpace(service);
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    await page.getByRole("link", { name: "API reference" }).click();
    await page.locator("#operations-Keys-getCaller").getByRole("button").first().click();
    await page.getByRole("button", { name: "Execute" }).click();
    await page.locator(".live-responses-table").getByText(`"${space.name}"`).waitFor();
    expect(await inspect(page, "docs")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });
};

inBrowser("the API reference", suite, "chromium");
