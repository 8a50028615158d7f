/** Puts the content of a record in one locale into the space, for which its record's line had no room (RULES 18.4). */
import { editionsIn, isAwaited } from "../../../content/model/editions.ts";
import { baseOf, sideOf as sideModel } from "../../../content/model/localized-model.ts";
import type { Model, StoredContent } from "../../../content/model/model.ts";
import { isUniqueViolation } from "../../storage/database/database.ts";
import { sideOf } from "../../storage/exchange/read.ts";
import { knownRecords, type KnownRecord } from "../../storage/exchange/known-records.ts";
import { writeSide } from "../../storage/exchange/write.ts";
import { addIndexRows } from "../../storage/records/record-index.ts";
import { localeData } from "../record-lines.ts";
import { sideOfLine } from "./records/content-of-line.ts";
import type { ImportContext, Numbered } from "./context.ts";
import type { LocaleIn } from "./line-schemas.ts";
import { overwritePublishedLocale } from "./records/overwrite-published.ts";
import { overwriteLocale } from "./records/overwrite.ts";

/** The row that a locale's line is for: that of the record, or of its published content. */
interface Target {
  model: Model;
  modelId: number;
  known: KnownRecord;
}

export async function importLocale(context: ImportContext, one: Numbered<LocaleIn>): Promise<void> {
  const { db, report } = context;
  const { n, line } = one;
  const model = await context.model(line.typeModel, line.model);
  const modelId = model ? (line.kind === "published" ? -model.id : model.id) : 0;
  const known = model && (await knownRecords(db, modelId, [line.id])).get(line.id);
  if (!model || !known) {
    report.refuse(n, "id", `${line.id} is not in the space`);
    return;
  }
  try {
    const { no, content } = sideOfLine(model, line, context.budget());
    if (content) await importSide(context, one, { model, modelId, known }, no, content);
    else report.unchanged();
  } catch (error) {
    if (isUniqueViolation(error)) report.refuse(n, "data", "has a unique value of another record");
    else report.refuseError(n, error, "data");
  }
}

async function importSide(
  context: ImportContext,
  one: Numbered<LocaleIn>,
  { model, modelId, known }: Target,
  no: number,
  content: StoredContent,
): Promise<void> {
  const { db, report } = context;
  const { n, line } = one;
  const edition = editionsIn(known.locales)[String(no)];
  const held = edition ? await sideOf(db, known.seq, no) : "{}";
  // Nothing else than the import of the record's line leaves a content awaited.
  if (edition && held === "{}" && isAwaited(edition)) {
    const side = { modelId, id: line.id, locale: no, content };
    const writing = { space: context.space, model: baseOf(model), event: context.event([line.id]) };
    await writeSide(db, writing, side, sideModel(baseOf(model), no).fields, addIndexRows);
    report.imported(line.id);
    return;
  }
  const textOf = (data: string): string => JSON.stringify(localeData(model, data, no));
  if (edition && textOf(held) === textOf(content.data)) report.unchanged();
  else if (context.isOverwriting && line.kind !== "trash") await overwriteSide(context, model, one, content);
  else if (edition) report.differs(n, "data", "the locale has another content");
  else report.differs(n, "locale", `the record was not written in ${line.locale}`);
}

/** Brings one locale of a record, or of what is published of it, to what its line says. */
async function overwriteSide(
  context: ImportContext,
  model: Model,
  { n, line }: Numbered<LocaleIn>,
  content: StoredContent,
): Promise<void> {
  const { report } = context;
  if (context.isSpent) context.leave([{ n }]);
  else if (line.kind !== "published") {
    if (await overwriteLocale(context, model, line)) report.imported(line.id);
    else report.unchanged();
  } else {
    const difference = await overwritePublishedLocale(context, model, line, content);
    if (difference === null) report.imported(line.id);
    else report.differs(n, "id", difference);
  }
}
