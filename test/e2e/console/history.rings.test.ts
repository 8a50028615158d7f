/** The history of a record in the console, and finding by words. */
import type { Browser } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { newSpace, upload } from "../../../scripts/harness/api.ts";
import { articles, call } from "../../support/console/console-content.ts";
import { inspect, inBrowser, signIn, SIZES, visit } from "../../support/console/console.ts";
import { photoJpeg } from "../../support/pictures/draw.ts";

const service = inject("service");
const LIST = "/data/collections/articles";
const TALL = { width: 1920, height: 1600 };

inBrowser("history in the console", (openBrowser) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it("shows what each version changed, and brings one back", async () => {
    const space = await newSpace(service);
    await articles(space);
    const { id } = await call<{ id: string }>(space, "POST", LIST, {
      title: "On light",
      body: "It falls down.",
    });
    await call(space, "PUT", `${LIST}/${id}`, { body: "It rises up.", minutes: 4 });
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, `content/collections/articles/${id}`);
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("heading", { name: "From version 1 to 2" }).waitFor();
    await expect.poll(() => page.locator("ins").allTextContents()).toEqual(["rises", "up.", "4"]);
    expect(await page.locator("del").allTextContents()).toEqual(["falls", "down.", "–empty"]);
    expect(await page.getByText("by test").count()).toBe(2);
    expect(await inspect(page, "history")).toEqual([]);
    // The way from a record to its history moves neither's head. The window is so high that neither has a scrollbar.
    const headAt = async (): Promise<number | undefined> =>
      (await page.getByRole("heading", { level: 1 }).boundingBox())?.x;
    await page.setViewportSize(TALL);
    // A busy machine lays a page out later than it is resized.
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(TALL.width);
    const left = await headAt();
    await page.getByRole("link", { name: "Back" }).click();
    await page.getByRole("button", { name: "Save" }).waitFor();
    await expect.poll(headAt).toBe(left);
    await page.setViewportSize(SIZES.desk);
    await page.goBack();

    await page.getByRole("button", { name: "Version 1 created" }).click();
    await page.getByRole("heading", { name: "Version 1", exact: true }).waitFor();
    expect(await page.locator("del").count()).toBe(0);
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("button", { name: "Version 3 restored" }).waitFor();
    expect(await call(space, "GET", `${LIST}/${id}`)).toMatchObject({
      body: "It falls down.",
      minutes: null,
    });
    // The form goes on from what was restored.
    await page.getByRole("link", { name: "Back" }).click();
    await expect.poll(() => page.getByLabel("body").inputValue()).toBe("It falls down.");
    await page.getByLabel("body").fill("It stays.");
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Saved");
    expect(faults).toEqual([]);
    await close();
  });

  it("calls pictures and records by their names", async () => {
    const space = await newSpace(service);
    await articles(space);
    const media = await upload(space, await photoJpeg(300, 200), "beach.jpg");
    const named = (path: string, body: object): Promise<{ id: string }> =>
      call(space, "POST", `/data/collections/${path}`, body);
    const ada = await named("authors", { name: "Ada" });
    const others = await Promise.all(["On stone", "On sand"].map((title) => named("articles", { title })));
    const related = others.map(({ id }) => id);
    const { id } = await named("articles", { title: "On light", cover: media.id, author: ada.id });
    await call(space, "PUT", `${LIST}/${id}`, { cover: null, related });
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, `content/collections/articles/${id}/history`);
    const changes = page.locator(".differences");
    await changes.locator("ins").getByText("On stone").waitFor();
    await changes.locator("ins").getByText("On sand").waitFor();
    await changes.locator("del").getByText("beach.jpg").waitFor();
    await page.getByRole("button", { name: "Version 1 created" }).click();
    await changes.locator("ins").getByText("Ada").waitFor();
    expect(await changes.locator(".thumb").evaluate((thumb) => thumb.clientHeight)).toBeGreaterThan(20);
    for (const one of [media, ada, ...others]) expect(await changes.textContent()).not.toContain(one.id);
    expect(await inspect(page, "history-names")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("finds records by words where the model has fields for it, the best first", async () => {
    const space = await newSpace(service);
    const { page, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "models/new");
    await page.getByLabel("Model label").fill("Notes");
    await page.getByRole("button", { name: "Short text" }).click();
    await page.locator("input:focus").waitFor();
    await page.keyboard.type("Words");
    await page.getByLabel("Searchable").check();
    await page.getByRole("button", { name: "Create model" }).click();
    await page.getByRole("link", { name: "Notes" }).waitFor();
    for (const words of ["the sea", "sea and sea", "stone"])
      await call(space, "POST", "/data/collections/notes", { words });
    await page.goto(`/console/${space.name}/content/collections/notes`);
    await page.getByText("3 records").waitFor();
    await page.getByLabel("Search records").fill("sea");
    await expect
      .poll(() => page.getByRole("table").getByRole("link").allTextContents())
      .toEqual(["sea and sea", "the sea"]);
    await close();
  });
});
