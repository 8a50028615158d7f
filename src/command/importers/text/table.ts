/** Converts tables of HTML: rich text has none, so a table becomes an object of a component. */
import { serializeOuter } from "parse5";
import type { JsonObject } from "../site.ts";
import { cleanText } from "./portable-text.ts";
import { elementsIn, textIn, type Element } from "./tree.ts";

const cellsOf = (row: Element): Element[] =>
  row.childNodes.filter(
    (node): node is Element => "tagName" in node && (node.tagName === "td" || node.tagName === "th"),
  );

/** Returns the content of the object of a table. */
export function tableOf(element: Element): JsonObject {
  const rows = elementsIn(element, "tr").map(cellsOf);
  const first = rows[0] ?? [];
  const hasHeader = first.length > 0 && first.every(({ tagName }) => tagName === "th");
  const texts = rows.map((cells) =>
    cells.map((cell) =>
      cleanText(textIn(cell))
        .replaceAll(/[ \t\n]+/g, " ")
        .trim(),
    ),
  );
  return { rows: texts, hasHeader, html: cleanText(serializeOuter(element)) };
}
