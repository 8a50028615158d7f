/** Puts records into a space (RULES 18.4). */
import type { Model } from "../../../../content/model/model.ts";
import { knownRecords, type KnownRecord } from "../../../storage/exchange/known-records.ts";
import type { RecordRow } from "../../../storage/spaces/entries.ts";
import { recordFacts } from "../../record-lines.ts";
import type { ImportContext, Numbered } from "../context.ts";
import type { RecordIn } from "../line-schemas.ts";
import { compared, type Compared, type Converted } from "./compare-records.ts";
import { byModel, importGroup } from "./import-lines.ts";
import { withoutRepeated, writeNew } from "./write-new.ts";
import { overwriteRecord } from "./overwrite.ts";

/** Puts records, and entries of the trash, into the space. */
export async function importRecords(
  context: ImportContext,
  lines: readonly Numbered<RecordIn>[],
): Promise<void> {
  for (const group of byModel(lines)) {
    await importGroup(context, group, importSlice);
  }
}

const isPristine = (model: Model, row: RecordRow, known: KnownRecord | undefined): boolean =>
  model.typeModel === "pages" && row.id === model.name && row.version === 1 && known?.hasHistory === 0;

async function importSlice(
  context: ImportContext,
  model: Model,
  slice: Converted[],
  done: Set<number>,
): Promise<void> {
  const { db, report } = context;
  const once = withoutRepeated(context, slice, done);
  const known = await knownRecords(
    db,
    model.id,
    once.map(({ row }) => row.id),
  );
  // In the order of the lines, in which they are overwritten.
  const inOrder = once.flatMap(({ row }) => known.get(row.id) ?? []);
  const kept = new Set<Converted>();
  const replaced: number[] = [];
  for await (const compare of compared(context, model, recordFacts, once, inOrder)) {
    const { one, held } = compare;
    const isUnchanged = compare.isSame || (context.isOverwriting && isSameTrash(model, compare));
    if (!isUnchanged && isPristine(model, held, known.get(held.id))) {
      replaced.push(held.seq);
      continue;
    }
    kept.add(one);
    if (isUnchanged) report.unchanged();
    else if (!context.isOverwriting || (held.deletedAt !== null && one.row.deletedAt !== null))
      report.differs(
        one.n,
        "id",
        `the space has another ${model.name} ${one.row.id}; ?overwrite=true writes a new version`,
      );
    else if (context.isSpent) context.leave([one]);
    else await overwrite(context, model, compare);
    done.add(one.n);
  }
  await writeNew(
    context,
    model,
    once.filter((one) => !kept.has(one)),
    replaced,
    done,
  );
}

/** Returns whether a record and its line are both in the trash, with the same content: since when is no difference. */
const isSameTrash = (model: Model, { one, held, isSameContent }: Compared): boolean =>
  held.deletedAt !== null && one.row.deletedAt !== null && isSameContent && model.typeModel !== "pages";

/** Brings a record to what its line says. */
async function overwrite(
  context: ImportContext,
  model: Model,
  { one, held, isSameContent }: Compared,
): Promise<void> {
  const { report } = context;
  try {
    const done = await overwriteRecord(context, model, held, one.line as RecordIn, isSameContent);
    switch (done) {
      case "changed":
        report.imported(held.id);
        break;
      case "unchanged":
        report.unchanged();
        break;
      case "trashed":
        // Its line is listed, and counts as no import.
        report.imported(held.id, 0);
        report.differs(one.n, "data", `${held.id} is in the trash now, with the content that the space had`);
        break;
      default:
        done satisfies never;
    }
  } catch (error) {
    report.refuseError(one.n, error, "data");
  }
}
