/** Rich text in the console, written with real keys. */
import type { Browser, Locator, Page } from "playwright-core";
import { beforeAll, beforeEach, expect, inject, it } from "vitest";
import { newSpace, upload, type Space } from "../../../scripts/harness/api.ts";
import { call } from "../../support/console/console-content.ts";
import { FROM_GOOGLE_DOCS, FROM_WORD, site } from "../../support/console/console-site.ts";
import { inBrowser, inspect, signIn, visit, type Visit } from "../../support/console/console.ts";
import { photoJpeg } from "../../support/pictures/draw.ts";

const service = inject("service");
const LIST = "/data/collections/sheets";

interface Sheet {
  id: string;
  version: number;
  body: { _type: string; _key: string; [member: string]: unknown }[];
}

/** Returns the style, the list and level of a block, and each span with its marks. */
const shapeOf = (block: Sheet["body"][number]): unknown => {
  if (block._type !== "block") return block._type;
  const { style, listItem, level, children, markDefs } = block as unknown as {
    style: string;
    listItem?: string;
    level?: number;
    children: { text: string; marks: string[] }[];
    markDefs: { _type: string; _key: string; href?: string; record?: string }[];
  };
  const nameOf = (mark: string): string => {
    const definition = markDefs.find(({ _key }) => _key === mark);
    return definition ? (definition.href ?? `to ${definition.record}`) : mark;
  };
  const place = listItem === undefined ? style : `${style} ${listItem} ${level}`;
  return [
    place,
    ...children.map(({ text, marks }) => (marks.length > 0 ? [text, ...marks.map(nameOf)] : text)),
  ];
};

const paste = (page: Page, html: string): Promise<void> =>
  page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", text);
    clipboardData.setData("text/plain", "plain");
    const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true });
    // Firefox makes no event with data of a script's own.
    Object.defineProperty(event, "clipboardData", { value: clipboardData });
    document.querySelector('[role="textbox"]')?.dispatchEvent(event);
  }, html);

inBrowser("rich text in the console", (openBrowser) => {
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
  async function enter(path: string): Promise<Visit & { page: Page; text: Locator }> {
    const visited = await visit(browser, service.base);
    await signIn(visited.page, space.name, space.key, `content/collections/sheets/${path}`);
    const text = visited.page.getByRole("textbox", { name: "body" });
    await text.waitFor();
    return { ...visited, text };
  }
  const idOf = (page: Page): string => page.url().slice(-26);

  it("is written with keys, saved, and the same after a reload", async () => {
    await upload(space, await photoJpeg(600, 400), "lighthouse.jpg");
    const article = await call<Sheet>(space, "POST", "/data/collections/articles", { title: "On light" });
    const { page, text, faults, close } = await enter("new");
    const { keyboard } = page;
    await text.click();
    await keyboard.type("## Four rooms");
    await keyboard.press("Enter");
    await keyboard.type("Some **bold** and ");
    await keyboard.press("Control+i");
    await keyboard.type("leaning");
    await keyboard.press("Control+i");
    await keyboard.type(" words.");
    await keyboard.press("Enter");
    await keyboard.type("- one");
    await keyboard.press("Enter");
    await keyboard.press("Control+]");
    await keyboard.type("deeper");
    // Out of the deeper level, and out of the list.
    for (let times = 0; times < 3; times++) await keyboard.press("Enter");
    await keyboard.type("See here");
    for (let times = 0; times < 4; times++) await keyboard.press("Shift+ArrowLeft");
    await keyboard.press("Control+k");
    await page.getByRole("textbox", { name: "Address" }).fill("javascript:alert(1)");
    await keyboard.press("Enter");
    await page.getByText("Write an address that begins with").waitFor();
    await page.getByRole("textbox", { name: "Address" }).fill("example.org");
    await keyboard.press("Enter");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await keyboard.press("ArrowRight");
    await keyboard.type(" or ");
    await page.getByRole("button", { name: "Record link" }).click();
    await page.getByRole("button", { name: "On light" }).click();
    await text.getByText("On light").waitFor();
    await keyboard.type(".");
    await page.getByRole("button", { name: "Picture", exact: true }).click();
    await page.getByRole("button", { name: "lighthouse.jpg" }).click();
    await page.getByRole("button", { name: "Edit picture" }).waitFor();
    await page.getByLabel("Insert").selectOption("callout");
    await page.getByLabel("remark").fill("Mind the step");
    await page.getByRole("button", { name: "Done" }).click();
    await text.getByText("Mind the step").waitFor();
    await keyboard.press("ArrowDown");
    // At once: keys with pauses between them are undone one after another.
    await keyboard.insertText("gone");
    await keyboard.press("Control+z");
    await page.getByText("14 words").waitFor();
    expect(await inspect(page, "rich-text")).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/sheets\/(?!new)/);

    const id = idOf(page);
    const { body } = await read(id);
    expect(body.map(shapeOf)).toEqual([
      ["h2", "Four rooms"],
      ["normal", "Some ", ["bold", "strong"], " and ", ["leaning", "em"], " words."],
      ["normal bullet 1", "one"],
      ["normal bullet 2", "deeper"],
      ["normal", "See ", ["here", "https://example.org"], " or ", ["On light", `to ${article.id}`], "."],
      "image",
      "callout",
      ["normal", ""],
    ]);
    await page.reload();
    await text.getByText("Mind the step").waitFor();
    // Changed and changed back, it is the stored value to the last key.
    await text.getByText("Four rooms").click();
    await keyboard.press("End");
    await keyboard.type("X");
    await expect.poll(() => page.getByRole("button", { name: "Save" }).isDisabled()).toBe(false);
    await keyboard.press("Backspace");
    await expect.poll(() => page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
    await keyboard.type("!");
    await keyboard.press("Control+s");
    await expect.poll(async () => (await read(id)).version).toBe(2);
    const after = await read(id);
    expect(after.body.slice(1)).toEqual(body.slice(1));
    expect(after.body[0]).toMatchObject({ _key: body[0]?._key, children: [{ text: "Four rooms!" }] });
    expect(faults).toEqual([]);
    await close();
  });

  it("knows what is selected, however soon a key follows, and shows it once a dialog has ended", async () => {
    const { page, text, close } = await enter("new");
    await text.click();
    await page.keyboard.type("See here");
    await text.getByText("See here").waitFor();
    await text.evaluate((root) => {
      const [line] = root.querySelector("p")?.childNodes ?? [];
      if (line) document.getSelection()?.setBaseAndExtent(line, 4, line, 8);
      root.dispatchEvent(
        new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true, cancelable: true }),
      );
    });
    await page.getByRole("textbox", { name: "Address" }).fill("example.org");
    const selected = await page
      .getByRole("button", { name: "Set link" })
      .evaluate(async (button: HTMLElement) => {
        button.click();
        // The console renders in a microtask, which comes before any further key.
        for (let times = 0; button.isConnected && times < 1000; times++) await Promise.resolve();
        return document.getSelection()?.toString();
      });
    expect(selected).toBe("here");
    expect(await text.getByRole("link").textContent()).toBe("here");
    await close();
  });

  it("keeps what the field allows of Google Docs and Word, and runs nothing of it (RULES 11.7)", async () => {
    const { page, text, faults, close } = await enter("new");
    await text.click();
    await paste(page, FROM_GOOGLE_DOCS);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await paste(page, FROM_WORD);
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/sheets\/(?!new)/);
    const { body } = await read(idOf(page));
    expect(body.map(shapeOf)).toEqual([
      ["h2", "A title"],
      [
        "normal",
        "Plain, ",
        ["bold", "strong"],
        [" slanted ", "em"],
        ["linked", "https://example.com/a"],
        " never",
      ],
      ["normal bullet 1", "first"],
      ["normal bullet 2", "second"],
      ["h1", "The report"],
      ["normal", ["Strong", "strong"], " and ", ["leaning", "em"]],
      ["normal bullet 1", "a point"],
      ["normal number 2", "a number"],
    ]);
    expect(await page.evaluate(() => "pasted" in globalThis)).toBe(false);
    expect(faults).toEqual([]);
    await close();
  });

  it("is reached and left with the keys alone, and says faults at their card", async () => {
    const { id } = await call<Sheet>(space, "POST", LIST, {
      title: "One",
      body: [{ _type: "callout", _key: "a", remark: "Here" }],
    });
    const { page, text, close } = await enter(id);
    await page.getByLabel("title").focus();
    await page.keyboard.press("Tab");
    const focused = (): Promise<string | null | undefined> =>
      page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    expect(await focused()).toBe("Style");
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe("Bold");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("body");
    // Tab does not stay in the text.
    await page.keyboard.press("Alt+F10");
    expect(await focused()).toBe("Bold");
    await page.keyboard.press("Escape");
    expect(await focused()).toBe("body");
    await page.getByRole("button", { name: "Edit Callout" }).click();
    await page.getByLabel("remark").fill("");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await text.getByText("to mend").waitFor();
    await page.getByRole("button", { name: "Edit Callout" }).click();
    const dialog = page.getByRole("dialog", { name: "Callout" });
    await dialog.getByText("is required").waitFor();
    expect(await inspect(page, "rich-text-card")).toEqual([]);
    await close();
  });

  it("leads from a fault to its paragraph", async () => {
    const { page, text, close } = await enter("new");
    const { keyboard } = page;
    // An admin takes the style away while an editor writes with it.
    const path = "/models/collections/sheets";
    const { fields } = await call<{ fields: { name: string; type: string }[] }>(space, "GET", path);
    const plain = fields.map((field) =>
      field.type === "richtext" ? { ...field, styles: ["normal"] } : field,
    );
    await call(space, "PUT", path, { fields: plain });
    await text.click();
    await keyboard.type("Below the light");
    await keyboard.press("Enter");
    await keyboard.type("## Four rooms");
    await keyboard.press("Enter");
    await keyboard.type("The end");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "“Four rooms”:" }).click();
    expect(await inspect(page, "rich-text-fault")).toEqual([]);
    await page.getByRole("button", { name: "“Four rooms”:" }).click();
    await keyboard.type("Only ");
    await text.getByText("Only Four rooms").waitFor();
    await close();
  });
});
