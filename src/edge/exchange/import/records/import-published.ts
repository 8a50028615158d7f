/** Puts published contents into a space (RULES 18.4). */
import { isPublishedAnywhere } from "../../../../content/model/editions.ts";
import type { Model } from "../../../../content/model/model.ts";
import { ownersOf } from "../../../storage/exchange/known-records.ts";
import { publishedSeq } from "../../../storage/records/published.ts";
import { publishedFacts } from "../../record-lines.ts";
import type { ImportContext, Numbered } from "../context.ts";
import type { PublishedIn } from "../line-schemas.ts";
import { byModel, importGroup } from "./import-lines.ts";
import { compared, type Converted } from "./compare-records.ts";
import { overwritePublished } from "./overwrite-published.ts";
import { withoutRepeated, writeNew } from "./write-new.ts";

/** Puts published contents into the space. */
export async function importPublished(
  context: ImportContext,
  lines: readonly Numbered<PublishedIn>[],
): Promise<void> {
  for (const group of byModel(lines)) {
    await importGroup(context, group, importPublishedSlice);
  }
}

/** Brings the published content of a record to what its line says, if that is asked for. @param fault the difference */
async function overwriteShown(
  context: ImportContext,
  model: Model,
  one: Converted,
  fault: string,
): Promise<void> {
  const { report } = context;
  if (!context.isOverwriting || one.row.deletedAt !== null) report.differs(one.n, "id", fault);
  else if (context.isSpent) context.leave([one]);
  else {
    try {
      const difference = await overwritePublished(context, model, one);
      if (difference === null) report.imported(one.row.id);
      else report.differs(one.n, "id", difference);
    } catch (error) {
      report.refuseError(one.n, error, "data");
    }
  }
}

async function importPublishedSlice(
  context: ImportContext,
  model: Model,
  slice: Converted[],
  done: Set<number>,
): Promise<void> {
  const { db, report } = context;
  if (!model.drafts) {
    for (const { n } of slice) report.refuse(n, "", `"${model.name}" has no drafts`);
    return;
  }
  const owners = await ownersOf(
    db,
    model.id,
    slice.map(({ row }) => row.id),
  );
  const owned = withoutRepeated(context, slice, done).flatMap((one) => {
    const owner = owners.get(one.row.id);
    if (!owner) {
      done.add(one.n);
      report.refuse(
        one.n,
        "id",
        `${one.row.id} is not in the space: its own line was refused, or stands behind`,
      );
      return [];
    }
    const { createdAt, deletedAt, purgeAt } = owner;
    return [
      {
        ...one,
        isShown: isPublishedAnywhere(owner),
        row: { ...one.row, seq: publishedSeq(owner.seq), createdAt, deletedAt, purgeAt },
      },
    ];
  });
  const seqs = owned.map(({ row }) => ({ seq: row.seq, sizeBytes: row.sizeBytes }));
  const kept = new Set<Converted>();
  for await (const { one, isSame, isSameContent } of compared(context, model, publishedFacts, owned, seqs)) {
    kept.add(one);
    done.add(one.n);
    if (isSame || (isSameContent && context.isOverwriting)) report.unchanged();
    else await overwriteShown(context, model, one, `another content of ${one.row.id} is published`);
  }
  const fresh: Converted[] = [];
  for (const one of owned) {
    if (kept.has(one)) continue;
    // A record that was left as it is, since it differs, may not be published here.
    if (one.isShown) fresh.push(one);
    else {
      done.add(one.n);
      await overwriteShown(context, model, one, `${one.row.id} is not published`);
    }
  }
  await writeNew(context, model, fresh, [], done);
}
