/** Several records selected in the console: published, taken back and thrown away together, or told why not. */
import type { Browser } from "playwright-core";
import { beforeAll, beforeEach, expect, inject, it } from "vitest";
import { newSpace, type Space } from "../../../scripts/harness/api.ts";
import { call } from "../../support/console/console-content.ts";
import { inspect, inBrowser, messagesOf, signIn, visit, type Visit } from "../../support/console/console.ts";

const service = inject("service");
const LIST = "/data/collections/posts";

inBrowser("bulk actions on records in the console", (openBrowser) => {
  let browser: Browser;
  let space: Space;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    space = await newSpace(service);
    await call(space, "POST", "/models", {
      typeModel: "collections",
      name: "posts",
      drafts: true,
      fields: [
        { name: "title", type: "string" },
        { name: "lead", type: "string", required: true },
      ],
    });
  });

  const write = (...records: object[]): Promise<unknown> =>
    call(space, "POST", `${LIST}/bulk`, { operations: records.map((data) => ({ op: "create", data })) });
  const published = async (): Promise<unknown[]> =>
    (await call<{ title: string }[]>(space, "GET", `${LIST}?sort=title`)).map(({ title }) => title);
  async function enter(): Promise<Visit> {
    const visited = await visit(browser, service.base);
    await signIn(visited.page, space.name, space.key, "content/collections/posts");
    return visited;
  }

  it("publishes, takes back and throws away what is selected", async () => {
    await write({ title: "One", lead: "1" }, { title: "Two", lead: "2" }, { title: "Three", lead: "3" });
    const { page, faults, close } = await enter();
    const bar = page.getByRole("toolbar", { name: "Selected records" });
    await page.getByLabel("Select One").check();
    await page.getByLabel("Select Three").check();
    await bar.getByText("2 selected").waitFor();
    expect(await inspect(page, "records-selected")).toEqual([]);
    const messages = await messagesOf(page);
    await bar.getByRole("button", { name: "Publish" }).click();
    await expect.poll(messages).toEqual(["2 records published"]);
    await bar.waitFor({ state: "detached" });
    expect(await published()).toEqual(["One", "Three"]);
    await page.getByRole("row", { name: "Three published" }).waitFor();

    await page.getByLabel("Select One").check();
    await bar.getByRole("button", { name: "Take back" }).click();
    await page.getByRole("row", { name: "One draft" }).waitFor();
    await bar.waitFor({ state: "detached" });
    expect(await published()).toEqual(["Three"]);

    await page.getByLabel("Select Two").check();
    await page.getByLabel("Select One").check();
    await bar.getByRole("button", { name: "Move to trash" }).click();
    await expect
      .poll(() => page.getByRole("link", { name: /^(?:One|Two|Three)$/ }).allTextContents())
      .toEqual(["Three"]);
    expect(await call<object[]>(space, "GET", "/trash")).toHaveLength(2);
    expect(faults).toEqual([]);
    await close();
  });

  it("publishes no version that the reader has not seen (RULES 11.3)", async () => {
    await write({ title: "Mine", lead: "1" }, { title: "Theirs", lead: "2" });
    const [theirs] = await call<{ id: string }[]>(
      space,
      "GET",
      `${LIST}?status=draft&filter[title][eq]=Theirs`,
    );
    const { page, faults, close } = await enter();
    const bar = page.getByRole("toolbar", { name: "Selected records" });
    await page.getByLabel("Select Mine").check();
    await page.getByLabel("Select Theirs").check();
    await call(space, "PUT", `${LIST}/${theirs?.id}`, { title: "Theirs anew", lead: "Not yet" });
    await bar.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog", { name: "2 records not published" });
    await dialog.waitFor();
    expect(await dialog.getByRole("listitem").allTextContents()).toEqual([
      expect.stringMatching(/^Theirs\s*It has changed since you selected it/),
    ]);
    expect(await published()).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    // A record that is selected anew is published as it is shown by then.
    await page.getByLabel("Select Theirs anew").uncheck();
    await page.getByLabel("Select Theirs anew").check();
    await bar.getByRole("button", { name: "Publish" }).click();
    await bar.waitFor({ state: "detached" });
    expect(await published()).toEqual(["Mine", "Theirs anew"]);
    expect(faults).toEqual([]);
    await close();
  });

  it("names the records that stand in the way, and changes none", async () => {
    await write({ title: "Ready", lead: "1" }, { title: "Bare" });
    const { page, faults, close } = await enter();
    await page.getByLabel("Select Ready").check();
    await page.getByLabel("Select Bare").check();
    await page.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog", { name: "2 records not published" });
    await dialog.waitFor();
    expect(await dialog.getByRole("listitem").allTextContents()).toEqual([
      expect.stringMatching(/^Bare\s*lead is required/),
    ]);
    expect(await inspect(page, "records-refused")).toEqual([]);
    expect(await published()).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByLabel("Select Bare").uncheck();
    const messages = await messagesOf(page);
    await page.getByRole("button", { name: "Publish" }).click();
    await expect.poll(messages).toEqual(["1 record published"]);
    expect(await published()).toEqual(["Ready"]);
    expect(faults).toEqual([]);
    await close();
  });
});
