/**
 * A copy of all rows, inside D1, that an attempt can begin with. To make the rows again by requests takes most of the
 * time of an attempt.
 */
import { bindings, tableNames } from "../rows.ts";

const prepare = (sql: string): D1PreparedStatement => bindings.DB.prepare(sql);

/** Copies the rows of now. @returns what puts them back; `emptyStorage` drops the copy */
export async function copyRows(): Promise<() => Promise<void>> {
  const tables = await tableNames();
  const counts = await bindings.DB.batch<{ rows: number }>(
    tables.map((name) => prepare(`SELECT count(*) AS rows FROM "${name}"`)),
  );
  const filled = tables.filter((_, at) => counts[at]?.results[0]?.rows !== 0);
  await bindings.DB.batch(
    filled.map((name) => prepare(`CREATE TABLE "copy_of_${name}" AS SELECT * FROM "${name}"`)),
  );
  // Triggers of other tables count in this one, so its own rows replace what they counted.
  const inOrder = filled.toSorted((a, b) => Number(a === "space_totals") - Number(b === "space_totals"));
  return async () => {
    await bindings.DB.batch([
      ...tables.map((name) => prepare(`DELETE FROM "${name}"`)),
      ...inOrder.map((name) => prepare(`INSERT OR REPLACE INTO "${name}" SELECT * FROM "copy_of_${name}"`)),
    ]);
  };
}
