/** `silverprint types`: TypeScript types of a space's models, for the client. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { defineCommand, value } from "../form/command.ts";
import { Failure } from "../base/failure.ts";
import type { ModelDescription } from "./model-description.ts";

export const types = defineCommand({
  name: "types",
  summary: "write TypeScript types of the models",
  description:
    'Writes the types of a space\'s models, for the client: createClient<import("./my-site.ts").Space>(...).',
  options: { out: value("file", "the file to write; without it, the types are printed") },
  examples: [
    { line: "types --out models.ts", does: "writes the types to a file" },
    { line: "types > models.ts", does: "does the same by the shell" },
  ],
  run: async ({ options: { out }, world, output, connect }) => {
    const service = await connect();
    const models: ModelDescription[] = [];
    for await (const model of service.list<ModelDescription>("/models")) models.push(model);
    const { spaceTypes } = await import("./space-types.ts");
    const text = spaceTypes(service.place.space, models);
    if (out === undefined) return { json: { models: models.length, types: text }, words: text };
    const path = resolve(world.cwd, out);
    await writeFile(path, text).catch((error: unknown) => {
      throw new Failure(`${path} cannot be written.`, {
        next: "Check that its folder is there.",
        cause: error,
      });
    });
    output.note(`${models.length} models are written to ${path}.`);
    return { json: { models: models.length, file: path } };
  },
});
