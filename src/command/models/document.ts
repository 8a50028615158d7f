/** The document of a command line, planned by the service. */
import { value, values, type Context } from "../form/command.ts";
import { findConfig, loadConfig } from "../config/load.ts";
import type { ModelsDocument } from "../config/index.ts";
import type { Service } from "../service/service.ts";
import type { ModelsPlan } from "./api.ts";

/** The options of the commands that take a document. */
export const DOCUMENT_OPTIONS = {
  config: value("file", "the document of models; by default silverprint.config.json or .ts in this folder"),
  allowDrop: values(
    "model.field",
    "a field whose values may be lost; once per field. model.field@de is one locale of it, @de a whole locale; " +
      "pages/model.field if two models have the same name",
  ),
} as const;

/** Returns the document that the options name. */
export const documentOf = ({ options, world }: Context<typeof DOCUMENT_OPTIONS>): Promise<ModelsDocument> =>
  loadConfig(findConfig(world.cwd, options.config));

/** Returns the members of a document that the service takes. It refuses those that it does not know, a misspelt one too. */
export function sentOf(document: ModelsDocument & { $schema?: unknown }): ModelsDocument {
  const sent = { ...document };
  delete sent.$schema;
  return sent;
}

export async function planOf(
  service: Service,
  document: ModelsDocument,
  allowDrop: readonly string[],
): Promise<ModelsPlan> {
  const json = { ...sentOf(document), allowDrop };
  const asked = { json, isRepeatable: true };
  return (await service.json<{ data: ModelsPlan }>("POST", "/models/plan", asked)).data;
}
