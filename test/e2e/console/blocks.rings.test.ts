/** Components and blocks in the console: groups of controls, and lists of them that are put in order. */
import type { Browser, Page } from "playwright-core";
import { beforeAll, beforeEach, expect, inject, it } from "vitest";
import { newSpace, type Space } from "../../../scripts/harness/api.ts";
import { call } from "../../support/console/console-content.ts";
import { site } from "../../support/console/console-site.ts";
import { inBrowser, inspect, signIn, visit, type Visit } from "../../support/console/console.ts";

const service = inject("service");
const LIST = "/data/collections/sheets";

interface Sheet {
  id: string;
  version: number;
  sections: { _type: string; _key: string; headline?: string; said?: string }[];
  way: object | null;
  steps: { _key: string; said: string }[];
}

const wordsOf = ({ sections }: Sheet): (string | undefined)[] =>
  sections.map(({ headline, said }) => headline ?? said);

inBrowser("blocks in the console", (openBrowser) => {
  let browser: Browser;
  let space: Space;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    space = await newSpace(service);
    await site(space);
  });

  const read = (id: string): Promise<Sheet> => call(space, "GET", `${LIST}/${id}`);
  async function enter(path: string): Promise<Visit & { page: Page }> {
    const visited = await visit(browser, service.base);
    await signIn(visited.page, space.name, space.key, path);
    return visited;
  }
  const save = async (page: Page, id: string, version: number): Promise<Sheet> => {
    await page.getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await read(id)).version).toBe(version);
    return read(id);
  };

  it("adds, moves, doubles, folds and removes blocks", async () => {
    const said = ["one", "two", "three"].map((words) => ({ _type: "quote", said: words }));
    const { id, sections } = await call<Sheet>(space, "POST", LIST, { title: "Page", sections: said });
    const { page, faults, close } = await enter(`content/collections/sheets/${id}`);
    const grip = (number: number) => page.getByRole("button", { name: `Move Quote ${number}`, exact: true });
    await grip(1).focus();
    const focused = await grip(1).evaluate(async (button) => {
      const isMoved = (): boolean => document.body.textContent.includes("Quote is now 2 of 3");
      button.dispatchEvent(
        new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }),
      );
      // The console renders in a microtask, which comes before any further key.
      for (let times = 0; !isMoved() && times < 1000; times++) await Promise.resolve();
      return document.activeElement?.getAttribute("aria-label");
    });
    expect(focused).toBe("Move Quote 2");
    // The focus stays on what was moved.
    await page.keyboard.press("ArrowDown");
    await page.getByText("Quote is now 3 of 3").waitFor();
    expect(wordsOf(await save(page, id, 2))).toEqual(["two", "three", "one"]);

    const [from, to] = [await grip(3).boundingBox(), await grip(1).boundingBox()];
    if (!from || !to) throw new Error("The grips are not on screen");
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y, { steps: 5 });
    await page.mouse.up();
    const moved = await save(page, id, 3);
    expect(wordsOf(moved)).toEqual(["one", "two", "three"]);
    expect(moved.sections.map(({ _key }) => _key)).toEqual(sections.map(({ _key }) => _key));

    await page.getByRole("button", { name: "Add Hero" }).click();
    await page.getByLabel("headline").fill("The front");
    await page.getByText("No more than 4 fit here.").waitFor();
    expect(await inspect(page, "blocks")).toEqual([]);
    await page.getByRole("button", { name: "4 Hero The front" }).click();
    await page.getByLabel("headline").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove Quote 2" }).click();
    await page.getByRole("button", { name: "Duplicate Hero 3" }).click();
    await page.getByLabel("headline").fill("The back");
    const after = await save(page, id, 4);
    expect(wordsOf(after)).toEqual(["one", "three", "The front", "The back"]);
    expect(new Set(after.sections.map(({ _key }) => _key)).size).toBe(4);
    expect(faults).toEqual([]);
    await close();
  });

  it("says a fault at the control inside the block", async () => {
    const { id } = await call<Sheet>(space, "POST", LIST, {
      sections: [
        { _type: "quote", said: "one" },
        { _type: "hero", headline: "Two", cta: { words: "Go", href: "/go" } },
      ],
    });
    const { page, close } = await enter(`content/collections/sheets/${id}`);
    await page.getByRole("button", { name: "2 Hero Two" }).click();
    const hero = page.getByRole("group", { name: "Hero 2" });
    await hero.getByLabel("href").fill("nowhere");
    await page.getByRole("button", { name: "2 Hero Two" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    // The block opens by itself.
    await hero.getByLabel("href").waitFor();
    await expect.poll(() => hero.getByLabel("href").getAttribute("aria-invalid")).toBe("true");
    expect(await hero.getByLabel("headline").getAttribute("aria-invalid")).toBeNull();
    expect(await inspect(page, "blocks-faults")).toEqual([]);
    await close();
  });

  it("writes one component, and a list of one component's", async () => {
    const { page, faults, close } = await enter("content/collections/sheets/new");
    await page.getByLabel("title").fill("Page");
    await page.getByRole("button", { name: "way Add" }).click();
    await page.getByLabel("href").fill("/visit");
    await page.getByRole("group", { name: "steps" }).getByRole("button", { name: "Add Quote" }).click();
    await page.getByLabel("said").fill("Come in");
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/sheets\/(?!new)/);
    const id = page.url().slice(-26);
    expect(await read(id)).toMatchObject({
      way: { words: null, href: "/visit" },
      steps: [{ said: "Come in" }],
    });
    await page.getByRole("button", { name: "way Remove" }).click();
    expect((await save(page, id, 2)).way).toBeNull();
    expect(faults).toEqual([]);
    await close();
  });

  it("makes a component, and a model that holds it", async () => {
    const { page, faults, close } = await enter("models/new");
    await page.getByLabel("Component", { exact: false }).first().check();
    await page.getByLabel("Model label").fill("Opening hours");
    await page.getByRole("button", { name: "Short text" }).click();
    await page.getByRole("textbox", { name: "Label", exact: true }).fill("Day");
    expect(await page.getByLabel("Unique").count()).toBe(0);
    await page.getByRole("button", { name: "Create model" }).click();
    await page.getByRole("link", { name: "Opening hours" }).waitFor();

    await page.getByRole("link", { name: "New model" }).click();
    await page.getByLabel("Model label").fill("House");
    await page.getByRole("button", { name: "Rich text" }).click();
    await page.getByRole("textbox", { name: "Label", exact: true }).fill("Story");
    await page.getByRole("group", { name: "Styles" }).getByLabel("Heading 4").uncheck();
    await page.getByLabel("Other decorators").fill("highlight");
    await page.getByLabel("Pictures").check();
    await page.getByLabel("Links to records of").selectOption("articles");
    await page.getByRole("group", { name: "Components in the text" }).getByLabel("Callout").check();
    expect(await inspect(page, "model-rich-text")).toEqual([]);
    await page.getByRole("button", { name: "Blocks" }).click();
    await page.getByRole("textbox", { name: "Label", exact: true }).fill("Hours");
    await page.getByRole("group", { name: "Components" }).getByLabel("Opening hours").check();
    await page.getByLabel("Items at most").fill("7");
    await page.getByRole("button", { name: "Create model" }).click();
    await page.getByRole("link", { name: "House" }).waitFor();
    expect(await call(space, "GET", "/models/collections/house")).toMatchObject({
      fields: [
        {
          name: "story",
          type: "richtext",
          styles: ["normal", "h1", "h2", "h3", "blockquote"],
          decorators: ["strong", "em", "underline", "strike-through", "code", "highlight"],
          annotations: ["link", { name: "internalLink", to: "articles" }],
          components: ["callout"],
          image: true,
        },
        { name: "hours", type: "blocks", components: ["opening-hours"], max: 7 },
      ],
    });
    expect(faults).toEqual([]);
    await close();
  });
});
