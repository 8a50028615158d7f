/** Changes a component in D1: its own row, and the copies of its definition in the models that hold it, in one batch. */
import { sql, type SQL } from "drizzle-orm";
import type { StoredField } from "../../../content/field-types/fields.ts";
import { batchSql, type Database } from "../database/database.ts";
import { guard, isGuardFailure } from "../database/guard.ts";
import type { Origin } from "../events/actor.ts";
import { modelEvent, type ModelFacts } from "../events/model-events.ts";
import { int } from "../records/record-index.ts";
import { startRebuild } from "../search/search-rebuilds.ts";
import type { ModelRow } from "../spaces/entries.ts";
import { finishStatements, nothingInWork, type ModelChangeRow } from "./background-changes.ts";
import { areAtVersions } from "./components.ts";
import { areHolders, fingerprintOf, numbersOf, type HolderRow } from "./holders.ts";
import { targetsAreThere } from "./models.ts";

export interface ComponentUpdate {
  model: ModelRow;
  fields: StoredField[];
  /** The last number that was given to a field. */
  lastField: number;
  /** The components that the fields hold, as they were read. */
  held: { stored: string; versions: readonly [id: number, version: number][] };
  options: Pick<ModelRow, "label" | "description" | "titleField">;
  /** The models that hold the component, as they were read, each with the components that it holds afterwards. */
  holders: readonly { row: HolderRow; components: string; isSearched: boolean }[];
  /** The fingerprint of their records when they were checked; null if none were checked. */
  fingerprint: string | null;
  now: number;
  /** The change in the background that ends with this batch; null for a change that is made at once. */
  inBackground: ModelChangeRow | null;
  origin: Origin;
  /** The facts of the event of the change. */
  facts: ModelFacts;
}

/** Returns the guards for the conditions that were checked before the change, to check them again in its batch. */
function guards({ model, fields, held, holders, fingerprint, inBackground, now }: ComponentUpdate): SQL[] {
  const rows = holders.map(({ row }) => row);
  const numbers = numbersOf(rows.filter(({ typeModel }) => typeModel !== "components").map(({ id }) => id));
  return [
    guard(sql`EXISTS (SELECT 1 FROM models WHERE id = ${int(model.id)} AND version = ${int(model.version)})`),
    guard(targetsAreThere(model.spaceId, fields, null)),
    guard(areAtVersions(held.versions)),
    guard(areHolders(model.spaceId, model.name, rows)),
    ...(inBackground ? finishStatements(inBackground, now) : [guard(nothingInWork(model.id))]),
    ...(fingerprint === null ? [] : [guard(sql`${fingerprintOf(numbers)} = ${fingerprint}`)]),
  ];
}

/** Writes the change as one batch. False if a checked condition does not hold any more. */
export async function updateComponent(db: Database, update: ComponentUpdate): Promise<boolean> {
  const { model, fields, lastField, held, options, holders, now } = update;
  const statements = [
    ...guards(update),
    modelEvent(model, "changed", update, update.facts),
    sql`UPDATE models SET fields = ${JSON.stringify(fields)}, components = ${held.stored}, label = ${options.label},
        description = ${options.description}, title_field = ${options.titleField}, last_field = ${int(lastField)},
        version = version + 1, updated_at = max(${now}, updated_at) WHERE id = ${int(model.id)}`,
    ...holders.map(
      ({ row, components }) =>
        sql`UPDATE models SET components = ${components}, version = version + 1 WHERE id = ${int(row.id)}`,
    ),
    ...holders.flatMap(({ row, isSearched }) => (isSearched ? [startRebuild(row.id)] : [])),
  ];
  try {
    await batchSql(db, statements);
    return true;
  } catch (error) {
    if (isGuardFailure(error)) return false;
    throw error;
  }
}
