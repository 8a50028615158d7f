/** Models in the console: made, changed after a look at what that does, removed. */
import type { Browser, Page } from "playwright-core";
import { beforeAll, beforeEach, expect, inject, it } from "vitest";
import { bearer, json, newSpace, type Space } from "../../../scripts/harness/api.ts";
import { inspect, inBrowser, messagesOf, signIn, visit, type Visit } from "../../support/console/console.ts";

const service = inject("service");

interface Model {
  label: string | null;
  titleField: string | null;
  fields: Record<string, unknown>[];
  version: number;
}

inBrowser("models in the console", (openBrowser) => {
  let browser: Browser;
  let space: Space;
  beforeAll(async () => {
    browser = await openBrowser();
  });

  beforeEach(async () => {
    space = await newSpace(service);
  });

  async function enter(path?: string): Promise<Visit & { page: Page }> {
    const visited = await visit(browser, service.base);
    await signIn(visited.page, space.name, space.key, path);
    return visited;
  }
  const send = async <T>(method: string, path: string, body?: object): Promise<T> =>
    json(
      await fetch(`${space.api}${path}`, {
        method,
        headers: { ...bearer(space.key), "Content-Type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  const modelAt = (path: string): Promise<Model> => send("GET", `/models/${path}`);
  async function openTalks(): Promise<Visit & { page: Page }> {
    const visited = await enter("models/collections/talks");
    await visited.page.getByRole("button", { name: "Save model" }).waitFor();
    return visited;
  }

  it("makes a model whose names follow its labels, with fields of every type", async () => {
    await send("POST", "/models", { typeModel: "collections", name: "authors", fields: [] });
    const { page, faults, close } = await enter();
    await page.getByRole("link", { name: "Models" }).click();
    await page.getByRole("link", { name: "New model" }).click();
    await page.getByLabel("Model label").fill("Blog posts");
    await expect.poll(() => page.getByLabel("Model name").inputValue()).toBe("blog-posts");
    await page.getByLabel("Public").check();
    const add = async (type: string, label: string): Promise<void> => {
      await page.getByRole("button", { name: type, exact: true }).click();
      // The label of the new field takes the focus from the button.
      await page.locator("input:focus").waitFor();
      await page.keyboard.type(label);
    };
    await add("Short text", "Title");
    await page.getByLabel("Required").check();
    await add("Long text", "Body");
    await add("Number", "Reading time");
    await page.getByLabel("Whole numbers only").check();
    await add("Yes or no", "Featured");
    await page.getByLabel("Default").selectOption("No");
    await add("Date and time", "Written");
    await add("Choice", "Mood");
    await page.getByLabel("Values").fill("calm\nbright\n\n");
    await add("Picture", "Gallery");
    await page.getByLabel("Several").check();
    await add("Relation", "Author");
    await page.getByRole("combobox", { name: "Records of" }).selectOption("authors");
    await add("JSON", "Extra");
    expect(await inspect(page, "model-new")).toEqual([]);
    await page.getByRole("button", { name: "Create model" }).click();
    await page.getByRole("link", { name: "Blog posts" }).waitFor();
    expect(await modelAt("collections/blog-posts")).toMatchObject({
      label: "Blog posts",
      public: true,
      drafts: false,
      fields: [
        { name: "title", label: "Title", type: "string", required: true },
        { name: "body", type: "text" },
        { name: "readingTime", type: "number", integer: true },
        { name: "featured", type: "boolean", default: false },
        { name: "written", type: "datetime" },
        { name: "mood", type: "enum", values: ["calm", "bright"] },
        { name: "gallery", type: "media", multiple: true },
        { name: "author", type: "relation", to: "authors" },
        { name: "extra", type: "json" },
      ],
    });
    expect(await inspect(page, "models")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("says beside its control what is wrong, and makes nothing", async () => {
    const { page, close } = await enter("models/new");
    await page.getByLabel("Model name").fill("Wrong Name");
    await page.getByRole("button", { name: "Choice", exact: true }).click();
    await page.getByRole("button", { name: "Create model" }).click();
    await page.getByText("must be 1 to 63 of a-z").waitFor();
    expect(await page.getByLabel("Model name").getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Values").getAttribute("aria-invalid")).toBe("true");
    expect(await send<unknown[]>("GET", "/models")).toEqual([]);
    await close();
  });

  it("says above a long form that it was refused, and opens the first field that is to be mended", async () => {
    const { page, close } = await enter("models/new");
    await page.getByLabel("Model name").fill("long");
    const names = ["Short text", "Number", "Picture", "Relation", "JSON"];
    for (const name of names) await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("button", { name: "Create model" }).click();
    await page.getByText("Not saved: 6 entries need another look.").waitFor();
    const first = page.getByRole("button", { name: "New field Short text" });
    await expect.poll(() => first.getAttribute("aria-expanded")).toBe("true");
    await page.getByText("must be 1 to 63 of letters").waitFor();
    await close();
  });

  it("keeps values of a renamed field, and deletes those of a removed one once that is agreed to", async () => {
    const fields = ["title", "subtitle", "note"].map((name) => ({ name, type: "string" }));
    await send("POST", "/models", { typeModel: "collections", name: "talks", titleField: "title", fields });
    const { id } = await send<{ id: string }>("POST", "/data/collections/talks", {
      title: "On light",
      subtitle: "and on silver",
      note: "lost",
    });
    const { page, faults, close } = await openTalks();
    await page.getByRole("button", { name: "title Short text", exact: true }).click();
    await page.getByLabel("Field name").fill("heading");
    await page.getByRole("button", { name: "Remove note" }).click();
    await page.getByRole("button", { name: "Move subtitle up" }).click();
    await page.getByRole("button", { name: "Save model" }).click();

    const dialog = page.getByRole("dialog", { name: "What this change does" });
    await dialog.getByText("It concerns 1 record").waitFor();
    await dialog.getByText("title → heading").waitFor();
    const change = dialog.getByRole("button", { name: "Change model" });
    expect(await change.isDisabled()).toBe(true);
    expect(await inspect(page, "model-review")).toEqual([]);
    expect(await modelAt("collections/talks")).toMatchObject({ version: 1 });
    await dialog.getByLabel("Delete the values of note for good").check();
    const messages = await messagesOf(page);
    await change.click();
    await expect.poll(messages).toEqual(["Model saved"]);

    const changed = await modelAt("collections/talks");
    expect(changed.fields.map(({ name }) => name)).toEqual(["subtitle", "heading"]);
    expect(changed.titleField).toBe("heading");
    const record = await send<object>("GET", `/data/collections/talks/${id}`);
    expect(record).toMatchObject({ heading: "On light", subtitle: "and on silver" });
    expect(record).not.toHaveProperty("note");
    expect(await inspect(page, "model")).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it("says what stands against a change, and offers no way to make it", async () => {
    const fields = [{ name: "title", type: "string" }];
    await send("POST", "/models", { typeModel: "collections", name: "talks", fields });
    await send("POST", "/data/collections/talks", { title: "twelve" });
    const { page, close } = await openTalks();
    await page.getByRole("button", { name: "title Short text" }).click();
    await page.getByLabel("Type").selectOption("number");
    await page.getByRole("button", { name: "Save model" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("does not fit 1 record").waitFor();
    expect(await dialog.getByRole("button", { name: "Change model" }).isDisabled()).toBe(true);
    await close();
  });

  it("does not write over what somebody else changed meanwhile", async () => {
    await send("POST", "/models", { typeModel: "collections", name: "talks", fields: [] });
    const { page, close } = await openTalks();
    await page.getByLabel("Model label").fill("Mine");
    await send("PUT", "/models/collections/talks", { label: "Theirs", fields: [] });
    await page.getByRole("button", { name: "Save model" }).click();
    await page.getByRole("button", { name: "Show the newer model" }).click();
    await page.getByRole("heading", { name: "Theirs" }).waitFor();
    expect(await modelAt("collections/talks")).toMatchObject({ label: "Theirs" });
    await close();
  });

  it("asks before it leaves what is not saved, by a link and by the way back", async () => {
    const { page, close } = await enter();
    await send("POST", "/models", { typeModel: "pages", name: "home", fields: [] });
    await page.getByRole("link", { name: "Models" }).click();
    await page.getByRole("link", { name: "home" }).click();
    await page.getByRole("button", { name: "Save model" }).waitFor();
    await page.getByLabel("Model label").fill("Home page");
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Stay" }).click();
    await page.goBack();
    await page.getByRole("button", { name: "Stay" }).click();
    expect(await page.getByLabel("Model label").inputValue()).toBe("Home page");
    await page.goBack();
    await page.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { name: "Models" }).waitFor();
    await close();
  });

  it("removes a model, unless it has records", async () => {
    await send("POST", "/models", { typeModel: "collections", name: "talks", fields: [] });
    const { id } = await send<{ id: string }>("POST", "/data/collections/talks", {});
    const { page, close } = await enter("models");
    // The list has it then, and must drop it.
    await page.getByRole("link", { name: "talks" }).click();
    await page.getByRole("button", { name: "Remove model" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("alert").waitFor();
    await send("DELETE", `/data/collections/talks/${id}`);
    await send("DELETE", `/trash/${id}`);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("No models yet").waitFor();
    await close();
  });

  it("shows what a document of models does, asks for each loss, and makes it so", async () => {
    await send("POST", "/models", {
      ...{ typeModel: "collections", name: "talks" },
      fields: [
        { name: "title", type: "string" },
        { name: "room", type: "string" },
        { name: "old", type: "number" },
      ],
    });
    await send("POST", "/data/collections/talks", { title: "One", room: "Blue", old: 5 });
    await send("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
    await send("POST", "/models", {
      ...{ typeModel: "collections", name: "signs" },
      fields: [{ name: "words", type: "string", localized: true }],
    });
    await send("POST", "/data/collections/signs?locale=all", { words: { en: "Exit", de: "Ausgang" } });
    const document = {
      // The address of the schema is of no interest to the service.
      $schema: "./silverprint.schema.json",
      settings: { quality: 95, locales: [{ code: "en" }] },
      models: [
        {
          ...{ typeModel: "collections", name: "talks" },
          fields: [
            { name: "title", type: "string" },
            { name: "place", type: "string", renamedFrom: "room" },
            { name: "speaker", type: "relation", to: "speakers" },
          ],
        },
        { typeModel: "collections", name: "speakers", fields: [{ name: "name", type: "string" }] },
      ],
      allowDrop: ["@de"],
    };
    const { page, faults, close } = await enter("models");
    await page.getByRole("link", { name: "As a document" }).click();
    await page.getByRole("heading", { name: "Models as a document" }).waitFor();
    const show = page.getByRole("button", { name: "Show the plan" });
    expect(await show.isDisabled()).toBe(true);
    await page.getByLabel("Document").fill("{");
    await show.click();
    await page.getByText("This is no document of models.").waitFor();
    const wrong = { models: [{ ...document.models[0], typeModel: "things" }] };
    await page.getByLabel("Document").fill(JSON.stringify(wrong));
    await show.click();
    await page.getByText("models.0.typeModel").waitFor();
    // A file that is dropped on the field takes its place.
    const text = JSON.stringify(document, null, 2);
    const dropped = await page.evaluateHandle((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], "silverprint.config.json", { type: "application/json" }));
      return transfer;
    }, text);
    await page.getByLabel("Document").dispatchEvent("drop", { dataTransfer: dropped });
    await expect.poll(() => page.getByLabel("Document").inputValue()).toBe(text);
    await show.click();
    await page.getByRole("heading", { name: "What this document does" }).waitFor();
    const plan = page.locator(".document-plan");
    expect(await plan.getByRole("listitem").allInnerTexts()).toEqual([
      "Settings change: quality, locales",
      "talks changes: adds speaker; renames room → place; removes old; concerns 1 record",
      "speakers is made: adds name",
    ]);
    const apply = page.getByRole("button", { name: "Apply the document" });
    expect(await apply.isDisabled()).toBe(true);
    expect(await inspect(page, "models-document")).toEqual([]);
    // The document allows one of both losses itself.
    expect(await page.getByLabel("Delete the values in German (@de) for good").isChecked()).toBe(true);
    await page.getByLabel("Delete the values of talks.old for good").check();
    await apply.click();
    await page.getByText("The models are as the document says").waitFor();
    const { fields } = await modelAt("collections/talks");
    expect(fields.map(({ name }) => name)).toEqual(["title", "place", "speaker"]);
    const settings = await send<{ locales: { code: string }[] }>("GET", "/settings");
    expect(settings.locales.map(({ code }) => code)).toEqual(["en"]);
    // The plan of a text that was changed meanwhile is not shown.
    let answer: () => void = () => undefined;
    const isAsked = new Promise<void>((asked) => {
      void page.route(
        "**/models/plan",
        async (route) => {
          const held = new Promise<void>((go) => (answer = go));
          asked();
          await held;
          await route.continue();
        },
        { times: 1 },
      );
    });
    await show.click();
    await isAsked;
    await page.getByLabel("Document").fill(`${text} `);
    const answered = page.waitForResponse("**/models/plan");
    answer();
    await (await answered).finished();
    await expect.poll(() => show.getAttribute("aria-busy")).not.toBe("true");
    expect(await page.getByRole("heading", { name: "What this document does" }).count()).toBe(0);
    await show.click();
    await page.getByText("Nothing: the space is as the document says.").waitFor();
    expect(faults).toEqual([]);
    await close();
  });
});
