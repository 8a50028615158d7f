/** The note in a folder of kept records, by which a later run knows whether they are as many as it was asked for. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Kept {
  /** The last migration that the records have had. */
  migration: string;
  /** The records of each space, as they were written at first. */
  records: number;
}

const FILE = "kept.json";

/**
 * Returns the note of a folder; null if it keeps none.
 * @throws Error if it keeps another number of records
 */
export function readKept(folder: string, records: number): Kept | null {
  const path = join(folder, FILE);
  if (!existsSync(path)) return null;
  const kept = JSON.parse(readFileSync(path, "utf8")) as Kept;
  if (kept.records === records) return kept;
  throw new Error(
    `${folder} keeps ${kept.records} records a space, not ${records}. Ask for ${kept.records}, or name another folder.`,
  );
}

export function noteKept(folder: string, kept: Kept): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, FILE), JSON.stringify(kept));
}
