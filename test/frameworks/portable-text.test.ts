/** Rich text as the service keeps it, rendered by @portabletext/react and @portabletext/vue as it is. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { installApp } from "./support/app.ts";
import { plain } from "./support/plain-html.ts";
import { keptRichTexts } from "./support/rich-texts.ts";

interface Rendered {
  name: string;
  react: string;
  vue: string;
  own: string;
}

it("is the same in @portabletext/react, @portabletext/vue and silverprint/html", async () => {
  const app = await installApp("portable-text");
  const texts = keptRichTexts();
  writeFileSync(join(app.folder, "texts.json"), JSON.stringify(texts));
  const rendered = JSON.parse(await app.run("node", "program.mjs")) as Rendered[];
  expect(rendered).toHaveLength(texts.length);
  for (const { name, react, vue, own } of rendered) {
    expect([name, plain(react)]).toEqual([name, plain(own)]);
    expect([name, plain(vue)]).toEqual([name, plain(own)]);
  }
});
