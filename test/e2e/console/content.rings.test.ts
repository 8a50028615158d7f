/** Lists of records in the console: their searches are in the address, and only the rows on screen are drawn. */
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { newSpace, upload, type Space } from "../../../scripts/harness/api.ts";
import { articles, call } from "../../support/console/console-content.ts";
import { inspect, inBrowser, signIn, SIZES, visit, type Visit } from "../../support/console/console.ts";
import { photoJpeg } from "../../support/pictures/draw.ts";

const service = inject("service");
/** More pages than a list holds. */
const MANY = 700;
/** As wide as a screen of 4K, where text is larger (styles/tokens.css), and as many pixels as Firefox stands. */
const WIDE = { width: 3840, height: 600 };
/** Less than what is between the pictures of two rows. */
const ROW_GAP_PIXELS = 8;

inBrowser("lists of records in the console", (openBrowser) => {
  let browser: Browser;
  let space: Space;
  beforeAll(async () => {
    browser = await openBrowser();
    space = await newSpace(service);
    await articles(space);
    const titles = ["Été à Genève", "On stone", "On light", "Zebra"];
    for (const [at, title] of titles.entries()) {
      const mood = at % 2 === 0 ? "calm" : "bright";
      await call(space, "POST", "/data/collections/articles", {
        title,
        minutes: 10 - at,
        mood,
        body: "Lorem",
      });
    }
  });

  async function enter(): Promise<Visit & { page: Page }> {
    const visited = await visit(browser, service.base);
    await signIn(visited.page, space.name, space.key);
    await visited.page.getByRole("link", { name: "Content" }).click();
    await visited.page.getByRole("link", { name: "articles" }).click();
    await visited.page.getByRole("table").waitFor();
    return visited;
  }
  const titles = (page: Page): Promise<string[]> =>
    page.getByRole("table").getByRole("link").allTextContents();

  it("searches, filters and sorts, and finds the same by its address", async () => {
    const { page, faults, close } = await enter();
    await page.getByText("4 records").waitFor();
    expect(await inspect(page, "records")).toEqual([]);
    const order = (): Promise<string | null> =>
      page.getByRole("columnheader", { name: "minutes" }).getAttribute("aria-sort");
    await page.getByRole("button", { name: "minutes" }).click();
    await expect.poll(order).toBe("ascending");
    await expect.poll(() => titles(page)).toEqual(["Zebra", "On light", "On stone", "Été à Genève"]);
    await page.getByRole("button", { name: "minutes" }).click();
    await expect.poll(() => titles(page)).toEqual(["Été à Genève", "On stone", "On light", "Zebra"]);
    await expect.poll(order).toBe("descending");

    await page.getByLabel("Search records").fill("geneve");
    await expect.poll(() => titles(page)).toEqual(["Été à Genève"]);
    await page.getByLabel("Search records").fill("");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByLabel("Field").selectOption("mood");
    await page.getByLabel("Value of mood").selectOption("bright");
    await expect.poll(() => titles(page)).toEqual(["On stone", "Zebra"]);
    await page.getByText("Columns").click();
    await page.getByLabel("body", { exact: true }).check();
    await page.getByRole("columnheader", { name: "body" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await inspect(page, "records-filtered")).toEqual([]);

    await page.reload();
    await expect.poll(() => titles(page)).toEqual(["On stone", "Zebra"]);
    await page.getByRole("columnheader", { name: "body" }).waitFor();
    await page.getByRole("link", { name: "Zebra" }).click();
    await page.getByRole("heading", { name: "Zebra" }).waitFor();
    await page.goBack();
    await expect.poll(() => titles(page)).toEqual(["On stone", "Zebra"]);
    await page.getByRole("link", { name: "Zebra" }).click();
    await page.getByRole("link", { name: "Back" }).click();
    await expect.poll(() => titles(page)).toEqual(["On stone", "Zebra"]);
    await page.getByLabel("Search records").fill("nothing like it");
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(async () => (await titles(page)).length).toBe(4);
    expect(faults).toEqual([]);
    await close();
  });

  it("of many records, draws and holds only those on screen", async () => {
    await call(space, "POST", "/models", {
      typeModel: "collections",
      name: "notes",
      fields: [{ name: "text", type: "string" }],
    });
    for (let at = 0; at < MANY; at += 100) {
      const operations = Array.from({ length: 100 }, (_, index) => ({
        op: "create",
        data: { text: `Note ${at + index}` },
      }));
      await call(space, "POST", "/data/collections/notes/bulk", { operations });
    }
    const { page, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "content/collections/notes");
    await page.getByText(`${MANY} records`).waitFor();
    const rows = page.getByRole("table").getByRole("link");
    const last = page.locator(`[aria-rowindex="${MANY + 1}"] a`);
    await expect
      .poll(async () => {
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        return last.count();
      })
      .toBe(1);
    await expect.poll(() => rows.count()).toBeLessThan(60);
    await last.click();
    await page.getByRole("heading", { name: /^Note/ }).waitFor();
    // Both ways back lead to where the list was left.
    await page.goBack();
    await last.click();
    await page.getByRole("heading", { name: /^Note/ }).waitFor();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await page.getByRole("link", { name: "Back" }).click();
    await last.waitFor();
    // Pages that were given up are read again where they are looked at.
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.locator('[aria-rowindex="2"] a').waitFor();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await last.waitFor();
    await close();
  });

  it("keeps rows apart where text is larger", async () => {
    const own = await newSpace(service);
    await articles(own);
    const { id: cover } = await upload(own, await photoJpeg(300, 200), "cover.jpg");
    for (const title of ["One", "Two"])
      await call(own, "POST", "/data/collections/articles", { title, cover });
    const { page, close } = await visit(browser, service.base);
    await signIn(page, own.name, own.key, "content/collections/articles?columns=cover");
    await page.getByRole("row", { name: "cover.jpg" }).nth(1).waitFor();
    /** Returns the gap between the pictures of two rows. */
    const gap = (): Promise<number> =>
      page.evaluate(() => {
        const boxes = [...document.querySelectorAll("[role=row] .thumb")].map((one) =>
          one.getBoundingClientRect(),
        );
        const [upper, lower] = boxes.sort((a, b) => a.top - b.top);
        return (lower?.top ?? 0) - (upper?.bottom ?? 0);
      });
    for (const viewport of [SIZES.desk, WIDE]) {
      await page.setViewportSize(viewport);
      await expect.poll(() => page.evaluate(() => innerWidth)).toBe(viewport.width);
      await expect.poll(gap).toBeGreaterThan(ROW_GAP_PIXELS);
    }
    await close();
  });

  it("does not run scripts in names and values", async () => {
    const hostile = `<img src=x onerror="document.title='run'"><script>document.title='run'</script>`;
    await call(space, "POST", "/models", {
      typeModel: "collections",
      name: "hostile",
      label: hostile,
      description: hostile,
      titleField: "title",
      fields: [
        { name: "title", type: "string", label: hostile, description: hostile },
        { name: "data", type: "json" },
        { name: "link", type: "string" },
      ],
    });
    const { id } = await call<{ id: string }>(space, "POST", "/data/collections/hostile", {
      title: hostile,
      data: { [hostile]: hostile, __proto__: { polluted: true } },
      link: "javascript:document.title='run'",
    });
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    for (const path of [
      "content",
      "models",
      "content/collections/hostile",
      `content/collections/hostile/${id}`,
    ]) {
      await page.goto(`/console/${space.name}/${path}`);
      await page.getByText("<img src=x").first().waitFor();
      expect(await page.locator("img[src=x], main script").count()).toBe(0);
    }
    expect(await page.title()).not.toBe("run");
    expect(faults).toEqual([]);
    await close();
  });
});
