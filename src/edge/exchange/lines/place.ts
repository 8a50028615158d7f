/** The places of an export: where it goes on behind each of its lines. */
import type { Space } from "../../spaces/authorize.ts";
import type { Database } from "../../storage/database/database.ts";

/** The steps of an export, in their order. */
export const STEPS = [
  "space",
  "models",
  "media",
  "records",
  "trashedMedia",
  "trashedRecords",
  "webhooks",
  "end",
] as const;
export type Step = (typeof STEPS)[number];

/** The place in the lines of one record: behind a line, or behind the line of one of its locales. */
export interface Within {
  seq: number;
  /** 0 behind the record, 1 behind its published content, 2 behind an event. */
  stage: 0 | 1 | 2;
  /** The locale whose line was the last one; 0 behind the line itself. -1: all lines of the stage are written. */
  locale: number;
  /** The event. */
  no: number;
}

/** The place from which an export goes on. */
export interface Place {
  step: Step;
  /** The last model, as `typeModel/name`; of records, their model. */
  model: string;
  /** The last media item, or entry of the trash. */
  id: string;
  /** The time of creation or deletion of the last record, and its number. */
  at: number;
  seq: number;
  within: Within | null;
}

export const START: Place = { step: "space", model: "", id: "", at: 0, seq: -(2 ** 52), within: null };

export interface Exported {
  text: string;
  /** Where to go on after the line. */
  place: Place;
}

export interface ExportSource {
  db: Database;
  space: Space;
  /** When the export began. */
  startedAt: number;
}

export type Lines = AsyncGenerator<Exported>;
