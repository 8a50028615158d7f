/** Converts Markdown to Portable Text, by the HTML that it stands for. */
import { marked } from "marked";
import type { JsonObject } from "../site.ts";
import { richTextFromHtml, type TextSource } from "./html.ts";

/** Converts Markdown, as GitHub knows it, to the blocks of a rich text. */
export function richTextFromMarkdown(markdown: string, source: TextSource): JsonObject[] {
  const html = marked.parse(markdown, { gfm: true, async: false });
  return richTextFromHtml(html, source);
}
