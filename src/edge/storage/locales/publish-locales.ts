/**
 * Publishes and unpublishes the locales of a record (RULES 3.33), each batch with its index rows. The published row of a
 * record has the shared fields, and the values of the default locale where that is published; the contents of the other
 * published locales stand beside it.
 */
import { sql, type SQL } from "drizzle-orm";
import { isSearchable } from "../../../content/field-types/fields.ts";
import { isLocalized } from "../../../content/model/localized-model.ts";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import type { Model, StoredContent } from "../../../content/model/model.ts";
import type { PlannedWrite } from "../database/planned-write.ts";
import { recordEvent, type PlanEvent } from "../events/record-events.ts";
import { releaseVersions, sameVersion, type RecordEvent } from "../history/record-versions.ts";
import { int, pathOf } from "../records/index-parts.ts";
import { firstPublication, hasRow, isAsRead, reindex } from "../records/publish.ts";
import { publishedSeq, withdraw } from "../records/published.ts";
import type { VersionedRecord } from "../records/records.ts";
import { copySides } from "./sides.ts";

/** A record whose editions were read. */
export interface EditedRecord extends VersionedRecord {
  locales: string | null;
}

/** The editions of a record after a step, in its own row and in that of its published content. */
export interface EditionsAfter {
  own: string;
  published: string;
  /** The earliest plan of a locale other than the default. */
  planAt: number | null;
}

const asReadWith = (model: Model, record: EditedRecord, schedule?: SQL): SQL =>
  sql`${isAsRead(model, record, schedule)} AND r.locales IS ${record.locales}`;

const editionColumns = ({ own, planAt }: EditionsAfter): SQL =>
  sql`locales = ${own}, locale_plan_at = ${planAt}`;

export interface LocaleStep {
  event: RecordEvent;
  /** The planned time of the default locale's step, which is done now; null for none. */
  due: number | null;
  /** The numbers of the locales. */
  locales: readonly number[];
  after: EditionsAfter;
}

const numbers = (locales: readonly number[]): SQL =>
  sql`(SELECT value FROM json_each(${JSON.stringify(locales)}))`;

/** Returns `records.held` of a new published row: those of the locales in which the draft `r` has a content to copy. */
const heldOfDraft = (locales: readonly number[]): SQL => sql`(SELECT ',' || group_concat(locale, ',') || ','
  FROM (SELECT l.locale FROM record_locales l WHERE l.record = r.seq AND l.locale IN ${numbers(locales)} ORDER BY l.locale))`;

/** The columns of a published row that follow from its draft. */
const CONTENT = sql.raw(`data = excluded.data, folded = excluded.folded, size_bytes = excluded.size_bytes,
  version = excluded.version, updated_at = excluded.updated_at, updated_by = excluded.updated_by`);

/** Publishes the shared fields and the default locale. */
const publishOwn = (
  model: Model,
  seq: number,
  asRead: SQL,
  { event, after, locales }: LocaleStep,
): SQL => sql`
  INSERT INTO records (seq, model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at,
    created_by, updated_by, published_version, published_at, first_published_at, locales, held)
  SELECT ${int(publishedSeq(seq))}, ${int(-model.id)}, r.space_id, r.id, r.data, r.folded, r.size_bytes, r.version,
    r.created_at, r.updated_at, r.created_by, r.updated_by, r.version, ${event.now}, ${firstPublication(event.now)}, ${after.published}, ${heldOfDraft(locales)}
  FROM records r WHERE ${asRead}
  ON CONFLICT (seq) DO UPDATE SET ${CONTENT}, published_version = excluded.published_version,
    published_at = excluded.published_at, first_published_at = excluded.first_published_at, locales = excluded.locales`;

/** Publishes the shared fields alone, for a record of which nothing is published. */
const publishShared = (
  model: Model,
  seq: number,
  asRead: SQL,
  { after, locales }: LocaleStep,
  { data, folded, sizeBytes }: StoredContent,
): SQL => sql`
  INSERT INTO records (seq, model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at,
    created_by, updated_by, locales, held)
  SELECT ${int(publishedSeq(seq))}, ${int(-model.id)}, r.space_id, r.id, ${data}, ${folded}, ${sizeBytes}, r.version,
    r.created_at, r.updated_at, r.created_by, r.updated_by, ${after.published}, ${heldOfDraft(locales)}
  FROM records r WHERE ${asRead}
  ON CONFLICT (seq) DO UPDATE SET ${CONTENT}, locales = excluded.locales`;

const setPublishedEditions = (seq: number, asRead: SQL, { after }: LocaleStep): SQL => sql`
  UPDATE records SET locales = ${after.published} WHERE seq = ${int(publishedSeq(seq))}
    AND EXISTS (SELECT 1 FROM records r WHERE ${asRead})`;

/** Removes what is published in locales in which the draft holds nothing. */
const dropEmptied = (seq: number, asRead: SQL, locales: readonly number[]): SQL => sql`
  DELETE FROM record_locales WHERE record = ${int(publishedSeq(seq))} AND locale IN ${numbers(locales)}
    AND NOT EXISTS (SELECT 1 FROM record_locales d WHERE d.record = ${int(seq)} AND d.locale = record_locales.locale)
    AND EXISTS (SELECT 1 FROM records r WHERE ${asRead})`;

/**
 * Publishes locales of a record. Its outcome is false when record, editions or model changed meanwhile.
 * @param shared the shared fields, where they are published without the default locale; null for other publications
 */
export function publishLocales(
  model: Model,
  record: EditedRecord,
  step: LocaleStep,
  shared: StoredContent | null,
): PlannedWrite<boolean> {
  const { seq } = record;
  const { event, due, locales, after } = step;
  const isDefault = locales.includes(DEFAULT_NUMBER);
  const asRead = asReadWith(model, record, due === null ? sql`1` : sql`r.publish_at = ${due}`);
  const own = isDefault
    ? publishOwn(model, seq, asRead, step)
    : shared
      ? publishShared(model, seq, asRead, step, shared)
      : setPublishedEditions(seq, asRead, step);
  const before = [
    ...sameVersion(asRead, event),
    own,
    copySides(
      asRead,
      { seq: int(publishedSeq(seq)), modelId: int(-model.id) },
      sql`l.locale IN ${numbers(locales)}`,
    ),
    dropEmptied(seq, asRead, locales),
  ];
  const publication = isDefault
    ? sql`, published_version = version, published_at = ${event.now}, publish_at = NULL,
        first_published_at = ${firstPublication(event.now)}`
    : sql``;
  const statements = [
    ...before,
    sql`UPDATE records AS r SET ${editionColumns(after)} ${publication} WHERE ${asRead} RETURNING seq`,
    releaseVersions(seq, event.now),
    ...reindex(model, seq),
  ];
  return { statements, outcome: hasRow(before.length) };
}

/** Removes the values of the default locale from the published row, whose shared fields stay. */
function stripDefault(model: Model, seq: number, asRead: SQL): SQL {
  const localized = model.fields.filter(isLocalized);
  const paths = sql.join(
    localized.map((field) => sql`${pathOf(field)}`),
    sql`, `,
  );
  const isSearched = localized.some(isSearchable);
  const folded = sql`json_remove(folded, ${paths})`;
  const words = sql`json_set(${folded}, '$.words', coalesce(folded ->> 'shared', ''))`;
  return sql`UPDATE records SET data = json_remove(data, ${paths}), folded = ${isSearched ? words : folded},
      size_bytes = length(CAST(json_remove(data, ${paths}) AS BLOB)),
      published_version = NULL, published_at = NULL, first_published_at = NULL
    WHERE seq = ${int(publishedSeq(seq))} AND EXISTS (SELECT 1 FROM records r WHERE ${asRead})`;
}

/**
 * Unpublishes locales of a record. Its outcome is as above.
 * @param isLast whether nothing of the record is published afterwards
 */
export function unpublishLocales(
  model: Model,
  record: EditedRecord,
  step: LocaleStep,
  isLast: boolean,
): PlannedWrite<boolean> {
  const { seq } = record;
  const { event, due, locales, after } = step;
  const isDefault = locales.includes(DEFAULT_NUMBER);
  const asRead = asReadWith(model, record, due === null ? sql`1` : sql`r.unpublish_at = ${due}`);
  const partly = [
    ...(isDefault ? [stripDefault(model, seq, asRead)] : []),
    sql`DELETE FROM record_locales WHERE record = ${int(publishedSeq(seq))} AND locale IN ${numbers(locales)}
      AND EXISTS (SELECT 1 FROM records r WHERE ${asRead})`,
    setPublishedEditions(seq, asRead, step),
  ];
  const before = [...sameVersion(asRead, event), ...(isLast ? [withdraw(seq, asRead)] : partly)];
  const publication = isDefault
    ? sql`, published_version = NULL, published_at = NULL, unpublish_at = NULL,
        first_published_at = coalesce(first_published_at, published_at)`
    : sql``;
  const statements = [
    ...before,
    sql`UPDATE records AS r SET ${editionColumns(after)} ${publication} WHERE ${asRead} RETURNING seq`,
    releaseVersions(seq, event.now),
    ...reindex(model, seq),
  ];
  return { statements, outcome: hasRow(before.length) };
}

/** Sets or clears plans. Its outcome is as above. @param own the plans of the default locale that change */
export function planLocales(
  model: Model,
  record: EditedRecord,
  after: EditionsAfter,
  own: readonly { column: "publish_at" | "unpublish_at"; at: number | null }[],
  event: PlanEvent,
): PlannedWrite<boolean> {
  const plan = sql.join(
    own.map(({ column, at }) => sql`, ${sql.raw(column)} = ${at}`),
    sql``,
  );
  return {
    statements: [
      recordEvent(asReadWith(model, record), event),
      sql`UPDATE records AS r SET ${editionColumns(after)} ${plan} WHERE ${asReadWith(model, record)} RETURNING seq`,
    ],
    outcome: hasRow(1),
  };
}

/** Drops the plans of locales of a record that are not published by locale any more. Its outcome is as above. */
export const dropLocalePlans = (
  model: Model,
  record: VersionedRecord,
  event: PlanEvent,
): PlannedWrite<boolean> => ({
  statements: [
    recordEvent(isAsRead(model, record), event),
    sql`UPDATE records AS r SET locale_plan_at = NULL WHERE ${isAsRead(model, record)} RETURNING seq`,
  ],
  outcome: hasRow(1),
});
