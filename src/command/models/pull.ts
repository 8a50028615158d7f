/** `silverprint pull`: writes the document of models from a space. The same space gives the same bytes. */
import { readFile, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { defineCommand, value } from "../form/command.ts";
import { configsIn, CONFIG_FILES } from "../config/load.ts";
import { Failure } from "../base/failure.ts";
import type { Model, Settings } from "./api.ts";

/** The parts of a model that belong to a space, and not to its document. */
const OF_SPACE: ReadonlySet<string> = new Set(["version", "createdAt", "updatedAt"]);

const ORDER: readonly Model["typeModel"][] = ["components", "collections", "pages"];

/** Returns a model without the options that are at their defaults. */
const modelIn = (model: Model): object =>
  Object.fromEntries(
    Object.entries(model).filter(([name, held]) => !OF_SPACE.has(name) && held !== null && held !== false),
  );

const byKindAndName = (one: Model, other: Model): number =>
  ORDER.indexOf(one.typeModel) - ORDER.indexOf(other.typeModel) || (one.name < other.name ? -1 : 1);

/** Returns the text of a document. It depends on the settings and models alone, and not on the order they were made. */
export function documentText(settings: Settings, models: readonly Model[], isCode: boolean): string {
  const document = { settings, models: [...models].sort(byKindAndName).map(modelIn) };
  const json = JSON.stringify(document, null, 2);
  return isCode
    ? `import { defineModels } from "silverprint/config";\n\nexport default defineModels(${json});\n`
    : `${json}\n`;
}

/** Returns the file to write. @throws Failure rather than overwriting code that a person may have written */
function targetOf(folder: string, out: string | undefined): string {
  if (out !== undefined) return resolve(folder, out);
  const code = configsIn(folder).find((path) => !path.endsWith(".json"));
  if (code !== undefined)
    throw new Failure(`${code} is there, and would lose what is not a model: comments, say.`, {
      next: `Name the file to write: --out ${basename(code)}, or --out ${CONFIG_FILES[0]}.`,
    });
  return resolve(folder, CONFIG_FILES[0]);
}

export const pull = defineCommand({
  name: "pull",
  summary: "write the document of models from a space",
  description:
    "Writes the settings and models of a space to silverprint.config.json, or to a .ts file with defineModels. The same " +
    "space gives the same file, byte for byte.",
  options: { out: value("file", "the file to write, .json or .ts; by default silverprint.config.json") },
  examples: [
    { line: "pull", does: "writes silverprint.config.json" },
    { line: "pull --out silverprint.config.ts", does: "writes it as TypeScript" },
  ],
  run: async ({ options, world, output, connect }) => {
    const path = targetOf(world.cwd, options.out);
    const service = await connect();
    const models: Model[] = [];
    for await (const model of service.list<Model>("/models")) models.push(model);
    const { data } = await service.json<{ data: Settings }>("GET", "/settings");
    const text = documentText(data, models, !path.endsWith(".json"));
    const before = await readFile(path, "utf8").catch(() => null);
    if (before !== text) {
      await writeFile(path, text).catch((error: unknown) => {
        throw new Failure(`${path} cannot be written.`, {
          next: "Check that its folder is there.",
          cause: error,
        });
      });
    }
    output.note(
      before === text ? `${path} is as the space.` : `${models.length} models are written to ${path}.`,
    );
    return { json: { file: path, models: models.length, isChanged: before !== text } };
  },
});
