/** Rich text as the service keeps it, rendered by @portabletext/svelte as it is. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { richTextHtml } from "../../src/client/rich-text/html.ts";
import { installApp } from "./support/app.ts";
import { plain } from "./support/plain-html.ts";
import { keptRichTexts } from "./support/rich-texts.ts";

const TAG_OR_TEXT = /<(?:"[^"]*"|[^">])*>|[^<]+/g;

/**
 * Returns the same without the references that a text may do without. Svelte writes none of them. A quotation mark in an
 * attribute keeps its reference, which it needs.
 */
const bare = (html: string): string =>
  plain(html).replaceAll(TAG_OR_TEXT, (part) => {
    const open = part.replaceAll("&gt;", ">");
    return part.startsWith("<") ? open : open.replaceAll("&quot;", '"');
  });

it("is the same in @portabletext/svelte and in silverprint/html", async () => {
  const app = await installApp("portable-text-svelte");
  const texts = keptRichTexts();
  writeFileSync(join(app.folder, "texts.json"), JSON.stringify(texts));
  await app.run("vite", "build", "--ssr", "program.mjs");
  const rendered = JSON.parse(await app.run("node", "dist/program.js")) as { name: string; svelte: string }[];
  expect(rendered).toHaveLength(texts.length);
  for (const [at, { name, value }] of texts.entries()) {
    expect([name, bare(rendered[at]?.svelte ?? "")]).toEqual([name, bare(richTextHtml(value))]);
  }
});
