/** Renders the rich texts in texts.json by @portabletext/svelte. */
import { readFileSync } from "node:fs";
import { PortableText } from "@portabletext/svelte";
import { render } from "svelte/server";

const texts = JSON.parse(readFileSync("texts.json", "utf8"));
const rendered = texts.map(({ name, value }) => ({
  name,
  svelte: render(PortableText, { props: { value, onMissingComponent: false } }).body,
}));
console.log(JSON.stringify(rendered));
