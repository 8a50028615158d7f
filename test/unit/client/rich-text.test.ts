/** Rich text as HTML (RULES 3.27): what the service keeps, as a page shows it, and that nothing in it runs. */
import { chromium as driver } from "playwright-core";
import { describe, expect, it } from "vitest";
import { drivenChromiumFlags } from "../../../scripts/harness/browsers.ts";
import { richTextHtml } from "../../../src/client/html.ts";
import type { Field } from "../../../src/content/field-types/registry.ts";
import { shownValue } from "../../../src/content/field-types/nested/show.ts";
import { checkValue } from "../../../src/content/field-types/values.ts";
import { chromium } from "../../support/chromium.ts";
import { photo } from "../../support/pictures/client-pictures.ts";
import { HOSTILE_TEXTS, RICH_TEXTS } from "../../support/rich-texts.ts";

const field: Field = { name: "body", type: "richtext", image: true };

describe("a rich text of the public suites' kinds", () => {
  it.each(Object.entries(RICH_TEXTS))(
    "is kept as it came, and written as HTML: %s",
    (_name, { value, html }) => {
      const checked = checkValue(field, value);
      expect(checked.ok && shownValue(field, checked.value)).toEqual(value);
      expect(richTextHtml(value)).toBe(html);
    },
  );
});

describe("richTextHtml", () => {
  const paragraph = {
    _type: "block",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", text: "a", marks: ["k"] }],
  };

  it("writes components by functions of their names, and leaves out those without", () => {
    const value = [{ _type: "quote", text: "<q>" }, { _type: "hero" }, { _type: "toString" }];
    const components = { quote: ({ text }: { text: string }) => `<q>${text.length}</q>` };
    expect(richTextHtml(value, { components })).toBe("<q>3</q>");
    expect(richTextHtml(value)).toBe("");
  });

  it("writes pictures that are expanded, with their own alt text first, in the sizes that are asked for", () => {
    const value = [{ _type: "image", media: photo(), alt: 'A "b"', caption: "C & d" }];
    const html = richTextHtml(value, { pictures: { width: 400, ratio: "16:9" } });
    expect(html).toMatch(
      /^<figure><img alt="A &quot;b&quot;" sizes="\(min-width: 400px\) 400px, 100vw" srcset="/,
    );
    expect(html).toContain("ar=16:9");
    expect(html).toMatch(/<figcaption>C &amp; d<\/figcaption><\/figure>$/);
    expect(richTextHtml([{ _type: "image", media: photo() }])).toContain(
      'alt="The &quot;beach&quot; at low tide"',
    );
    expect(richTextHtml([{ _type: "image", media: "01J" }])).toBe("");
    expect(richTextHtml(value, { pictures: () => "<hr>" })).toBe("<hr>");
  });

  it("writes links to records where an address is known", () => {
    const markDefs = [{ _type: "internalLink", _key: "k", record: { id: "1", slug: "a" } }];
    const value = [{ ...paragraph, markDefs }];
    const links = ({ record }: { record: unknown }) => `/posts/${(record as { slug: string }).slug}`;
    expect(richTextHtml(value, { links })).toBe('<p><a href="/posts/a">a</a></p>');
    expect(richTextHtml(value)).toBe("<p>a</p>");
    expect(richTextHtml(value, { links: () => "javascript:alert(1)" })).toBe("<p>a</p>");
  });

  it("gives your own styles and decorators a class", () => {
    expect(richTextHtml([{ ...paragraph, style: "lead" }])).toBe(
      '<p class="lead"><span class="k">a</span></p>',
    );
  });

  it("takes ten thousand spans, and as many marks, without nesting calls", () => {
    const marks = Array.from({ length: 5000 }, (_, n) => `m${n}`);
    const children = Array.from({ length: 10_000 }, () => ({ _type: "span", text: "a", marks: ["em"] }));
    expect(richTextHtml([{ ...paragraph, children }])).toBe(`<p><em>${"a".repeat(10_000)}</em></p>`);
    expect(richTextHtml([{ ...paragraph, children: [{ text: "a", marks }] }])).toContain("a</span>");
  });

  it("writes nothing that runs, of hostile values", () => {
    for (const value of HOSTILE_TEXTS) {
      const html = richTextHtml(value, { pictures: { width: 10 } });
      expect(html).not.toMatch(/<script|href="\s*(?:javascript|data|vbscript)\s*:/i);
      expect(checkValue(field, value).ok).toBe(false);
    }
  });

  it.skipIf(chromium === null)(
    "runs nothing in Chromium, of hostile values, even if every link is clicked",
    async () => {
      const browser = await driver.launch({ executablePath: chromium ?? "", args: drivenChromiumFlags });
      try {
        const page = await browser.newPage();
        const ran: string[] = [];
        page.on("dialog", (dialog) => {
          ran.push(dialog.message());
          void dialog.dismiss();
        });
        const html = HOSTILE_TEXTS.map((value) => richTextHtml(value, { pictures: { width: 10 } })).join("");
        await page.setContent(`<!doctype html><meta charset="utf-8">${html}<p id="end">end</p>`);
        const links = await page.evaluate(() => {
          const all = [...document.querySelectorAll("a")];
          // A link that leads elsewhere would take the page away in the middle of the test.
          document.addEventListener("click", (event) => {
            if ((event.target as Element).closest("a")?.protocol !== "javascript:") event.preventDefault();
          });
          for (const one of document.querySelectorAll<HTMLElement>("*"))
            one.dispatchEvent(new MouseEvent("mouseover"));
          for (const one of all) one.click();
          const attributes = [...document.querySelectorAll("*")].flatMap((one) => one.getAttributeNames());
          if (attributes.some((name) => name.startsWith("on"))) throw new Error("A handler");
          return all.map((one) => one.protocol);
        });
        await page.waitForTimeout(200);
        expect(ran).toEqual([]);
        expect(links.length).toBeGreaterThan(0);
        expect(links).not.toContain("javascript:");
        // A page that does run what is not escaped shows that the test would see it.
        await page.setContent("<img src=x onerror=\"alert('ran')\">");
        await expect.poll(() => ran).toEqual(["ran"]);
      } finally {
        await browser.close();
      }
    },
  );
});
