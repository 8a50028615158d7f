/** Records in the console: written in a form, guarded against loss, put together when two have changed one. */
import type { Browser, Page } from "playwright-core";
import { beforeAll, beforeEach, expect, inject, it } from "vitest";
import { newSpace, upload, type Space } from "../../../scripts/harness/api.ts";
import { articles, call } from "../../support/console/console-content.ts";
import { inspect, inBrowser, signIn, visit, type Visit } from "../../support/console/console.ts";
import { photoJpeg } from "../../support/pictures/draw.ts";

const service = inject("service");
const LIST = "/data/collections/articles";

type Article = Record<string, unknown> & { id: string; version: number };

/** Types a number over another one. `fill` of Firefox's driver writes behind it. */
async function typeOver(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label).selectText();
  await page.keyboard.type(text);
}

/** Collects the bodies of the changes that the page sends from now on. Firefox's driver tells of none. */
async function bodiesOf(page: Page): Promise<() => Promise<unknown[]>> {
  await page.evaluate(() => {
    const send = fetch;
    const bodies: unknown[] = [];
    globalThis.fetch = async (...asked) => {
      const request = new Request(...asked);
      if (request.method === "PUT") bodies.push(await request.clone().json());
      return send(request);
    };
    Object.assign(globalThis, { bodies });
  });
  return () => page.evaluate(() => (globalThis as unknown as { bodies: unknown[] }).bodies);
}

inBrowser("records in the console", (openBrowser) => {
  let browser: Browser;
  let space: Space;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    space = await newSpace(service);
    await articles(space);
  });

  const send = <T>(method: string, path: string, body?: object): Promise<T> =>
    call(space, method, path, body);
  async function enter(path?: string): Promise<Visit & { page: Page }> {
    const visited = await visit(browser, service.base, { timezoneId: "Europe/Zurich" });
    await signIn(visited.page, space.name, space.key, path);
    return visited;
  }

  it("writes a record by one labelled control per field", async () => {
    await upload(space, await photoJpeg(600, 400), "lighthouse.jpg");
    const ada = await send<Article>("POST", "/data/collections/authors", { name: "Ada" });
    const other = await send<Article>("POST", LIST, { title: "On stone" });
    const { page, faults, close } = await enter();
    await page.getByRole("link", { name: "Content" }).click();
    await page.getByRole("link", { name: "articles" }).click();
    await page.getByRole("button", { name: "New record" }).click();
    await page.getByLabel("title").fill("On light");
    await page.getByLabel("body").fill("# Light\n\nIt falls.");
    await page.getByLabel("minutes").fill("7");
    await page.getByLabel("featured").check();
    await page.getByLabel("written").fill("2026-07-01T09:30");
    await page.getByLabel("mood").selectOption("calm");
    await page.getByLabel("cover").click();
    await page.getByRole("button", { name: "lighthouse.jpg" }).click();
    await page.getByLabel("author").click();
    await page.getByRole("button", { name: "Ada" }).click();
    await page.getByLabel("related").click();
    await page.getByRole("button", { name: "On stone" }).click();
    await page.getByRole("button", { name: "Take 1" }).click();
    await page.getByLabel("extra").fill('{"a": [1, 2]}');
    await page.getByRole("button", { name: "Take out lighthouse.jpg" }).waitFor();
    await page.getByRole("button", { name: "Take out Ada" }).waitFor();
    expect(await inspect(page, "record")).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "On light" }).waitFor();

    const [stored] = await send<Article[]>("GET", `${LIST}?filter[title][eq]=On%20light&populate=cover`);
    expect(stored).toMatchObject({
      title: "On light",
      body: "# Light\n\nIt falls.",
      minutes: 7,
      featured: true,
      written: "2026-07-01T07:30:00.000Z",
      mood: "calm",
      cover: { filename: "lighthouse.jpg" },
      author: ada.id,
      related: [other.id],
      extra: { a: [1, 2] },
    });
    expect(page.url()).toContain(String(stored?.id));
    expect(faults).toEqual([]);
    await close();
  });

  it("keeps what is typed while a new record is stored for the first time (RULES 11.3)", async () => {
    const { page, faults, close } = await enter("content/collections/articles/new");
    let answer: () => void = () => undefined;
    const isAsked = new Promise<void>((asked) => {
      void page.route(
        (url) => url.pathname.endsWith(LIST),
        async (route) => {
          if (route.request().method() !== "POST") return route.fallback();
          const held = new Promise<void>((go) => (answer = go));
          asked();
          await held;
          return route.continue();
        },
      );
    });
    await page.getByLabel("title").fill("On light");
    await page.keyboard.press("Control+s");
    await isAsked;
    await page.getByLabel("body").pressSequentially("It falls");
    answer();
    await page.waitForURL(/articles\/(?!new)/);
    await page.getByRole("heading", { name: "On light" }).waitFor();
    await page.keyboard.type(" down.");
    expect(await page.getByLabel("body").inputValue()).toBe("It falls down.");
    await page.getByText("Not saved yet").waitFor();
    // The typed text is held like any change.
    await page.getByRole("link", { name: "Media" }).click();
    await page.getByRole("button", { name: "Stay" }).click();
    await page.keyboard.press("Control+s");
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Saved");
    const [stored] = await send<Article[]>("GET", LIST);
    expect(stored).toMatchObject({ title: "On light", body: "It falls down.", version: 2 });

    // The next new record has a form of its own, and the way back leads to the stored one.
    await page.getByRole("link", { name: "Back" }).click();
    await page.getByRole("button", { name: "New record" }).click();
    await page.getByRole("heading", { name: "New record" }).waitFor();
    expect(await page.getByLabel("title").inputValue()).toBe("");
    expect(await page.getByLabel("body").inputValue()).toBe("");
    expect(faults).toEqual([]);
    await close();
  });

  it("sends what changed alone, and clears what is emptied", async () => {
    const { id } = await send<Article>("POST", LIST, { title: "One", body: "Two", minutes: 3 });
    const { page, close } = await enter(`content/collections/articles/${id}`);
    await page.getByLabel("body").fill("");
    const sent = await bodiesOf(page);
    await page.keyboard.press("Control+s");
    await expect.poll(sent).toEqual([{ body: null, version: 1 }]);
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Saved");
    await expect.poll(() => page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    expect(await send("GET", `${LIST}/${id}`)).toMatchObject({ body: null, minutes: 3, version: 2 });
    await close();
  });

  it("says beside each control what the service found wrong, in its words", async () => {
    await send("POST", LIST, { title: "Taken" });
    const { page, close } = await enter("content/collections/articles/new");
    await page.getByLabel("minutes").fill("0.5");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("must be a whole number").waitFor();
    expect(await page.getByLabel("title").getAttribute("aria-invalid")).toBe("true");
    await typeOver(page, "minutes", "5");
    await page.getByLabel("title").fill("Fine");
    await page.getByLabel("extra").fill("{");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("is not JSON").waitFor();
    expect(await inspect(page, "record-faults")).toEqual([]);
    await page.getByLabel("extra").fill("");
    await page.getByLabel("title").fill("Taken");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("must be unique").waitFor();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("title").fill("Free");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Free" }).waitFor();
    await close();
  });

  it("shows both sides of a conflict, and saves what was chosen of each (RULES 11.3)", async () => {
    const { id } = await send<Article>("POST", LIST, { title: "Old", body: "Old body", minutes: 1 });
    const { page, faults, close } = await enter(`content/collections/articles/${id}`);
    await page.getByLabel("title").fill("Mine");
    await typeOver(page, "minutes", "2");
    await send("PUT", `${LIST}/${id}`, { title: "Theirs", body: "Their body" });
    await page.getByRole("button", { name: "Save" }).click();
    const dialog = page.getByRole("dialog", { name: "Conflict" });
    await dialog.getByText("changed by both").waitFor();
    expect(await inspect(page, "record-conflict")).toEqual([]);
    expect(await send("GET", `${LIST}/${id}`)).toMatchObject({ title: "Theirs", minutes: 1, version: 2 });
    await dialog.getByRole("group", { name: "title" }).getByLabel("Theirs").check();
    await dialog.getByRole("button", { name: "Save this" }).click();
    await dialog.waitFor({ state: "detached" });
    // Only one side changed these: both changes stay.
    expect(await send("GET", `${LIST}/${id}`)).toMatchObject({
      title: "Theirs",
      body: "Their body",
      minutes: 2,
      version: 3,
    });
    await expect.poll(() => page.getByLabel("title").inputValue()).toBe("Theirs");
    expect(faults).toEqual([]);
    await close();
  });

  it("asks before it leaves a record that is not saved, and moves one to the trash (RULES 11.3)", async () => {
    const { id } = await send<Article>("POST", LIST, { title: "Old" });
    const { page, close } = await enter(`content/collections/articles/${id}`);
    await page.getByLabel("title").fill("New");
    await page.getByRole("link", { name: "Media" }).click();
    await page.getByRole("button", { name: "Stay" }).click();
    expect(await page.getByLabel("title").inputValue()).toBe("New");
    await page.getByRole("button", { name: "Move to trash" }).click();
    await page.getByText("No records yet").waitFor();
    expect(await send<object[]>("GET", "/trash")).toMatchObject([{ title: "Old" }]);
    await close();
  });

  it("edits the content of a page, and names what names a record", async () => {
    const fields = [{ name: "lead", type: "relation", to: "articles" }];
    await send("POST", "/models", { typeModel: "pages", name: "home", label: "Home page", fields });
    const { id } = await send<Article>("POST", LIST, { title: "Leading" });
    const { page, close } = await enter("content");
    await page.getByRole("link", { name: "Home page" }).click();
    await page.getByLabel("lead").click();
    await page.getByRole("button", { name: "Leading" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("Saved");
    expect(await send("GET", "/data/pages/home/home")).toMatchObject({ lead: id });
    await page.goto(`/console/${space.name}/content/collections/articles/${id}`);
    await page.getByRole("complementary").getByRole("link").click();
    await page.getByRole("heading", { name: "Home page" }).waitFor();
    await close();
  });
});
