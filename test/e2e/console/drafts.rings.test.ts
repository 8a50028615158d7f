/** Drafts in the console: saved, published, planned, taken back. */
import type { Browser } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { newSpace } from "../../../scripts/harness/api.ts";
import { call } from "../../support/console/console-content.ts";
import { inspect, inBrowser, messagesOf, signIn, visit } from "../../support/console/console.ts";

const service = inject("service");
const LIST = "/data/collections/posts";

inBrowser("drafts in the console", (openBrowser) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it("publishes what was written, tells what changed since, and plans", async () => {
    const space = await newSpace(service);
    await call(space, "POST", "/models", {
      typeModel: "collections",
      name: "posts",
      drafts: true,
      fields: [
        { name: "title", type: "string" },
        { name: "lead", type: "string", required: true },
      ],
    });
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "content/collections/posts/new");
    await page.getByLabel("title").fill("On light");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "On light" }).waitFor();
    const side = page.getByRole("complementary");
    await side.getByText("draft", { exact: true }).waitFor();
    expect(await call<object[]>(space, "GET", LIST)).toEqual([]);

    // What is required is asked for when it is published.
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("lead").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("lead").fill("It falls.");
    await page.getByRole("button", { name: "Publish" }).click();
    await side.getByText("published", { exact: true }).waitFor();
    expect(await call(space, "GET", LIST)).toMatchObject([{ title: "On light", lead: "It falls." }]);

    await page.getByLabel("title").fill("On shade");
    await page.getByRole("button", { name: "Save" }).click();
    await side.getByText("changed", { exact: true }).waitFor();
    expect(await call(space, "GET", LIST)).toMatchObject([{ title: "On light" }]);
    expect(await inspect(page, "record-draft")).toEqual([]);

    await page.getByRole("button", { name: "Schedule" }).click();
    await page.getByLabel("Show from").fill("2030-01-01T08:00");
    const messages = await messagesOf(page);
    await page.getByRole("button", { name: "Plan" }).click();
    await expect.poll(messages).toContain("Planned");
    await side.getByText("Shown from", { exact: true }).waitFor();
    await side.getByText("Jan 1, 2030, 8:00 AM", { exact: true }).waitFor();
    const [draft] = await call<{ publishAt: string }[]>(space, "GET", `${LIST}?status=draft`);
    expect(Date.parse(draft?.publishAt ?? "")).toBe(new Date("2030-01-01T08:00").getTime());

    await page.getByRole("button", { name: "Schedule" }).click();
    await page.getByRole("button", { name: "Take back now" }).click();
    await side.getByText("draft", { exact: true }).waitFor();
    await expect.poll(() => call<object[]>(space, "GET", LIST)).toEqual([]);
    await page.goto(`/console/${space.name}/content/collections/posts`);
    await page.getByRole("row", { name: "On shade draft" }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
