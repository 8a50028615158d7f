/** The text of a document of models, and the losses in its plan. */
import type { components } from "../../client/index.ts";

type Schemas = components["schemas"];
export type ModelsDocument = Omit<Schemas["ModelsDocument"], "allowDrop">;
export type DocumentPlan = Schemas["ModelsPlan"];
export type DocumentEntry = DocumentPlan["changes"][number];

/** A document that the editor gave, and the losses that it allows itself. */
export interface GivenDocument {
  document: ModelsDocument;
  allowDrop: string[];
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/**
 * Reads a document. The losses that it allows are parted from it: a plan without them shows what would be lost.
 * @throws Error with the reason if the text is none
 */
export function readDocument(text: string): GivenDocument {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("models" in value))
    throw new Error('It has no "models": paste the whole file that silverprint pull writes.');
  const { allowDrop = [], ...document } = value as ModelsDocument & {
    $schema?: unknown;
    allowDrop?: unknown;
  };
  if (!isTexts(allowDrop))
    throw new Error('"allowDrop" must be a list of names, such as "posts.legacy" or "@de".');
  // The address of the schema is for the editor of the file. The service refuses members that it does not know.
  delete document.$schema;
  return { document, allowDrop };
}

/** Values that the plan would lose: the name that allows it, and the service's words about it. */
export interface Loss {
  name: string;
  message: string;
}

/** Separates the losses of a plan, which the editor may allow, from what stands against it. */
export function lossesOf({ conflicts }: Pick<DocumentPlan, "conflicts">): {
  losses: Loss[];
  obstacles: DocumentPlan["conflicts"];
} {
  const losses = new Map<string, Loss>();
  const obstacles: DocumentPlan["conflicts"] = [];
  for (const conflict of conflicts) {
    const { loss } = conflict;
    if (!loss) {
      obstacles.push(conflict);
      continue;
    }
    const message = [losses.get(loss.name)?.message, loss.fact].filter(Boolean).join("; ");
    losses.set(loss.name, { name: loss.name, message });
  }
  return { losses: [...losses.values()], obstacles };
}
