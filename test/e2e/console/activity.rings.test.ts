/** The queue at work, and the variants of a picture, in the console. */
import type { Browser } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { newSpace, upload, type Space } from "../../../scripts/harness/api.ts";
import { articles, call } from "../../support/console/console-content.ts";
import { inspect, inBrowser, signIn, visit } from "../../support/console/console.ts";
import { photoJpeg } from "../../support/pictures/draw.ts";

const service = inject("service");
/** Makes a space without prebuilding: variants that no visitor asked for would be counted with those of the tests. */
const quietSpace = async (): Promise<Space> => {
  const space = await newSpace(service);
  await call(space, "PATCH", "/settings", { prebuild: "none" });
  return space;
};

inBrowser("builds in the console", (openBrowser) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it("shows the queue at work while builds are asked for", async () => {
    const space = await quietSpace();
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    await page.getByRole("link", { name: "Activity" }).click();
    for (const name of ["Light queue", "Heavy queue", "Builds", "Budget"])
      await page.getByRole("figure", { name }).waitFor();
    await page.getByText("Nothing built yet").waitFor();
    // Not before: the list of media, where a session begins, asks for a small variant of every picture.
    const { id } = await upload(space, await photoJpeg(1600, 1200), "queue.jpg");
    const widths = [64, 128, 236, 500];
    await Promise.all(widths.map((w) => fetch(`${space.api}/pictures/${id}/file?w=${w}&fm=webp`)));
    // The page looks again by itself.
    await expect
      .poll(() => page.getByRole("figure", { name: "Builds" }).textContent())
      .toContain("4 built, 0 failed");
    await expect
      .poll(() => page.getByRole("figure", { name: "Budget" }).textContent())
      .toContain("4 of 6,000");
    const row = page.getByRole("row", { name: "WebP, 500 wide" });
    expect(await row.textContent()).toContain("built");
    await row.getByText("queue.jpg").waitFor();
    expect(await inspect(page, "activity")).toEqual([]);
    await page.getByRole("link", { name: "WebP, 500 wide" }).click();
    await page.getByRole("heading", { name: "queue.jpg" }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("lists the variants of a picture with their bytes, and the records that name it", async () => {
    const space = await quietSpace();
    await articles(space);
    const media = await upload(space, await photoJpeg(1200, 800), "variants.jpg");
    await call(space, "POST", "/data/collections/articles", { title: "On light", cover: media.id });
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    await page.getByRole("link", { name: "variants.jpg" }).click();
    const table = page.getByRole("table", { name: "Variants" });
    await table.waitFor();
    await fetch(`${space.api}/pictures/${media.id}/file?w=128&fm=png`);
    const row = table.getByRole("row", { name: "PNG" });
    await expect.poll(() => row.textContent()).toMatch(/^12885PNG–[\d.]+ KB [\d.]+ %ready/);
    const file = await fetch(`${space.api}/pictures/${media.id}/file?w=128&fm=png`);
    const kilobytes = ((await file.arrayBuffer()).byteLength / 1024).toFixed(1).replace(".0", "");
    expect(await row.textContent()).toContain(`${kilobytes} KB`);
    expect(await inspect(page, "item-variants")).toEqual([]);
    await page.getByRole("link", { name: "On light" }).click();
    await page.getByRole("heading", { name: "On light" }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
