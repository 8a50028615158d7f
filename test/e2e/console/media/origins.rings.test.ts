/** Pictures of other servers in the console: the setting, its faults, and what was fetched. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { newSpace } from "../../../../scripts/harness/api.ts";
import { call } from "../../../support/console/console-content.ts";
import { inBrowser, inspect, signIn, visit } from "../../../support/console/console.ts";
import { photoJpeg } from "../../../support/pictures/draw.ts";
import { OriginServer } from "../../../support/remote/origin-server.ts";

const service = inject("service");

inBrowser("other servers in the console", (openBrowser) => {
  let browser: Browser;
  let server: OriginServer;
  beforeAll(async () => {
    browser = await openBrowser();
    server = (await OriginServer.start()).file("/a.jpg", await photoJpeg(300, 200));
  });
  afterAll(() => server.stop());

  it("adds an origin, says the fault of another, counts fetches and failures, and removes it again", async () => {
    const space = await newSpace(service);
    const read = (): Promise<unknown> => call(space, "GET", "/settings");
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "settings");
    const card = page.getByRole("region", { name: "Other servers" });
    const entry = card.getByLabel("Another origin");
    await entry.fill(server.base);
    await entry.press("Enter");
    await expect.poll(read).toMatchObject({ origins: [server.base] });

    await entry.fill("https://10.0.0.1");
    await card.getByRole("button", { name: "Allow" }).click();
    await card.getByText(/must be https:\/\/host/).waitFor();
    expect(await entry.getAttribute("aria-invalid")).toBe("true");
    expect(await inspect(page, "settings-origin-fault")).toEqual([]);
    await entry.fill("https://pictures.example.com/shop/");
    expect(await entry.getAttribute("aria-invalid")).toBeNull();
    await entry.press("Enter");
    await expect.poll(read).toMatchObject({ origins: [server.base, "https://pictures.example.com/shop/"] });
    await card.getByRole("button", { name: "https://pictures.example.com/shop/ up" }).click();
    await expect.poll(read).toMatchObject({ origins: ["https://pictures.example.com/shop/", server.base] });

    for (const path of ["/a.jpg", "/none.jpg"]) {
      const url = encodeURIComponent(server.url(path));
      const asked = await fetch(`${space.api}/remote?w=100&url=${url}`, { redirect: "manual" });
      expect(asked.headers.get("X-Service-Transform")).toBe("queued");
    }
    await expect
      .poll(() => call(space, "GET", "/origins"))
      .toMatchObject({ fetches: [{}, {}], waiting: 0, running: 0 });
    await page.reload();
    const row = card
      .getByRole("row")
      .filter({ has: page.getByRole("button", { name: `Remove ${server.base}` }) });
    await expect
      .poll(() => row.getByRole("cell").allTextContents())
      .toMatchObject({ 1: "1", 3: "1", 4: "1" });
    await card.getByText("the origin answers 404").waitFor();
    await card.getByRole("cell", { name: server.url("/a.jpg") }).waitFor();
    expect(await inspect(page, "settings-origins")).toEqual([]);

    await row.getByRole("button", { name: `Remove ${server.base}` }).click();
    const dialog = page.getByRole("dialog", { name: `Remove ${server.base}?` });
    await dialog.getByText("1 fetched file stays").waitFor();
    await dialog.getByRole("button", { name: "Remove origin" }).click();
    await expect.poll(read).toMatchObject({ origins: ["https://pictures.example.com/shop/"] });
    await card.getByText("not served").waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
