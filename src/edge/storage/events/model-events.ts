/** Writes the events of models. */
import { type SQL } from "drizzle-orm";
import type { ModelRow } from "../spaces/entries.ts";
import type { VerbOf } from "./actions.ts";
import type { By } from "./actor.ts";
import { eventStatement } from "./events.ts";

/** The names of the fields and options that a change of a model concerns. */
export interface ModelFacts {
  /** The version of the model after the change. */
  version: number;
  added?: readonly string[];
  removed?: readonly string[];
  changed?: readonly string[];
  /** The new names of renamed fields, by the earlier ones. */
  renamed?: Readonly<Record<string, string>>;
}

/** Writes an event of a model, before the change and under its condition. */
export const modelEvent = (
  { spaceId, typeModel, name }: Pick<ModelRow, "spaceId" | "typeModel" | "name">,
  verb: VerbOf<"model">,
  { origin, now }: By,
  facts: ModelFacts,
  condition?: SQL,
): SQL => {
  const target = { kind: "model", id: name, model: { typeModel, name } } as const;
  return eventStatement(
    spaceId,
    origin,
    now,
    { action: `model.${verb}`, target, facts: { ...facts } },
    condition,
  );
};
