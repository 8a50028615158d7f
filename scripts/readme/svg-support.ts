/**
 * Writes src/edge/delivery/SVG.md: the fate of each property, attribute and element of SVG in a raster.
 *
 *     node scripts/run.mjs scripts/readme/svg-support.ts
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { ATTRIBUTES, ELEMENTS, PROPERTIES } from "../../src/image/formats/svg/support/support.ts";
import type { Row } from "../../src/image/formats/svg/support/row.ts";

export const PAGE = fileURLToPath(new URL("../../src/edge/delivery/SVG.md", import.meta.url));

const INTRODUCTION = `# SVG in a raster

With \`fm\`, an SVG is drawn by resvg. This page says for each property, attribute and element of SVG 2, and for the
properties of CSS that apply to it, what the raster shows. It is written by \`scripts/readme/svg-support.ts\` from the
tables in [\`src/image/formats/svg/support\`](../../image/formats/svg/support), by which the code decides too.

| word      | meaning                                                                                          |
| --------- | ------------------------------------------------------------------------------------------------ |
| drawn     | resvg draws it as browsers do                                                                    |
| rewritten | it is written out, before the drawing is drawn, in a form that resvg draws as browsers do        |
| vector    | a drawing that uses it has no raster; the vector is answered, with \`X-Service-Transform: unavailable\` |
| nothing   | it changes nothing in a still picture                                                            |
| removed   | it is left out of the stored drawing, so that the vector lacks it too                            |

Values count as in CSS: keywords in any case, and the last valid declaration prevails. Only what prevails decides. A
drawing over 512 KB or 8000 elements cannot be rewritten, and has no raster if it needs to be.

A drawing has no raster either if it has text in a script that Noto Sans and Noto Sans Math have no glyphs for (Chinese,
Japanese, Korean, Arabic, Hebrew, emoji and more), or neither a \`viewBox\` nor a size.
`;

function section(title: string, rows: readonly Row[]): string {
  const lines = rows.map(({ name, handling, note }) => `| \`${name}\` | ${handling} | ${note} |`);
  return [`## ${title}`, "", "| name | raster | note |", "| --- | --- | --- |", ...lines, ""].join("\n");
}

/** Returns the text of the page. */
export async function supportPage(): Promise<string> {
  const sections = [
    section("Properties", PROPERTIES),
    section("Attributes", ATTRIBUTES),
    section("Elements", ELEMENTS),
  ];
  const options = await resolveConfig(PAGE);
  return format([INTRODUCTION, ...sections].join("\n"), { ...options, parser: "markdown" });
}

if (import.meta.main) writeFileSync(PAGE, await supportPage());
