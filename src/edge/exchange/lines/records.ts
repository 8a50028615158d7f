/** The lines of records with their published contents and histories, and of records in the trash. */
import { editionsIn } from "../../../content/model/editions.ts";
import { hasLocalized } from "../../../content/model/localized-model.ts";
import type { Model } from "../../../content/model/model.ts";
import { hasRecords } from "../../../content/model/type-models.ts";
import type { Database } from "../../storage/database/database.ts";
import {
  historiesOf,
  publishedOf,
  publishedOne,
  recordsAfter,
  trashedRecordsAfter,
  type HistoryRow,
} from "../../storage/exchange/read.ts";
import type { ModelRow, RecordRow } from "../../storage/spaces/entries.ts";
import { addressOf, publishedFacts, recordFacts } from "../record-lines.ts";
import { contentOfRow, Sides } from "./contents.ts";
import { Earlier } from "./earlier.ts";
import { historyLines, type At } from "./history.ts";
import { START, type Exported, type ExportSource, type Lines, type Place, type Within } from "./place.ts";
import { keyOf } from "./space.ts";

export async function* recordLines(
  { db }: ExportSource,
  rows: readonly ModelRow[],
  models: ReadonlyMap<number, Model>,
  from: Place,
): Lines {
  const withRecords = rows.filter(({ typeModel }) => hasRecords(typeModel));
  const first = withRecords.findIndex((row) => keyOf(row) === from.model);
  for (const row of withRecords.slice(Math.max(first, 0))) {
    const model = models.get(row.id);
    if (!model) continue;
    let place = keyOf(row) === from.model ? from : { ...START, step: from.step, model: keyOf(row) };
    for (;;) {
      const found = await recordsAfter(db, model.id, { createdAt: place.at, seq: place.seq });
      if (found.length === 0) break;
      const behind = (last: RecordRow | null, within: Within | null): Place => ({
        ...place,
        ...(last && { at: last.createdAt, seq: last.seq }),
        within,
      });
      yield* linesOfRecords(db, () => model, found, place.within, behind);
      const last = found.at(-1);
      if (last) place = { ...place, at: last.createdAt, seq: last.seq, within: null };
    }
  }
}

export async function* trashedRecordLines(
  { db, space }: ExportSource,
  models: ReadonlyMap<number, Model>,
  from: Place,
): Lines {
  let place = from;
  for (;;) {
    const all = await trashedRecordsAfter(db, space.id, { deletedAt: place.at, id: place.id });
    const last = all.at(-1);
    if (!last) return;
    const found = all.filter(({ modelId }) => models.has(modelId));
    const behind = (last: RecordRow | null, within: Within | null): Place => ({
      ...place,
      ...(last && { at: last.deletedAt ?? 0, id: last.id }),
      within,
    });
    yield* linesOfRecords(db, ({ modelId }) => models.get(modelId) as Model, found, place.within, behind);
    place = { ...place, at: last.deletedAt ?? 0, id: last.id, within: null };
  }
}

/**
 * Returns a place behind the last record that is written whole, or within the next one. Null if none of those that were read
 * together is.
 */
type Behind = (last: RecordRow | null, within: Within | null) => Place;

/** Returns the lines of records with their published contents and histories. */
async function* linesOfRecords(
  db: Database,
  modelFor: (record: RecordRow) => Model,
  found: readonly RecordRow[],
  from: Within | null,
  behind: Behind,
): Lines {
  const seqs = found.map(({ seq }) => seq);
  const sides = new Sides(db);
  const published = await publishedOf(
    db,
    found.filter((record) => modelFor(record).drafts).map(({ seq }) => seq),
  );
  const localized = found.filter((record) => hasLocalized(modelFor(record)));
  await sides.load(localized.flatMap(({ seq }) => [seq, published.get(seq)?.seq ?? seq]));
  const histories = await historiesOf(db, seqs);
  const earlier = new Earlier(db, found, histories);
  let last: RecordRow | null = null;
  for (const record of found) {
    const before = last;
    last = record;
    const model = modelFor(record);
    const within = from?.seq === record.seq ? from : null;
    const history = histories.get(record.seq) ?? [];
    const own = published.get(record.seq);
    const isPublished = model.drafts && isShown(record);
    const publishedRow = isPublished ? (own ?? (await publishedOne(db, record.seq))) : null;
    const at = (stage: 0 | 1 | 2, locale: number, no = 0): Place =>
      behind(before, { seq: record.seq, stage, locale, no });
    yield* afterwards(
      recordStages({ db, sides, earlier }, model, record, publishedRow, history, within, at),
      behind(record, null),
    );
  }
}

/** Returns whether a record may have a published content. */
const isShown = (record: RecordRow): boolean =>
  record.publishedVersion !== null ||
  Object.values(editionsIn(record.locales)).some(({ p }) => p !== undefined);

/** Gives the last line the place behind the whole. */
async function* afterwards(lines: Lines, place: Place): Lines {
  let held: Exported | null = null;
  for await (const line of lines) {
    if (held) yield held;
    held = line;
  }
  if (held) yield { ...held, place };
}

/** The contents of the records of one read. */
interface Read {
  db: Database;
  sides: Sides;
  earlier: Earlier;
}

async function* recordStages(
  { db, sides, earlier }: Read,
  model: Model,
  record: RecordRow,
  published: RecordRow | null,
  history: readonly HistoryRow[],
  within: Within | null,
  at: At,
): Lines {
  const address = addressOf(model, record);
  const stage = within?.stage ?? -1;
  if (stage <= 0) {
    const kind = record.deletedAt === null ? "record" : "trash";
    const facts = recordFacts(model, record);
    yield* contentOfRow(db, model, facts, { ...address, kind }, record, sides, within, (locale) =>
      at(0, locale),
    );
  }
  if (stage <= 1 && published) {
    const facts = publishedFacts(model, published);
    const inside = within?.stage === 1 ? within : null;
    yield* contentOfRow(
      db,
      model,
      facts,
      { ...address, kind: "published" },
      published,
      sides,
      inside,
      (locale) => at(1, locale),
    );
  }
  yield* historyLines(earlier, model, record, history, within?.stage === 2 ? within : null, at);
}
