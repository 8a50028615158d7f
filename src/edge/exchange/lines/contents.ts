/** The lines of one content: one line, or one a locale if it is too long for one. */
import type { Model } from "../../../content/model/model.ts";
import { EXCHANGE } from "../../../limits.ts";
import type { Database } from "../../storage/database/database.ts";
import { sideLocales, sideOf, sideSizes, sidesOf } from "../../storage/exchange/read.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { localeLine, ownLine, wholeLine, type Contents } from "../record-lines.ts";
import type { Lines, Place, Within } from "./place.ts";

/** Reads the contents in locales of many records at once, of those that have few. */
export class Sides {
  readonly #db: Database;
  #known = new Map<number, Map<number, string>>();
  #sizes = new Map<number, number>();

  constructor(db: Database) {
    this.#db = db;
  }

  async load(seqs: readonly number[]): Promise<void> {
    this.#sizes = await sideSizes(this.#db, seqs);
    let bytes = 0;
    const some = [...this.#sizes].filter(([, size]) => (bytes += size) <= EXCHANGE.readMaxBytes);
    this.#known = await sidesOf(
      this.#db,
      some.map(([seq]) => seq),
    );
  }

  /** Returns the contents of a record; null if there are too many bytes of them. */
  async of(seq: number): Promise<ReadonlyMap<number, string> | null> {
    const size = this.#sizes.get(seq);
    if (size === undefined) return new Map();
    const known = this.#known.get(seq);
    if (known) return known;
    if (size > EXCHANGE.partsMaxBytes) return null;
    return (await sidesOf(this.#db, [seq])).get(seq) ?? new Map();
  }
}

/** The address of a locale's line. */
export type LineOfLocale = Parameters<typeof localeLine>[1];

/** Returns the lines of one row's content: one, or more where that is too long. */
export async function* contentOfRow(
  db: Database,
  model: Model,
  facts: object,
  ofLocale: LineOfLocale,
  row: RecordRow,
  sides: Sides,
  within: Within | null,
  at: (locale: number) => Place,
): Lines {
  if (within === null) {
    const contents: Contents = { own: row.data, sides: await sides.of(row.seq) };
    const whole = wholeLine(model, facts, contents);
    if (whole !== null) {
      yield { text: whole, place: at(-1) };
      return;
    }
    const apart = await sideLocales(db, row.seq, 0);
    yield { text: ownLine(model, facts, row.data, apart), place: at(0) };
  }
  if (within?.locale === -1) return;
  for (const locale of await sideLocales(db, row.seq, within?.locale ?? 0)) {
    const text = localeLine(model, ofLocale, locale, await sideOf(db, row.seq, locale));
    if (text !== null) yield { text, place: at(locale) };
  }
}
