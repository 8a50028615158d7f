/** Media in the console: uploads, the wall, an item with its focal point and alt text, the playground. */
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, expect, inject, it } from "vitest";
import {
  bearer,
  json,
  newSpace,
  upload,
  type MediaObject,
  type Space,
} from "../../../../scripts/harness/api.ts";
import { inspect, inBrowser, signIn, SIZES, visit, type Visit } from "../../../support/console/console.ts";
import { photoJpeg } from "../../../support/pictures/draw.ts";

const service = inject("service");

interface Item extends MediaObject {
  alt: string;
  focalPoint: { x: number; y: number } | null;
}

inBrowser("media in the console", (openBrowser) => {
  let browser: Browser;
  let space: Space;
  beforeAll(async () => {
    browser = await openBrowser();
    space = await newSpace(service);
  });

  async function enter(): Promise<Visit & { page: Page }> {
    const visited = await visit(browser, service.base);
    await signIn(visited.page, space.name, space.key);
    return visited;
  }
  const items = async (): Promise<Item[]> =>
    json(await fetch(`${space.api}/media`, { headers: bearer(space.key) }));
  const item = async (id: string): Promise<Item> =>
    json(await fetch(`${space.api}/media/${id}`, { headers: bearer(space.key) }));

  it("uploads several files at once, with the progress of each, and says why one is refused", async () => {
    const { page, faults, close } = await enter();
    const photos = await Promise.all([photoJpeg(800, 600), photoJpeg(600, 800)]);
    await page
      .getByLabel("Upload files")
      .setInputFiles([
        ...photos.map((buffer, at) => ({ name: `photo ${at + 1}.jpg`, mimeType: "image/jpeg", buffer })),
        { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("not a picture") },
      ]);
    await expect.poll(() => page.getByRole("progressbar").count()).toBe(3);
    for (const name of ["photo 1.jpg", "photo 2.jpg"]) {
      await page.getByRole("link", { name }).waitFor();
      await expect
        .poll(() => page.getByRole("progressbar", { name }).getAttribute("aria-valuenow"))
        .toBe("100");
    }
    await page.getByText("This is not a JPEG, PNG, GIF, WebP, AVIF or SVG.").waitFor();
    expect(await page.getByRole("button", { name: "Try notes.txt again" }).count()).toBe(0);
    const stored = await items();
    expect(stored.map(({ filename }) => filename).sort()).toEqual(["photo 1.jpg", "photo 2.jpg"]);
    for (const photo of photos) expect(stored.map(({ size }) => size)).toContain(photo.length);
    expect(await inspect(page, "media")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("leaves the actions of a selection within reach on a phone while uploads are shown", async () => {
    const { id, filename } = await upload(space, await photoJpeg(300, 200), "reach.jpg");
    const { page, close } = await enter();
    await page.setViewportSize(SIZES.phone);
    const notes = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("not a picture") };
    await page.getByLabel("Upload files").setInputFiles([notes, { ...notes, name: "more.txt" }]);
    await page.getByText("2 files not uploaded").waitFor();
    await page.getByLabel(`Select ${filename}`).check();
    await page.getByRole("toolbar", { name: "Selected pictures" }).getByRole("button").first().click();
    await expect
      .poll(async () => (await fetch(`${space.api}/media/${id}`, { headers: bearer(space.key) })).status)
      .toBe(404);
    await close();
  });

  it("saves alt text and focal point by themselves", async () => {
    const { id, filename } = await upload(space, await photoJpeg(1200, 800), "shore.jpg");
    const { page, faults, close } = await enter();
    await page.getByRole("link", { name: filename }).click();
    await page.getByLabel("Alt text").fill("A lighthouse");
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Alt text saved");
    expect((await item(id)).alt).toBe("A lighthouse");

    const focal = page.getByRole("group", { name: "Focal point" });
    await focal.focus();
    for (const key of ["ArrowRight", "ArrowRight", "Shift+ArrowUp"]) await page.keyboard.press(key);
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Focal point saved");
    // On a slow machine each key rests long enough to be saved by itself.
    await expect.poll(async () => (await item(id)).focalPoint).toEqual({ x: 0.52, y: 0.4 });

    const box = await focal.locator(".focal-picture").boundingBox();
    if (!box) throw new Error("The picture has no place");
    await page.mouse.click(box.x + box.width / 4, box.y + (box.height * 3) / 4);
    await expect.poll(async () => (await item(id)).focalPoint).toEqual({ x: 0.25, y: 0.75 });
    expect(await inspect(page, "item")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("saves what was typed last when the page is left at once", async () => {
    const { id, filename } = await upload(space, await photoJpeg(300, 200), "left.jpg");
    const { page, close } = await enter();
    await page.getByRole("link", { name: filename }).click();
    await page.getByLabel("Alt text").fill("Gone before it rested");
    await page.getByRole("link", { name: "Settings" }).click();
    await expect.poll(async () => (await item(id)).alt).toBe("Gone before it rested");
    await close();
  });

  it("shows in the playground what a choice delivers, and the code for it", async () => {
    const { id, filename } = await upload(space, await photoJpeg(1600, 1200), "play.jpg");
    const { page, faults, close } = await enter();
    await page.getByRole("link", { name: filename }).click();
    await page.getByRole("tab", { name: "Playground" }).click();
    await page.getByLabel("Width").press("ControlOrMeta+a");
    await page.getByLabel("Width").pressSequentially("500");
    await page.getByLabel("Format").selectOption("webp");
    await page.getByLabel("Quality").selectOption("90");
    const status = page.getByRole("status");
    await expect
      .poll(() => status.textContent())
      .toMatch(/^(?:hit|built) WebP, [\d,]+ bytes .*ms, 500 pixels/);
    const preview = page.getByRole("img", { name: "Preview" });
    await expect
      .poll(() => preview.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]))
      .toEqual([500, 375]);
    const [, bytes = ""] = /([\d,]+) bytes/.exec((await status.textContent()) ?? "") ?? [];
    const direct = await fetch(`${space.api}/pictures/${id}/file?w=500&q=90&fm=webp`);
    expect((await direct.arrayBuffer()).byteLength).toBe(Number(bytes.replaceAll(",", "")));

    await page.getByRole("button", { name: "URL" }).click();
    const address = (await page.getByLabel("Snippet").textContent()) ?? "";
    const served = await fetch(address);
    expect(served.headers.get("Content-Type")).toBe("image/webp");
    expect(served.headers.get("Cache-Control")).toContain("immutable");
    expect((await sharp(Buffer.from(await served.arrayBuffer())).metadata()).width).toBe(500);

    await page.getByLabel("Compare with the master").check();
    await page.getByLabel("Divider").fill("30");
    expect(await inspect(page, "playground")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("renames, replaces and throws away", async () => {
    const { id, filename } = await upload(space, await photoJpeg(300, 200), "before.jpg");
    const { page, faults, close } = await enter();
    await page.getByRole("link", { name: filename }).click();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByLabel("File name").fill("after.jpg");
    await page.getByLabel("File name").press("Enter");
    await page.getByRole("heading", { name: "after.jpg" }).waitFor();
    const buffer = await photoJpeg(240, 240);
    await page
      .getByLabel("Replace the file")
      .setInputFiles({ name: "new.jpg", mimeType: "image/jpeg", buffer });
    await expect.poll(async () => (await item(id)).masterVersion).toBe(2);
    await page.getByText("240 × 240").waitFor();
    await page.getByRole("button", { name: "Move to trash" }).click();
    await page.getByRole("heading", { name: "Media" }).waitFor();
    expect((await items()).map((one) => one.id)).not.toContain(id);
    expect(faults).toEqual([]);
    await close();
  });

  it("selects several and throws them away together", async () => {
    const own = await newSpace(service);
    for (const name of ["a.jpg", "b.jpg", "c.jpg"]) await upload(own, await photoJpeg(300, 200), name);
    const { page, close } = await visit(browser, service.base);
    await signIn(page, own.name, own.key);
    await page.getByLabel("Select a.jpg").check();
    await page.getByLabel("Select c.jpg").check();
    await page.getByRole("button", { name: "Move to trash" }).click();
    await expect.poll(() => page.getByRole("link", { name: /\.jpg$/ }).allTextContents()).toEqual(["b.jpg"]);
    await close();
  });

  it("searches, narrows down and sorts, and finds the same by its address", async () => {
    const own = await newSpace(service);
    for (const name of ["b-sea.jpg", "a-hills.jpg", "c-sea.jpg"])
      await upload(own, await photoJpeg(300, 200), name);
    await upload(
      own,
      await sharp(await photoJpeg(200, 200))
        .png()
        .toBuffer(),
      "sea.png",
    );
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, own.name, own.key);
    const names = (): Promise<string[]> =>
      page.getByRole("list", { name: "Pictures" }).getByRole("link").allTextContents();
    await expect.poll(names).toEqual(["sea.png", "c-sea.jpg", "a-hills.jpg", "b-sea.jpg"]);
    await page.getByLabel("Order").selectOption("By name");
    await expect.poll(names).toEqual(["a-hills.jpg", "b-sea.jpg", "c-sea.jpg", "sea.png"]);
    await page.getByLabel("Search pictures").fill("SEA");
    await expect.poll(names).toEqual(["b-sea.jpg", "c-sea.jpg", "sea.png"]);
    await page.getByLabel("Kind").selectOption("JPEG");
    await expect.poll(names).toEqual(["b-sea.jpg", "c-sea.jpg"]);
    await page.reload();
    await expect.poll(names).toEqual(["b-sea.jpg", "c-sea.jpg"]);
    await page.getByLabel("Search pictures").fill("nothing like it");
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(async () => (await names()).length).toBe(4);
    expect(faults).toEqual([]);
    await close();
  });

  it("offers nothing to change to a key that reads", async () => {
    const { key } = await json<{ key: string }>(
      await fetch(`${space.api}/keys`, {
        method: "POST",
        headers: { ...bearer(space.key), "Content-Type": "application/json" },
        body: JSON.stringify({ name: "reader", role: "read" }),
      }),
    );
    await upload(space, await photoJpeg(300, 200), "read.jpg");
    const { page, close } = await visit(browser, service.base);
    await signIn(page, space.name, key);
    await page.getByRole("link", { name: "read.jpg" }).click();
    await page.getByLabel("Alt text").waitFor();
    expect(await page.getByLabel("Alt text").getAttribute("readonly")).not.toBeNull();
    expect(await page.getByRole("button", { name: "Move to trash" }).count()).toBe(0);
    await page.getByRole("link", { name: "Media" }).click();
    await page.getByRole("link", { name: "read.jpg" }).waitFor();
    expect(await page.getByLabel("Upload files").count()).toBe(0);
    await close();
  });
});
