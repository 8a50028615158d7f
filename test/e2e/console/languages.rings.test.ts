/** Languages in the console: those of the space, and records that are written and published in several. */
import type { Browser, Page } from "playwright-core";
import { beforeAll, beforeEach, expect, inject, it } from "vitest";
import { newSpace, upload, type Space } from "../../../scripts/harness/api.ts";
import { call } from "../../support/console/console-content.ts";
import { inBrowser, inspect, messagesOf, signIn, visit, type Visit } from "../../support/console/console.ts";
import { photoJpeg } from "../../support/pictures/draw.ts";

const service = inject("service");
const LIST = "/data/collections/stories";

interface Story {
  id: string;
  version: number;
  statuses: Record<string, string>;
  [field: string]: unknown;
}

inBrowser("languages in the console", (openBrowser) => {
  let browser: Browser;
  let space: Space;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    space = await newSpace(service);
  });

  const send = <T>(method: string, path: string, body?: object): Promise<T> =>
    call(space, method, path, body);
  const readAll = (id: string): Promise<Story> => send("GET", `${LIST}/${id}?locale=all&status=draft`);
  async function enter(path: string): Promise<Visit & { page: Page }> {
    const visited = await visit(browser, service.base, { locale: "en-US" });
    await signIn(visited.page, space.name, space.key, path);
    return visited;
  }
  async function stories(): Promise<void> {
    await send("PATCH", "/settings", {
      locales: [{ code: "en" }, { code: "de", fallback: "en" }, { code: "fr" }],
    });
    await send("POST", "/models", {
      typeModel: "collections",
      name: "stories",
      drafts: true,
      fields: [
        { name: "title", type: "string", required: true, localized: true },
        { name: "lead", type: "text", localized: true },
        { name: "minutes", type: "number" },
      ],
    });
  }

  it("adds, orders and removes the languages of the space, and asks before values go", async () => {
    const { page, faults, close } = await enter("settings");
    const languages = page.getByRole("region", { name: "Languages" });
    for (const code of ["en", "DE-at"]) {
      await languages.getByLabel("Add a language").fill(code);
      await languages.getByRole("button", { name: "Add", exact: true }).click();
    }
    await languages.getByText("de-AT", { exact: true }).waitFor();
    await languages.getByRole("button", { name: "Save languages" }).click();
    await expect
      .poll(() => send("GET", "/settings"))
      .toMatchObject({ locales: [{ code: "en" }, { code: "de-AT", fallback: "en" }] });
    expect(await inspect(page, "settings-languages")).toEqual([]);

    await send("POST", "/models", {
      typeModel: "collections",
      name: "stories",
      fields: [{ name: "title", type: "string", localized: true }],
    });
    await send("POST", `${LIST}?locale=all`, { title: { en: "One", "de-AT": "Eins" } });
    await languages.getByRole("button", { name: "Remove German (Austria)" }).click();
    await languages.getByRole("button", { name: "Save languages" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove German (Austria)?" });
    await dialog.waitFor();
    expect(await inspect(page, "settings-drop-language")).toEqual([]);
    await dialog.getByRole("button", { name: "Remove with its values" }).click();
    await expect.poll(() => send("GET", "/settings")).toMatchObject({ locales: [{ code: "en" }] });
    expect(faults).toEqual([]);
    await close();
  });

  it("writes a record in two languages, one after the other and beside each other", async () => {
    await stories();
    const { page, faults, close } = await enter("content/collections/stories/new");
    await page.getByLabel("title").fill("Light");
    await page.getByLabel("lead").fill("It falls.");
    await page.getByLabel("minutes").fill("3");
    await page.getByRole("button", { name: "German 2 missing" }).click();
    expect(await page.getByLabel("title").inputValue()).toBe("");
    await page.getByText("The same in every language.").waitFor();
    await page.getByLabel("Copy what is missing from").selectOption("en");
    expect(await page.getByLabel("title").inputValue()).toBe("Light");
    await page.getByLabel("title").fill("Licht");
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/stories\/(?!new)/);
    const id = page.url().slice(-26);
    expect(await readAll(id)).toMatchObject({
      title: { en: "Light", de: "Licht", fr: null },
      lead: { en: "It falls.", de: "It falls.", fr: null },
      minutes: 3,
    });

    // The first save leaves the reader in the language that was written.
    expect(await page.getByLabel("title").inputValue()).toBe("Licht");
    await page
      .getByRole("group", { name: "Language" })
      .getByRole("button", { name: /^English/ })
      .click();
    await page.getByLabel("Side by side with").selectOption("fr");
    await page.getByLabel("title (French)").fill("Lumière");
    await page.getByRole("button", { name: "Copy from French to English: title" }).click();
    expect(await page.getByLabel("title (English)").inputValue()).toBe("Lumière");
    expect(await inspect(page, "languages")).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await readAll(id)).version).toBe(2);
    expect(await readAll(id)).toMatchObject({ title: { en: "Lumière", de: "Licht", fr: "Lumière" } });
    expect(faults).toEqual([]);
    await close();
  });

  it("publishes a language by itself, and shows the status of each", async () => {
    await stories();
    const { id } = await send<Story>("POST", `${LIST}?locale=all`, { title: { en: "Light", de: "Licht" } });
    const { page, faults, close } = await enter(`content/collections/stories/${id}`);
    await page.getByRole("button", { name: "Make German public" }).click();
    await expect
      .poll(async () => (await readAll(id)).statuses)
      .toMatchObject({ de: "published", en: "draft" });
    await page.getByRole("button", { name: "Take back German" }).waitFor();
    expect(await inspect(page, "languages-status")).toEqual([]);
    await page.getByRole("button", { name: "Publish", exact: true }).click();
    await expect
      .poll(async () => (await readAll(id)).statuses)
      .toMatchObject({ de: "published", en: "published" });
    await page.getByLabel("title").fill("Lights");
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await readAll(id)).statuses)
      .toMatchObject({ de: "published", en: "changed" });
    await page.getByRole("link", { name: "Back" }).click();
    await page.getByRole("table").getByText("en changed").waitFor();
    await page.getByLabel("Language").selectOption("de");
    await page.getByRole("link", { name: "Licht" }).waitFor();
    expect(await inspect(page, "languages-list")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("plans each language by its own times, and clears the plan of one", async () => {
    await stories();
    const { id } = await send<Story>("POST", `${LIST}?locale=all`, { title: { en: "Light", de: "Licht" } });
    const planOf = async (locale: string): Promise<unknown> =>
      (await send<Story>("GET", `${LIST}/${id}?locale=${locale}&status=draft`))["publishAt"];
    await send("POST", `${LIST}/${id}/publish`, { at: "2031-01-01T10:00:00Z", locales: ["en"] });
    const { page, faults, close } = await enter(`content/collections/stories/${id}`);
    const plan = async (language: string, to?: string): Promise<string> => {
      await page.getByRole("button", { name: "Schedule" }).click();
      const dialog = page.getByRole("dialog", { name: "Schedule" });
      await dialog.getByLabel("Languages").selectOption(language);
      const time = dialog.getByLabel("Show from");
      await expect.poll(() => time.isEnabled()).toBe(true);
      const shown = await time.inputValue();
      if (to !== undefined) await time.fill(to);
      if (language === "" && to === undefined) expect(await inspect(page, "schedule-all")).toEqual([]);
      await dialog.getByRole("button", { name: "Plan" }).click();
      await dialog.waitFor({ state: "detached" });
      return shown;
    };
    const english = await plan("");
    expect(english).not.toBe("");
    const messages = await messagesOf(page);
    expect(await plan("de")).toBe("");
    await expect.poll(messages).toEqual(["Nothing was changed"]);
    expect(await plan("de", english)).toBe("");
    await expect.poll(() => planOf("de")).toBe(await planOf("en"));
    expect(await plan("de", "")).toBe(english);
    await expect.poll(() => planOf("de")).toBe(null);
    expect(await planOf("en")).not.toBe(null);
    expect(await plan("", english)).toBe(english);
    await expect.poll(() => planOf("de")).toBe(await planOf("en"));
    expect(faults).toEqual([]);
    await close();
  });

  it("names the language of each text at its input alone, with the direction of its script", async () => {
    await send("PATCH", "/settings", { locales: [{ code: "en" }, { code: "ar" }] });
    await send("POST", "/models", {
      typeModel: "collections",
      name: "stories",
      fields: [
        { name: "title", type: "string", localized: true, description: "In short" },
        { name: "lead", type: "text", localized: true },
        { name: "body", type: "richtext", localized: true },
        { name: "slug", type: "string" },
      ],
    });
    const { page, faults, close } = await enter("content/collections/stories/new");
    await page.getByRole("button", { name: /Arabic/ }).click();
    for (const name of ["title", "lead", "body"]) {
      const input = page.getByRole("textbox", { name });
      await expect.poll(() => input.getAttribute("lang")).toBe("ar");
      expect(await input.getAttribute("dir")).toBe("rtl");
    }
    const languageOf = (element: Element): string | null =>
      element.closest("[lang]")?.getAttribute("lang") ?? null;
    expect(await page.getByText("In short").evaluate(languageOf)).toBe("en");
    expect(await page.getByRole("textbox", { name: "slug" }).evaluate(languageOf)).toBe("en");
    expect(await page.getByRole("toolbar").first().evaluate(languageOf)).toBe("en");
    expect(await inspect(page, "languages-rtl")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("says a fault in the language that it is of", async () => {
    await stories();
    const { id } = await send<Story>("POST", LIST, { title: "Light" });
    const { page, close } = await enter(`content/collections/stories/${id}`);
    await page.getByLabel("title").fill("");
    await page.getByRole("button", { name: "German complete" }).click();
    await page.getByLabel("title").fill("Licht");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByRole("alert").getByText("title (English)").waitFor();
    await page.getByRole("button", { name: "English 1 missing" }).click();
    await expect.poll(() => page.getByLabel("title").getAttribute("aria-invalid")).toBe("true");
    await close();
  });

  it("brings back one language of an earlier version", async () => {
    await stories();
    const { id } = await send<Story>("POST", `${LIST}?locale=all`, { title: { en: "Light", de: "Licht" } });
    await send("PUT", `${LIST}/${id}?locale=all`, { title: { en: "Lights", de: "Lichter" } });
    const { page, faults, close } = await enter(`content/collections/stories/${id}/history`);
    await page.getByRole("button", { name: "Version 1 created" }).click();
    await page.getByLabel("Languages to restore").selectOption("de");
    expect(await inspect(page, "history-languages")).toEqual([]);
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByText("Version 1 is the content in German again").waitFor();
    expect(await readAll(id)).toMatchObject({ title: { en: "Lights", de: "Licht" }, version: 3 });
    expect(faults).toEqual([]);
    await close();
  });

  it("saves an alt text for each language, and shows them in the trash", async () => {
    await send("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
    const { id } = await upload(space, await photoJpeg(300, 200), "shore.jpg");
    const alts = async (): Promise<unknown> =>
      (await send<{ alt: unknown }>("GET", `/media/${id}?locale=all`)).alt;
    const { page, faults, close } = await enter(`media/${id}`);
    await page.getByLabel("Alt text", { exact: true }).fill("A shore");
    await page.getByText("Alt text saved").waitFor();
    await page.getByLabel("Language").selectOption("de");
    await page.getByLabel("Alt text (German)").fill("Ein Ufer");
    // Left before the text has rested: it is saved all the same.
    await page.getByLabel("Language").selectOption("en");
    await expect.poll(alts).toEqual({ en: "A shore", de: "Ein Ufer" });
    expect(await page.getByLabel("Alt text", { exact: true }).inputValue()).toBe("A shore");
    await page.getByLabel("Language").selectOption("de");
    expect(await page.getByLabel("Alt text (German)").inputValue()).toBe("Ein Ufer");
    expect(await inspect(page, "media-languages")).toEqual([]);
    // A text that is refused stays in its language.
    await page.route(`**/media/${id}?*`, (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({ status: 403, json: { error: { code: "FORBIDDEN", message: "Not now." } } })
        : route.fallback(),
    );
    await page.getByLabel("Alt text (German)").fill("Ein ferner Strand");
    await page.getByLabel("Language").selectOption("en");
    await page.getByText("Alt text not stored").waitFor();
    await page.getByRole("option", { name: "German – not stored" }).waitFor({ state: "attached" });
    await page.getByLabel("Language").selectOption("de");
    expect(await page.getByLabel("Alt text (German)").inputValue()).toBe("Ein ferner Strand");
    expect(await alts()).toEqual({ en: "A shore", de: "Ein Ufer" });
    await page.unroute(`**/media/${id}?*`);
    await page.getByLabel("Alt text (German)").fill("Ein Ufer");
    await page.getByText("Alt text saved").waitFor();
    await send("DELETE", `/media/${id}`);
    await page.goto(`/console/${space.name}/trash`);
    await page.getByRole("button", { name: "shore.jpg" }).click();
    await page.getByRole("dialog").getByText("Ein Ufer").waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  it("asks before a field becomes the same in every language", async () => {
    await stories();
    const { id } = await send<Story>("POST", `${LIST}?locale=all`, { title: { en: "Light", de: "Licht" } });
    const { page, faults, close } = await enter("models/collections/stories");
    await page.getByRole("button", { name: "title Short text" }).click();
    await page.getByLabel("Differs by language").uncheck();
    await page.getByRole("button", { name: "Save model" }).click();
    const dialog = page.getByRole("dialog", { name: "What this change does" });
    await dialog.getByLabel("Delete the values of title in German, French for good").check();
    expect(await inspect(page, "models-unify")).toEqual([]);
    await dialog.getByRole("button", { name: "Change model" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await readAll(id))["title"]).toBe("Light");
    expect(faults).toEqual([]);
    await close();
  });
});
