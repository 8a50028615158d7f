/** Puts the histories of records into a space (RULES 18.4): events, and what their versions held. */
import { editionsIn } from "../../../content/model/editions.ts";
import { baseOf, hasLocalized } from "../../../content/model/localized-model.ts";
import type { Model } from "../../../content/model/model.ts";
import { EXCHANGE } from "../../../limits.ts";
import { batchSql, isUniqueViolation } from "../../storage/database/database.ts";
import { historiesOf, type HistoryRow } from "../../storage/exchange/read.ts";
import { asChecked } from "../../storage/exchange/write.ts";
import {
  heldPart,
  insertEvents,
  insertParts,
  lastParts,
  type EventRow,
  type PartRow,
} from "../../storage/exchange/write-history.ts";
import { ownersOf, type Owner } from "../../storage/exchange/known-records.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { changedNumbers, versionFacts } from "../version-lines.ts";
import { earlierContent, sideOfLine, type EarlierContent } from "./records/content-of-line.ts";
import type { ImportContext, Numbered } from "./context.ts";
import { byModel } from "./records/import-lines.ts";
import type { LocaleIn, VersionIn } from "./line-schemas.ts";

interface ConvertedEvent {
  n: number;
  owner: Owner;
  event: HistoryRow;
  content: EarlierContent | null;
}

/** Splits the lines so that each part has few enough records and bytes. */
function slicesOf(lines: readonly Numbered<VersionIn>[]): Numbered<VersionIn>[][] {
  const slices: Numbered<VersionIn>[][] = [];
  let bytes = Infinity;
  for (const one of lines) {
    const size = one.line.data === undefined ? 300 : JSON.stringify(one.line.data).length + 300;
    if (
      bytes + size > 4 * EXCHANGE.writeMaxBytes ||
      (slices.at(-1)?.length ?? 0) >= EXCHANGE.eventsPerWrite
    ) {
      slices.push([]);
      bytes = 0;
    }
    slices.at(-1)?.push(one);
    bytes += size;
  }
  return slices;
}

export async function importVersions(
  context: ImportContext,
  lines: readonly Numbered<VersionIn>[],
): Promise<void> {
  for (const group of byModel(lines)) {
    for (const slice of slicesOf(group)) {
      if (context.isSpent) context.leave(slice);
      else await importSlice(context, slice);
    }
  }
}

async function importSlice(context: ImportContext, slice: readonly Numbered<VersionIn>[]): Promise<void> {
  const { db, report } = context;
  const [first] = slice;
  if (!first) return;
  const model = await context.model(first.line.typeModel, first.line.model);
  if (!model) {
    for (const { n, line } of slice) report.refuse(n, "model", `"${line.model}" is no model of this space`);
    return;
  }
  const owners = await ownersOf(db, model.id, [...new Set(slice.map(({ line }) => line.id))]);
  const histories = await historiesOf(
    db,
    [...owners.values()].map(({ seq }) => seq),
  );
  const fresh: ConvertedEvent[] = [];
  for (const one of slice) {
    const owner = owners.get(one.line.id);
    if (!owner) {
      report.refuse(
        one.n,
        "id",
        `${one.line.id} is not in the space: its own line was refused, or stands behind`,
      );
      continue;
    }
    const converted = converts(context, model, owner, one);
    if (!converted) continue;
    const held = (histories.get(owner.seq) ?? []).find(({ no }) => no === one.line.no);
    if (!held && follows(owner, histories.get(owner.seq) ?? [], one.line)) fresh.push(converted);
    else if (!held) report.differs(one.n, "no", `the record ${owner.id} has another history`);
    else if (shows(model, owner, held) === shows(model, owner, converted.event)) report.unchanged();
    else report.differs(one.n, "no", `the record ${owner.id} has another event ${one.line.no}`);
  }
  await writeEvents(context, model, fresh);
}

/**
 * Returns whether an event has a place in the history of a record. It has none if the record went another way here: then the
 * event would be of a version that the record does not have, or has already.
 */
const follows = (owner: Owner, held: readonly HistoryRow[], { no, version, isContent }: VersionIn): boolean =>
  version <= owner.version &&
  held.every((other) =>
    other.no < no
      ? other.version <= version && !(isContent && other.isContent && other.version === version)
      : other.version >= version && !(isContent && other.isContent && other.version === version),
  );

const shows = (model: Model, { id }: Owner, event: HistoryRow): string =>
  JSON.stringify(versionFacts(model, { id } as RecordRow, event));

function converts(
  context: ImportContext,
  model: Model,
  owner: Owner,
  { n, line }: Numbered<VersionIn>,
): ConvertedEvent | null {
  try {
    const content = earlierContent(model, line, context.budget());
    const event: HistoryRow = {
      record: owner.seq,
      no: line.no,
      version: line.version,
      event: line.event,
      isContent: line.isContent,
      createdAt: line.createdAt,
      keyId: line.actor?.id ?? null,
      keyName: line.actor?.name ?? null,
      actorKind: line.actor?.kind ?? null,
      changed: JSON.stringify(
        changedNumbers(model, { changed: line.changed, ...(line.locales && { locales: line.locales }) }),
      ),
      purgeAt: line.expiresAt ?? null,
    };
    return { n, owner, event, content };
  } catch (error) {
    context.report.refuseError(n, error, "data");
    return null;
  }
}

/** Writes events that the space does not have, and what their versions held. */
async function writeEvents(
  context: ImportContext,
  model: Model,
  fresh: readonly ConvertedEvent[],
): Promise<void> {
  if (fresh.length === 0) return;
  const { db, report, space } = context;
  const isInParts = ({ owner }: ConvertedEvent): boolean =>
    owner.locales !== null && hasLocalized(baseOf(model));
  const events = fresh.map((one): EventRow => {
    const { event, content } = one;
    return { ...event, data: content && !isInParts(one) ? content.own : null };
  });
  const parts = await partsOf(
    context,
    fresh.filter((one) => one.content !== null && isInParts(one)),
  );
  try {
    await batchSql(db, [
      asChecked(space, model),
      ...insertParts(parts),
      ...insertEvents(events),
      context.event([...new Set(fresh.map(({ owner }) => owner.id))]),
    ]);
    report.imported(fresh[0]?.owner.id ?? "", fresh.length);
  } catch (error) {
    for (const { n } of fresh) {
      if (isUniqueViolation(error)) report.refuse(n, "no", "was written by another request meanwhile");
      else report.refuseError(n, error);
    }
  }
}

/** Returns what the versions held as parts, each as long as it stays the same, joined to those that are there. */
async function partsOf(context: ImportContext, events: readonly ConvertedEvent[]): Promise<PartRow[]> {
  const ends = new Map<number, number>();
  for (const { owner, event } of events)
    ends.set(owner.seq, Math.min(ends.get(owner.seq) ?? Infinity, event.version));
  const last = new Map<string, PartRow>();
  for (const part of await lastParts(context.db, [...ends])) last.set(`${part.record}/${part.locale}`, part);
  const parts = new Set<PartRow>();
  for (const { owner, event, content } of events) {
    const editions = editionsIn(owner.locales);
    const held: [number, string][] = content ? [[0, content.own], ...content.sides] : [];
    for (const [locale, data] of held) {
      // The record itself has what has not changed since.
      if ((editions[String(locale)]?.v ?? Infinity) <= event.version) continue;
      const key = `${owner.seq}/${locale}`;
      const before = last.get(key);
      if (before && before.until === event.version && before.data === data) {
        before.until = event.version + 1;
        parts.add(before);
        continue;
      }
      const part = { record: owner.seq, locale, version: event.version, until: event.version + 1, data };
      parts.add(part);
      last.set(key, part);
    }
  }
  return [...parts];
}

/** Puts what a version held in one locale into the space, for which its own line had no room. */
export async function importVersionLocale(
  context: ImportContext,
  { n, line }: Numbered<LocaleIn>,
): Promise<void> {
  const { db, report, space } = context;
  const model = await context.model(line.typeModel, line.model);
  const owner = model && (await ownersOf(db, model.id, [line.id])).get(line.id);
  if (!model || !owner) {
    report.refuse(n, "id", `${line.id} is not in the space`);
    return;
  }
  const event = (await historiesOf(db, [owner.seq])).get(owner.seq)?.find(({ no }) => no === line.no);
  if (!event) {
    report.refuse(n, "no", `the record ${line.id} has no event ${line.no ?? ""}`);
    return;
  }
  try {
    const { no, content } = sideOfLine(model, line, context.budget());
    if (!content || (editionsIn(owner.locales)[String(no)]?.v ?? Infinity) <= event.version) {
      report.unchanged();
      return;
    }
    const one = {
      n,
      owner,
      event,
      content: { own: "", sides: new Map([[no, content.data]]) },
    };
    const held = await heldPart(db, owner.seq, no, event.version);
    if (held !== null) {
      if (held === content.data) report.unchanged();
      else report.differs(n, "data", `version ${event.version} has another content in ${line.locale}`);
      return;
    }
    const parts = (await partsOf(context, [one])).filter(({ locale }) => locale === no);
    await batchSql(db, [asChecked(space, model), ...insertParts(parts), context.event([line.id])]);
    report.imported(line.id);
  } catch (error) {
    report.refuseError(n, error, "data");
  }
}
