/** Rich text as the service keeps it, rendered by astro-portabletext as it is. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { richTextHtml } from "../../src/client/rich-text/html.ts";
import { installApp } from "./support/app.ts";
import { plain } from "./support/plain-html.ts";
import { keptRichTexts } from "./support/rich-texts.ts";

/** Puts a list into the levels that it skips: empty items since version 6 of @portabletext/toolkit. */
const skipped = (levels: number, inner: string): string =>
  "<ul><li>".repeat(levels) + inner + "</li></ul>".repeat(levels);
const SKIPPED_LEVELS: Readonly<Record<string, string>> = {
  "deep, weird lists": `<ul><li>${skipped(2, "a")}</li><li>b${skipped(9, "c")}</li></ul>`,
};

it("is the same in astro-portabletext and in silverprint/html", async () => {
  const app = await installApp("portable-text-astro");
  const texts = keptRichTexts();
  writeFileSync(join(app.folder, "texts.json"), JSON.stringify(texts));
  await app.run("astro", "build");
  const page = readFileSync(join(app.folder, "dist/index.html"), "utf8");
  const rendered = [...page.matchAll(/<section>(.*?)<\/section>/gs)].map(([, html = ""]) => html);
  expect(rendered).toHaveLength(texts.length);
  for (const [at, { name, value }] of texts.entries()) {
    const own = SKIPPED_LEVELS[name] ?? richTextHtml(value);
    expect([name, plain(rendered[at] ?? "")]).toEqual([name, plain(own)]);
  }
});
