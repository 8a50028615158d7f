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

    // Publishing asks for the required fields.
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

  it("publishes no draft that its editor has not seen", async () => {
    const space = await newSpace(service);
    const fields = [{ name: "title", type: "string" }];
    await call(space, "POST", "/models", { typeModel: "collections", name: "posts", drafts: true, fields });
    const { id } = await call<{ id: string }>(space, "POST", LIST, { title: "Seen" });
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, `content/collections/posts/${id}`);
    await page.getByRole("button", { name: "Publish" }).waitFor();
    await call(space, "PATCH", `${LIST}/${id}`, { title: "Unseen" });
    await page.getByRole("button", { name: "Publish" }).click();
    const conflict = page.getByRole("dialog", { name: "Conflict" });
    await conflict.getByText("Unseen").waitFor();
    expect(await call<object[]>(space, "GET", LIST)).toEqual([]);
    expect(await inspect(page, "publish-conflict")).toEqual([]);
    await conflict.getByRole("button", { name: "Save this" }).click();
    await expect.poll(() => page.getByLabel("title").inputValue()).toBe("Unseen");
    await page.getByRole("button", { name: "Publish" }).click();
    await expect.poll(() => call<object[]>(space, "GET", LIST)).toMatchObject([{ title: "Unseen" }]);
    expect(faults).toEqual([]);
    await close();
  });

  it("keeps what is typed while it compares a newer version, and publishes the version that was seen", async () => {
    const space = await newSpace(service);
    const fields = [{ name: "title", type: "string" }];
    await call(space, "POST", "/models", { typeModel: "collections", name: "posts", drafts: true, fields });
    const { id } = await call<{ id: string }>(space, "POST", LIST, { title: "Seen" });
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, `content/collections/posts/${id}`);
    await page.getByRole("button", { name: "Publish" }).waitFor();
    // A newer version has the same values.
    for (const title of ["Other", "Seen"]) await call(space, "PATCH", `${LIST}/${id}`, { title });
    let answer: () => void = () => undefined;
    const isAsked = new Promise<void>((asked) => {
      void page.route(
        new RegExp(`/posts/${id}(?:\\?|$)`),
        async (route) => {
          const held = new Promise<void>((go) => (answer = go));
          asked();
          await held;
          await route.continue();
        },
        { times: 1 },
      );
    });
    await page.getByRole("button", { name: "Publish" }).click();
    await isAsked;
    await page.getByLabel("title").fill("Typed meanwhile");
    answer();
    await expect.poll(() => call<object[]>(space, "GET", LIST)).toMatchObject([{ title: "Seen" }]);
    await page.getByText("Not saved yet").waitFor();
    expect(await page.getByLabel("title").inputValue()).toBe("Typed meanwhile");
    expect(faults).toEqual([]);
    await close();
  });

  it("shows the faults of a save in place of an older refusal to publish, and neither once they are over", async () => {
    const space = await newSpace(service);
    const fields = [
      { name: "title", type: "string", maxLength: 10 },
      { name: "lead", type: "string", required: true },
    ];
    await call(space, "POST", "/models", { typeModel: "collections", name: "posts", drafts: true, fields });
    const { id } = await call<{ id: string }>(space, "POST", LIST, { title: "Short" });
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, `content/collections/posts/${id}`);
    const alert = page.getByRole("alert");
    const publish = (): Promise<void> => page.getByRole("button", { name: "Publish" }).click();
    const save = async (title: string): Promise<void> => {
      await page.getByLabel("title").fill(title);
      await page.getByRole("button", { name: "Save" }).click();
    };
    await publish();
    await alert.getByText("Not published: lead").waitFor();
    await save("Longer than ten");
    await alert.getByText("Not saved: one field").waitFor();
    expect(await alert.getByText("Not published").count()).toBe(0);
    // The value that was refused is taken back, and a later refusal to publish is shown.
    await page.getByLabel("title").fill("Short");
    await alert.getByText("Not saved").waitFor({ state: "hidden" });
    await publish();
    await alert.getByText("Not published: lead").waitFor();
    // A good save is about other content than the refusal.
    await save("Other");
    await alert.getByText("Not published").waitFor({ state: "hidden" });
    await page.getByText("Saved", { exact: true }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("says why a new record is saved and not published", async () => {
    const space = await newSpace(service);
    const fields = [
      { name: "title", type: "string" },
      { name: "lead", type: "string", required: true },
    ];
    await call(space, "POST", "/models", { typeModel: "collections", name: "posts", drafts: true, fields });
    const { page, faults, close } = await visit(browser, service.base);
    await signIn(page, space.name, space.key, "content/collections/posts/new");
    await page.getByLabel("title").fill("On light");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("alert").getByText("Not published: lead").waitFor();
    await page.getByRole("heading", { name: "On light" }).waitFor();
    expect(await call<object[]>(space, "GET", LIST)).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });
});
