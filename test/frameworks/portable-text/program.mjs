/** Renders the rich texts in texts.json by @portabletext/react and @portabletext/vue, and by this package. */
import { readFileSync } from "node:fs";
import { PortableText as InReact } from "@portabletext/react";
import { PortableText as InVue } from "@portabletext/vue";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { richTextHtml } from "silverprint/html";
import { createSSRApp, h } from "vue";
import { renderToString } from "vue/server-renderer";

const rendered = [];
for (const { name, value } of JSON.parse(readFileSync("texts.json", "utf8"))) {
  const props = { value, onMissingComponent: false };
  rendered.push({
    name,
    react: renderToStaticMarkup(createElement(InReact, props)),
    vue: await renderToString(createSSRApp({ render: () => h(InVue, props) })),
    own: richTextHtml(value),
  });
}
console.log(JSON.stringify(rendered));
