/** Compares lines of records, and of published contents, with the rows that the space has. */
import type { Model } from "../../../../content/model/model.ts";
import { EXCHANGE } from "../../../../limits.ts";
import { recordsOf, sideSizes, sidesOf } from "../../../storage/exchange/read.ts";
import type { RecordRow } from "../../../storage/spaces/entries.ts";
import { lineOfAll, ownLine } from "../../record-lines.ts";
import type { RowOfLine } from "./content-of-line.ts";
import type { ImportContext, Numbered } from "../context.ts";
import type { PublishedIn, RecordIn } from "../line-schemas.ts";
import { apartIn } from "./overwrite-content.ts";

export type Converted = Numbered<RecordIn | PublishedIn> & RowOfLine;

/** Returns the texts of a row's line: with all its content, or with that of its own row. */
function textsOf(
  model: Model,
  facts: (model: Model, row: RecordRow) => object,
  row: RecordRow,
  sides: ReadonlyMap<number, { data: string } | string>,
): { whole: string; own: string } {
  const plain = new Map([...sides].map(([no, side]) => [no, typeof side === "string" ? side : side.data]));
  const sorted = new Map([...plain].sort(([a], [b]) => a - b));
  return {
    whole: lineOfAll(model, facts(model, row), row.data, sorted),
    own: ownLine(model, facts(model, row), row.data),
  };
}

/** Reads stored rows with their sides, as many as have few enough bytes at once. */
async function* storedRows(
  context: ImportContext,
  seqs: readonly { seq: number; sizeBytes: number }[],
): AsyncGenerator<{ row: RecordRow; sides: ReadonlyMap<number, string> | null }> {
  const sizes = await sideSizes(
    context.db,
    seqs.map(({ seq }) => seq),
  );
  let part: number[] = [];
  let bytes = 0;
  const read = async function* () {
    const rows = await recordsOf(context.db, part);
    const large = part.filter((seq) => (sizes.get(seq) ?? 0) > EXCHANGE.partsMaxBytes);
    const withSides = part.filter((seq) => sizes.has(seq) && !large.includes(seq));
    const sides = await sidesOf(context.db, withSides);
    for (const seq of part) {
      const row = rows.get(seq);
      if (row)
        yield { row, sides: large.includes(seq) ? null : (sides.get(seq) ?? new Map<number, string>()) };
    }
  };
  for (const { seq, sizeBytes } of seqs) {
    const own = sizeBytes + Math.min(sizes.get(seq) ?? 0, EXCHANGE.partsMaxBytes);
    if (part.length > 0 && bytes + own > EXCHANGE.readMaxBytes) {
      yield* read();
      part = [];
      bytes = 0;
    }
    part.push(seq);
    bytes += own;
  }
  if (part.length > 0) yield* read();
}

/** A line, and the row that the space has under its id. */
export interface Compared {
  one: Converted;
  held: RecordRow;
  /** Whether the line is the same but for the locales that have lines of their own. */
  isSame: boolean;
  /** Whether it has the same content, whatever the versions and times are. */
  isSameContent: boolean;
}

/** Compares the lines of a slice with the rows that the space has. Rows are read as the caller takes them. */
export async function* compared(
  context: ImportContext,
  model: Model,
  facts: (model: Model, row: RecordRow) => object,
  slice: readonly Converted[],
  known: readonly { seq: number; sizeBytes: number }[],
): AsyncGenerator<Compared> {
  const byId = new Map(slice.map((one) => [one.row.id, one]));
  for await (const { row, sides } of storedRows(context, known)) {
    const one = byId.get(row.id);
    if (!one) continue;
    const isApart = apartIn(model, one.line).length > 0;
    const isEqual = (withFacts: typeof facts): boolean => {
      const ours = textsOf(model, withFacts, { ...row, ...one.row, seq: row.seq }, one.sides);
      if (isApart) return ours.own === textsOf(model, withFacts, row, new Map()).own;
      return sides !== null && ours.whole === textsOf(model, withFacts, row, sides).whole;
    };
    const isSame = isEqual(facts);
    yield { one, held: row, isSame, isSameContent: isSame || isEqual(() => ({})) };
  }
}
