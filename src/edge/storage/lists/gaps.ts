/**
 * Finds the records without a value of a localized field, which have no index row of it, in order of creation and without a
 * look at those that have one. Records that hold the same locales share one text in `records.held`, and contents that hold
 * the same fields one in `record_locales.filled`. The different texts are read first, each by one step in the index. Those
 * that lack the locale or the field are streams in order of creation, which are merged. Where there are more texts than a
 * page reads, one stream stands for all that are left, and its records or contents are looked at one by one.
 */
import { sql, type SQL } from "drizzle-orm";
import type { StoredField } from "../../../content/field-types/fields.ts";
import { localeOfNumber, withoutLocale } from "../../../content/locales/numbers.ts";
import { CONTENT } from "../../../limits.ts";
import { int, intText } from "../records/index-parts.ts";

interface Wanted {
  modelId: number;
  field: StoredField;
  descending: boolean;
  /** The `seq` behind which the records stand; null for all. */
  after: number | null;
}

/** One of the two columns, with the rows that it stands in, as SQL. */
interface Source {
  from: string;
  text: string;
  /** The number that the text lacks. */
  lacks: number;
  seq: string;
}

const sourcesOf = ({ modelId, field }: Wanted): { held: Source; filled: Source } => {
  const locale = localeOfNumber(field.no);
  return {
    held: {
      from: `records r WHERE r.model_id = ${intText(modelId)} AND r.deleted_at IS NULL`,
      text: "r.held",
      lacks: locale,
      seq: "r.seq",
    },
    filled: {
      from: `record_locales l WHERE l.model_id = ${intText(modelId)} AND l.locale = ${intText(locale)}`,
      text: "l.filled",
      lacks: withoutLocale(field.no),
      seq: "l.record",
    },
  };
};

/**
 * Returns the table of the different texts of a column in order, numbered from 1. Number 0 is null, which also stands for
 * rows that the sweep has yet to fill. The last number is one more than the texts that a page reads one by one: that text
 * stands for all that are behind it, too. A null with a higher number than 0 is the end.
 */
function textsTable(name: string, { from, text }: Source): string {
  const next = (bound: string): string =>
    `(SELECT ${text} FROM ${from} AND ${text} ${bound} ORDER BY ${text} LIMIT 1)`;
  return `${name}(text, n) AS (SELECT NULL, 0 UNION ALL SELECT ${next(">= ''")}, 1 UNION ALL
    SELECT ${next(`> ${name}.text`)}, ${name}.n + 1 FROM ${name} WHERE ${name}.text IS NOT NULL
      AND ${name}.n <= ${CONTENT.gapTextsMax})`;
}

/** A number above that of every record. Its negative is below all. */
const PAST_ALL = 2n ** 62n;

/** Returns the number behind which the records stand, in the order of the list. */
const startOf = ({ after, descending }: Wanted): string =>
  after === null ? String(descending ? PAST_ALL : -PAST_ALL) : intText(after);

/** The streams, as numbers in SQL: records and contents of one text, and those of the last text and all behind it. */
const STREAM = { held: 0, filled: 1, heldRest: 2, filledRest: 3 };

/**
 * Returns the tables by which a list reads the records that may lack a value: the rows of `gaps` are candidates in order
 * of creation. `isGap` holds for those of them that lack it. A stream begins with the number behind which its records
 * stand, so that each subquery stands in a list of one sort once: SQLite compiles it for as long as it runs it. With several
 * sorts, the tables stand in the statement twice: their rows are counted, then read.
 *
 * They are one text, in which nothing is bound. Drizzle takes long to put a statement of many parts together.
 */
export function gapTables(wanted: Wanted): SQL[] {
  const { held, filled } = sourcesOf(wanted);
  const { descending } = wanted;
  const beyond = descending ? "<" : ">";
  const order = descending ? "DESC" : "ASC";
  const start = startOf(wanted);
  const next = (source: Source, operator: "IS" | ">="): string =>
    `(SELECT ${source.seq} FROM ${source.from} AND ${operator === "IS" ? source.text : `+${source.text}`}
      ${operator} s.text AND ${source.seq} ${beyond} s.seq ORDER BY ${source.seq} ${order} LIMIT 1)`;
  const isRest = `s.n > ${CONTENT.gapTextsMax}`;
  const isStream = ({ lacks: no }: Source): string =>
    `CASE WHEN s.text IS NULL THEN s.n = 0 ELSE ${isRest} OR instr(s.text, ',${intText(no)},') = 0 END`;
  // No index has the records of a model in order of creation, so that those of the rest are read at once. The other
  // streams of records begin without a record: they compare the model with null, which no row equals.
  const ofRest = `r.model_id = iif(${isRest}, ${intText(wanted.modelId)}, NULL) AND r.deleted_at IS NULL
    AND r.held >= s.text AND r.seq ${beyond} ${start}`;
  const gaps = `gaps(stream, text, seq) AS (
      SELECT iif(${isRest}, ${STREAM.heldRest}, ${STREAM.held}), s.text, iif(${isRest}, r.seq, ${start})
        FROM held_texts s LEFT JOIN records r ON ${ofRest} WHERE ${isStream(held)}
      UNION ALL SELECT iif(${isRest}, ${STREAM.filledRest}, ${STREAM.filled}), s.text, ${start}
        FROM filled_texts s WHERE ${isStream(filled)}
      UNION ALL SELECT s.stream, s.text, CASE s.stream WHEN ${STREAM.held} THEN ${next(held, "IS")}
        WHEN ${STREAM.filled} THEN ${next(filled, "IS")} ELSE ${next(filled, ">=")} END
      FROM gaps s WHERE s.seq IS NOT NULL AND s.stream <> ${STREAM.heldRest} ORDER BY 3 ${order})`;
  return [textsTable("held_texts", held), textsTable("filled_texts", filled), gaps].map((table) =>
    sql.raw(table),
  );
}

/** Returns the condition that the record `r` has no index row of a field. */
export const lacksRow = (field: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM record_values x WHERE x.record = r.seq AND x.field = ${int(field)})`;

/** Returns the condition that the record `r`, which stands at `gaps g`, has no value. A record meets it in one stream only. */
export const isGap = (
  wanted: Wanted,
): SQL => sql`r.deleted_at IS NULL AND g.seq <> ${sql.raw(startOf(wanted))}
  AND ${lacksRow(wanted.field.no)}
  AND (g.stream IN (${int(STREAM.filled)}, ${int(STREAM.filledRest)}) OR NOT EXISTS (SELECT 1 FROM record_locales x
    WHERE x.record = r.seq AND x.locale = ${int(localeOfNumber(wanted.field.no))}))`;
