/** The frame of the console: the way in and out, the navigation, the themes. */
import { randomUUID } from "node:crypto";
import type { Browser, Locator } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { newSpace } from "../../../scripts/harness/api.ts";
import { call } from "../../support/console/console-content.ts";
import { site } from "../../support/console/console-site.ts";
import { inspect, inBrowser, signIn, signInByForm, SIZES, visit } from "../../support/console/console.ts";

const service = inject("service");
/** RULES 1.1. */
const NAME_MAX_CHARACTERS = 63;
/** More than WCAG 2.2's 24 (2.5.8), and as much as a line of the page leaves room for. */
const THUMB_PIXELS = 36;
/** The size that is close enough to a fingertip's width for hitting it. */
const FINGER_PIXELS = 44;
/** The least of WCAG 2.2 (2.5.8). */
const POINTER_PIXELS = 24;
const PLACES = ["Media", "Content", "Models", "Trash", "Keys", "Webhooks", "Settings", "Activity"];

inBrowser("the console's frame", (openBrowser, browserName) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  it("refuses an unknown key and an unknown space in words", async () => {
    const space = await newSpace(service);
    const { page, faults, close } = await visit(browser, service.base);
    await page.goto("/console");
    await page.getByLabel("Space").fill(space.name);
    await page.getByLabel("Key").fill("nonsense");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("not known");
    await page.getByLabel("Space").fill("nowhere");
    await page.getByLabel("Key").fill(space.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("no such space");
    expect(await inspect(page, "sign-in")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("signs in, keeps the key in this tab alone, and signs out (RULES 11.2)", async () => {
    const space = await newSpace(service);
    const { page, faults, close } = await visit(browser, service.base);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await signInByForm(page, space.name, space.key);
    for (const name of PLACES) expect(await page.getByRole("link", { name }).count()).toBe(1);
    await page.reload();
    await page.getByRole("link", { name: "Media" }).waitFor();

    // The first page's answers and pictures are there, and its fonts.
    await page.getByRole("heading", { name: "No pictures yet" }).waitFor();
    expect(asked.filter((url) => url.includes(space.key))).toEqual([]);
    // Letters beyond Western Europe's have fonts of their own, which no page asks for in vain.
    expect(asked.filter((url) => url.includes("latin-ext"))).toEqual([]);
    expect(page.url()).not.toContain(space.key);
    const kept = await page.evaluate(() => JSON.stringify([Object.entries(localStorage), document.cookie]));
    expect(kept).not.toContain(space.key);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("button", { name: "Sign in" }).waitFor();
    await other.close();

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain(
      space.key,
    );
    expect(faults).toEqual([]);
    await close();
  });

  it("takes the root token, and opens the address that was asked for once signed in", async () => {
    const space = await newSpace(service);
    const { page, close } = await visit(browser, service.base);
    await page.goto(`/console/${space.name}/settings`);
    await expect.poll(() => page.getByLabel("Space").inputValue()).toBe(space.name);
    await page.getByLabel("Key").fill(service.rootToken);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await close();
  });

  it("ends the session when its key is revoked", async () => {
    const space = await newSpace(service);
    const { page, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    const headers = { Authorization: `Bearer ${space.key}` };
    const self = (await (await fetch(`${space.api}/keys/self`, { headers })).json()) as {
      data: { id: string };
    };
    await fetch(`${space.api}/keys/${self.data.id}`, { method: "DELETE", headers });
    // A page that was not seen yet asks the service. A reload would lose the reason.
    await page.evaluate((path) => {
      history.pushState(null, "", path);
    }, `/console/${space.name}/media/01J00000000000000000000000`);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await page.getByText("has ended. Sign in again.").waitFor();
    await close();
  });

  it("keeps what was typed when its session ends, and goes on with it after the next sign-in", async () => {
    const space = await newSpace(service);
    const fields = [{ name: "title", type: "string" }];
    await call(space, "POST", "/models", { typeModel: "collections", name: "posts", fields });
    const { id } = await call<{ id: string }>(space, "POST", "/data/collections/posts", { title: "Old" });
    const keyOf = (name: string) =>
      call<{ id: string; key: string }>(space, "POST", "/keys", { name, role: "write" });
    const [first, next, other] = [await keyOf("Ada"), await keyOf("Ada"), await keyOf("Grace")];
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, first.key, `content/collections/posts/${id}`);
    await page.getByLabel("title").fill("New");
    await call(space, "DELETE", `/keys/${first.id}`);
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem("silverprint.session"))).toBe(null);
    expect(await inspect(page, "sign-in-again")).toEqual([]);

    // Another person's key is asked about first, because it would end the form.
    const enter = async (key: string): Promise<void> => {
      await dialog.getByLabel("Key").fill(key);
      await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
    };
    await enter(other.key);
    await page
      .getByRole("dialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay" })
      .click();
    expect(await page.getByLabel("title").inputValue()).toBe("New");
    await enter(next.key);
    await dialog.waitFor({ state: "detached" });
    const titleOf = async (): Promise<unknown> =>
      (await call<{ title: string }>(space, "GET", `/data/collections/posts/${id}`)).title;
    await expect.poll(titleOf).toBe("New");
    await page.getByText("Saved", { exact: true }).first().waitFor();

    await page.getByLabel("title").fill("Newer");
    await call(space, "DELETE", `/keys/${next.id}`);
    // By the keyboard: the page is read anew with the next key, and its dialog may stand above the button already.
    await page.keyboard.press("Control+s");
    await enter(other.key);
    await page
      .getByRole("dialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Leave" })
      .click();
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => page.getByLabel("title").inputValue()).toBe("New");
    expect(await titleOf()).toBe("New");

    // Signing out asks, too.
    await page.getByLabel("title").fill("Newest");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page
      .getByRole("dialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Leave" })
      .click();
    await page.getByLabel("Space").waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("changes settings, which are saved by themselves", async () => {
    const space = await newSpace(service);
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Quality").selectOption("95");
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Saved");
    const answer = await fetch(`${space.api}/settings`, {
      headers: { Authorization: `Bearer ${space.key}` },
    });
    expect(await answer.json()).toMatchObject({ data: { quality: 95 } });
    expect(await page.getByLabel("Build ahead").count()).toBe(1);
    await page.getByLabel("Aspect ratios").fill("1:1, wide");
    await page.getByLabel("Aspect ratios").press("Enter");
    await expect.poll(() => page.getByLabel("Aspect ratios").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Aspect ratios").fill("1:1, 16:9");
    await page.getByRole("heading", { name: "Settings" }).click();
    await expect.poll(() => page.getByLabel("Aspect ratios").inputValue()).toBe("1:1 16:9");
    await expect.poll(() => page.getByLabel("Aspect ratios").getAttribute("aria-invalid")).toBe(null);
    expect(await inspect(page, "settings")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("has room for a thumb on what is small", async () => {
    const space = await newSpace(service);
    const { page, close } = await visit(browser, service.base, { viewport: SIZES.phone });
    await signIn(page, space.name, space.key, "trash");
    /** Returns how many CSS pixels around its middle take a press of it. */
    const room = (part: Locator): Promise<number[]> =>
      part.evaluate((part) => {
        const { left, top, width, height } = part.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const takes = (x: number, y: number): boolean => part.contains(document.elementFromPoint(x, y));
        const reach = (dx: number, dy: number): number => {
          let steps = 0;
          while (takes(x + dx * (steps + 1), y + dy * (steps + 1))) steps++;
          return steps;
        };
        return [reach(-1, 0) + reach(1, 0), reach(0, -1) + reach(0, 1)];
      });
    await expect
      .poll(async () => (await room(page.getByRole("tab", { name: "All" })))[0])
      .toBeGreaterThanOrEqual(THUMB_PIXELS);
    await page.goto(`/console/${space.name}/models/new`);
    await expect
      .poll(async () => (await room(page.getByRole("link", { name: "Back" })))[1])
      .toBeGreaterThanOrEqual(THUMB_PIXELS);
    await close();
  });

  it("switches a box by the whole row of its label", async () => {
    const space = await newSpace(service);
    // Firefox's driver knows no fingers.
    const isTouched = browserName === "chromium";
    const { page, close } = await visit(browser, service.base, {
      viewport: SIZES.phone,
      ...(isTouched && { hasTouch: true }),
    });
    await signIn(page, space.name, space.key, "settings");
    const box = page.getByLabel("Compression");
    /**
     * Returns the heights, in CSS pixels, of the parts that switch the box: in its middle, and at the end of its row.
     */
    const heights = (): Promise<number[]> =>
      box.evaluate((box) => {
        const { left, top, width, height } = box.getBoundingClientRect();
        const end = box.parentElement?.getBoundingClientRect().right ?? 0;
        const switches = (x: number, y: number): boolean => {
          const at = document.elementFromPoint(x, y);
          return at === box || at?.closest("label")?.control === box;
        };
        return [left + width / 2, end - 1].map((x) => {
          const middle = top + height / 2;
          let [above, below] = [0, 0];
          while (switches(x, middle - above - 1)) above++;
          while (switches(x, middle + below + 1)) below++;
          return above + below;
        });
      });
    const least = isTouched ? FINGER_PIXELS : POINTER_PIXELS;
    await expect.poll(async () => Math.min(...(await heights()))).toBeGreaterThanOrEqual(least);
    const wasOn = await box.isChecked();
    // The label takes presses of what stands below it.
    await page.getByText("Without it, the links ask for quality 100.").click({ force: true });
    await expect.poll(() => box.isChecked()).toBe(!wasOn);
    await close();
  });

  it("gives the chips of what may be added the height of a finger", async () => {
    const space = await newSpace(service);
    await site(space);
    // Firefox's driver knows no fingers.
    const isTouched = browserName === "chromium";
    const { page, close } = await visit(browser, service.base, {
      viewport: SIZES.phone,
      ...(isTouched && { hasTouch: true }),
    });
    const least = isTouched ? FINGER_PIXELS : POINTER_PIXELS;
    /** Returns the heights of the buttons in CSS pixels, from the lowest up. */
    const heights = (buttons: Locator): Promise<number[]> =>
      buttons.evaluateAll((all) =>
        all.map((button) => button.getBoundingClientRect().height).sort((a, b) => a - b),
      );
    await signIn(page, space.name, space.key, "models/new");
    const types = page.getByRole("group", { name: "Add a field" }).getByRole("button");
    await types.first().waitFor();
    await expect.poll(async () => (await heights(types))[0]).toBeGreaterThanOrEqual(least);
    await page.goto(`/console/${space.name}/content/collections/sheets/new`);
    const blocks = page.getByRole("button", { name: /^Add (?:Hero|Quote)$/ });
    await blocks.first().waitFor();
    await expect.poll(async () => (await heights(blocks))[0]).toBeGreaterThanOrEqual(least);
    await close();
  });

  it("lets a finger hit buttons that look smaller", async () => {
    const space = await newSpace(service);
    await site(space);
    // Firefox's driver knows no fingers.
    const isTouched = browserName === "chromium";
    const { page, close } = await visit(browser, service.base, {
      viewport: SIZES.phone,
      ...(isTouched && { hasTouch: true }),
    });
    const least = isTouched ? FINGER_PIXELS : POINTER_PIXELS;
    /** Returns the height, in CSS pixels, of what a press reaches the first of the buttons by, in its middle. */
    const reach = async (buttons: Locator): Promise<number> => {
      const button = buttons.first();
      await button.scrollIntoViewIfNeeded();
      return button.evaluate((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        const isHit = (y: number): boolean => button.contains(document.elementFromPoint(left + width / 2, y));
        const middle = top + height / 2;
        let [above, below] = [0, 0];
        while (isHit(middle - above - 0.5)) above++;
        while (isHit(middle + below + 0.5)) below++;
        return above + below;
      });
    };
    await signIn(page, space.name, space.key, "audit");
    const small = page.getByRole("button", { name: /^Only this: / });
    await small.first().waitFor();
    await expect.poll(() => reach(small)).toBeGreaterThanOrEqual(least);
    await page.goto(`/console/${space.name}/models/collections/sheets`);
    const icon = page.getByRole("button", { name: /^Move .* down$/ });
    await icon.first().waitFor();
    await expect.poll(() => reach(icon)).toBeGreaterThanOrEqual(least);
    await close();
  });

  it("leads to the API reference on a phone too", async () => {
    const space = await newSpace(service);
    const { page, close } = await visit(browser, service.base, { viewport: SIZES.phone });
    await signIn(page, space.name, space.key);
    await page.getByRole("link", { name: "API reference" }).click();
    await page.waitForURL("**/docs", { waitUntil: "commit" });
    await close();
  });

  it("has room beside the longest name of a space", async () => {
    const id = randomUUID();
    const space = await newSpace(service, { name: "m".repeat(NAME_MAX_CHARACTERS - id.length) + id });
    const { page, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "settings");
    await page.getByLabel("Quality").waitFor();
    expect(await inspect(page, "long-name")).toEqual([]);
    await close();
  });

  it("goes by keyboard alone: past the navigation, and through the themes", async () => {
    const space = await newSpace(service);
    const { page, close } = await visit(browser, service.base, { colorScheme: "light" });
    await signIn(page, space.name, space.key, "settings");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
    const paper = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await paper();
    await page.getByRole("button", { name: "Theme" }).press("Enter");
    await page.getByRole("button", { name: "Theme" }).press("Enter");
    await expect.poll(paper).not.toBe(light);
    await page.reload();
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    expect(await paper()).not.toBe(light);
    await close();
  });
});
