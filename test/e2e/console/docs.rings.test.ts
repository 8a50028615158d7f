/** The API reference: readable as it is, and with a viewer that sends requests with the console's key. */
import type { Browser } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { newSpace } from "../../../scripts/harness/api.ts";
import { inspect, inBrowser, signIn, visit } from "../../support/console/console.ts";

const service = inject("service");

inBrowser("the API reference (RULES 11.4)", (openBrowser, browserName) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it("tries out a route with the key and the space of the console", async () => {
    const space = await newSpace(service);
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    await page.getByRole("link", { name: "API reference" }).click();
    await page.getByRole("link", { name: `Console, signed in to ${space.name}` }).waitFor();
    await page.locator("#operations-Keys-getCaller").getByRole("button").first().click();
    await page.getByRole("button", { name: "Execute" }).click();
    await page.locator(".live-responses-table").getByText(`"${space.name}"`).waitFor();
    expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain(space.key);
    expect(faults).toEqual([]);
    await close();
  });

  it.runIf(browserName === "chromium")("has no fault before the viewer is there", async () => {
    const { page, close } = await visit(browser, service.base);
    await page.route("**/console/docs.js", (route) => route.abort());
    await page.goto("/docs");
    expect(await inspect(page, "docs-plain")).toEqual([]);
    await close();
  });

  it("can be read without scripts", async () => {
    const { page, close } = await visit(browser, service.base, { javaScriptEnabled: false });
    await page.goto("/docs");
    await page.getByText("Put a trash entry back as it was").waitFor();
    await close();
  });
});
