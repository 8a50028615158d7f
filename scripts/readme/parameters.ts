/**
 * Writes the table of image parameters into the READMEs that have it, from `src/image/parameters/table.ts`:
 * `node scripts/run.mjs scripts/readme/parameters.ts`. A test fails while a README has another table.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { forEachParameter, NO_PARAMETERS } from "../../src/image/parameters/table.ts";

/** The READMEs with the table. */
export const PARAMETER_READMES = ["README.md", "src/edge/delivery/README.md"];

const BEGIN = "<!-- parameters: written by scripts/readme/parameters.ts -->";
const END = "<!-- /parameters -->";

function parameterTable(): string {
  const rows = ["| parameter | values | meaning |", "| --- | --- | --- |"];
  forEachParameter(NO_PARAMETERS, ({ name, values, meaning }) => {
    rows.push(`| \`${name}\` | ${values} | ${meaning} |`);
  });
  return rows.join("\n");
}

/** Returns the README with the table between its marks. @throws Error if the README lacks the marks */
export async function withParameterTable(file: string): Promise<string> {
  const text = readFileSync(file, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} needs the lines "${BEGIN}" and "${END}".`);
  const whole = `${text.slice(0, begin)}${BEGIN}\n\n${parameterTable()}\n\n${text.slice(end)}`;
  return format(whole, { ...(await resolveConfig(file)), parser: "markdown" });
}

if (import.meta.main) {
  for (const file of PARAMETER_READMES) writeFileSync(file, await withParameterTable(file));
}
