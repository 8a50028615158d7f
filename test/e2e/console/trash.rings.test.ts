/** The trash and the keys in the console. */
import type { Browser } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { bearer, newSpace, upload } from "../../../scripts/harness/api.ts";
import { articles, call } from "../../support/console/console-content.ts";
import { inspect, inBrowser, signIn, visit } from "../../support/console/console.ts";
import { photoJpeg } from "../../support/pictures/draw.ts";

const service = inject("service");

inBrowser("trash and keys in the console", (openBrowser) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it("shows what was thrown away, puts it back, and removes it for good", async () => {
    const space = await newSpace(service);
    await articles(space);
    const cover = await upload(space, await photoJpeg(300, 200), "cliff.jpg");
    const { id } = await call<{ id: string }>(space, "POST", "/data/collections/articles", {
      title: "On light",
      body: "It falls.",
      written: "2026-07-01T09:30:00Z",
      cover: cover.id,
    });
    const media = await upload(space, await photoJpeg(300, 200), "beach.jpg");
    await call(space, "DELETE", `/data/collections/articles/${id}`);
    await call(space, "DELETE", `/media/${media.id}`);
    const { page, faults, close } = await visit(browser, service.base, { timezoneId: "Europe/Zurich" });
    await signIn(page, space.name, space.key);
    await page.getByRole("link", { name: "Trash" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Restore" }).count()).toBe(2);
    expect(await inspect(page, "trash")).toEqual([]);

    await page.getByRole("button", { name: "On light" }).click();
    const dialog = page.getByRole("dialog", { name: "On light" });
    await dialog.getByText("It falls.").waitFor();
    await dialog.getByText("cliff.jpg").waitFor();
    await dialog.getByText("Jul 1, 2026, 11:30 AM").waitFor();
    expect(await dialog.textContent()).toMatch(
      /Thrown away (?:now|\S+ minutes? ago), removed for good in \d+ days\./,
    );
    // Neither a date as the API writes it nor what only programs read.
    expect(await dialog.textContent()).not.toMatch(/\d{4}-\d{2}-\d{2}T/);
    expect(await dialog.textContent()).not.toContain(cover.id);
    expect(await inspect(page, "trash-entry")).toEqual([]);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("tab", { name: "Records" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Restore" }).count()).toBe(1);
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByText("No records in the trash").waitFor();
    expect(await call(space, "GET", `/data/collections/articles/${id}`)).toMatchObject({ body: "It falls." });

    await page.getByRole("tab", { name: "Pictures" }).click();
    let letThrough = (): void => undefined;
    const held = new Promise<void>((resolve) => (letThrough = resolve));
    await page.route("**/trash/*", async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("button", { name: "beach.jpg" }).click();
    const remove = page.getByRole("button", { name: "Remove for good" });
    expect(await remove.isDisabled()).toBe(true);
    letThrough();
    await remove.click();
    await page.getByRole("button", { name: "Yes, for good" }).click();
    await page.getByText("No pictures in the trash").waitFor();
    expect(await call<object[]>(space, "GET", "/trash")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("makes a key that is shown once and works, and revokes it", async () => {
    const space = await newSpace(service);
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Key name").fill("website");
    await page.getByRole("radio", { name: "write" }).check();
    await page.getByRole("button", { name: "Create key" }).click();
    const secret = await page.getByLabel("New key").inputValue();
    const self = (key: string): Promise<Response> =>
      fetch(`${space.api}/keys/self`, { headers: bearer(key) });
    expect(await (await self(secret)).json()).toMatchObject({ data: { name: "website", role: "write" } });
    expect(await inspect(page, "key-made")).toEqual([]);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("website").waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(await inspect(page, "keys")).toEqual([]);

    await page.getByRole("button", { name: "Revoke website" }).click();
    await page.getByRole("button", { name: "Yes, revoke" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Revoke website" }).count()).toBe(0);
    expect((await self(secret)).status).toBe(401);
    expect(faults).toEqual([]);
    await close();
  });
});
