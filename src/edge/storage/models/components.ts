/** Components in D1: models without records, whose definitions are stored with each model that holds them. */
import { sql, type SQL } from "drizzle-orm";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Database } from "../database/database.ts";

export interface ComponentRow {
  id: number;
  name: string;
  version: number;
  fields: StoredField[];
}

/** Reads all components of a space: a space has at most 200 models. */
export async function readComponents(db: Database, spaceId: string): Promise<ComponentRow[]> {
  const rows = await db.all<Omit<ComponentRow, "fields"> & { fields: string }>(sql`
    SELECT id, name, version, fields FROM models WHERE space_id = ${spaceId} AND type_model = 'components' ORDER BY id`);
  return rows.map((row) => ({ ...row, fields: JSON.parse(row.fields) as StoredField[] }));
}

/** Returns the condition that models are at the versions at which they were read. */
export const areAtVersions = (versions: readonly [id: number, version: number][]): SQL => sql`
  NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(versions)}) v WHERE NOT EXISTS
    (SELECT 1 FROM models c WHERE c.id = v.value ->> 0 AND c.version = v.value ->> 1))`;

/** Returns the condition that the model `m` holds a component, directly or inside another one. */
export const holdsComponent = (name: string): SQL =>
  sql`EXISTS (SELECT 1 FROM json_each(m.components) c WHERE c.key = ${name})`;
