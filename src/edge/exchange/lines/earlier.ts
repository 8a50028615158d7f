/** The contents of earlier versions, which an export reads for many records together. */
import { editionsIn } from "../../../content/model/editions.ts";
import { EXCHANGE } from "../../../limits.ts";
import type { Database } from "../../storage/database/database.ts";
import { earlierOf, earlierSizes, type EarlierRows, type Part } from "../../storage/exchange/earlier.ts";
import { partsOf, sidesOf, versionData, type HistoryRow } from "../../storage/exchange/read.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";

/** The content of a version: that of the record's own row, and those in other locales, by their number. */
export interface EarlierContent {
  own: string;
  sides: ReadonlyMap<number, string>;
}

/** The rows from which the contents of one record's versions are put together. */
interface Kept {
  data: (version: number) => Promise<string | null>;
  /** Returns the parts that are valid in a version. */
  parts: (version: number) => Promise<readonly Part[]>;
  sides: () => Promise<ReadonlyMap<number, string>>;
}

const isOf =
  (version: number) =>
  (part: Part): boolean =>
    part.version <= version && part.until > version;

/** Returns whether the content of an event's version is not that of the record itself. */
const isEarlier = (record: RecordRow, event: HistoryRow): boolean =>
  event.isContent && event.version !== record.version;

/** Returns the rows of a record whose history was read with those of others. */
const keptTogether = ({ data, parts, sides }: EarlierRows): Kept => ({
  data: (version) => Promise.resolve(data.get(version) ?? null),
  parts: (version) => Promise.resolve(parts.filter(isOf(version))),
  sides: () => Promise.resolve(sides),
});

/** Reads the rows of a record with a long history, a few at a time. */
function keptAlone(db: Database, { seq }: RecordRow, versions: readonly number[]): Kept {
  let data = new Map<number, string | null>();
  let all: readonly Part[] | null = null;
  let sides: ReadonlyMap<number, string> | null = null;
  return {
    data: async (version) => {
      if (!data.has(version))
        data = await versionData(
          db,
          seq,
          versions.filter((one) => one >= version),
        );
      return data.get(version) ?? null;
    },
    parts: async (version) => {
      const found = all ?? (await partsOf(db, seq, version));
      // All of them, if some are not of this version.
      if (!found.every(isOf(version))) all = found;
      return found.filter(isOf(version));
    },
    sides: async () => (sides ??= (await sidesOf(db, [seq])).get(seq) ?? new Map<number, string>()),
  };
}

/** Finds what the versions of records held. The histories of many records are read at once. */
export class Earlier {
  readonly #db: Database;
  /** The records with earlier contents, in the order in which an export writes them. */
  readonly #records: readonly RecordRow[];
  readonly #histories: ReadonlyMap<number, readonly HistoryRow[]>;
  #sizes: ReadonlyMap<number, number> | null = null;
  #kept = new Map<number, Kept>();

  constructor(
    db: Database,
    records: readonly RecordRow[],
    histories: ReadonlyMap<number, readonly HistoryRow[]>,
  ) {
    this.#db = db;
    this.#histories = histories;
    this.#records = records.filter((record) =>
      (histories.get(record.seq) ?? []).some((event) => isEarlier(record, event)),
    );
  }

  /** Returns the content of an event's version, if it is not that of the record itself; null if it is not kept. */
  async of(record: RecordRow, event: HistoryRow): Promise<EarlierContent | null> {
    if (!isEarlier(record, event)) return null;
    const { version } = event;
    const kept = await this.#keptOf(record);
    const data = await kept.data(version);
    if (record.locales === null) return data === null ? null : { own: data, sides: new Map() };
    const parts = await kept.parts(version);
    const editions = editionsIn(record.locales);
    const own =
      data ??
      parts.find(({ locale }) => locale === 0)?.data ??
      ((editions["0"]?.v ?? record.version) <= version ? record.data : null);
    if (own === null) return null;
    const sides = new Map<number, string>(
      parts.flatMap((part) => (part.locale > 0 ? [[part.locale, part.data] as const] : [])),
    );
    // A locale that was not written since has the same content now.
    for (const [locale, side] of await kept.sides())
      if ((editions[String(locale)]?.v ?? Infinity) <= version) sides.set(locale, side);
    return { own, sides: new Map([...sides].sort(([a], [b]) => a - b)) };
  }

  async #keptOf(record: RecordRow): Promise<Kept> {
    const known = this.#kept.get(record.seq);
    if (known) return known;
    this.#sizes ??= await earlierSizes(
      this.#db,
      this.#records.map(({ seq }) => seq),
    );
    const together: number[] = [];
    let bytes = 0;
    for (const { seq } of this.#records.slice(this.#records.indexOf(record))) {
      bytes += this.#sizes.get(seq) ?? 0;
      if (bytes > EXCHANGE.readMaxBytes) break;
      together.push(seq);
    }
    // Records are written in their order, so those that were read before are not needed again.
    if (together.length === 0) this.#kept = new Map([[record.seq, this.#alone(record)]]);
    else {
      const rows = await earlierOf(this.#db, together);
      this.#kept = new Map(together.map((seq) => [seq, keptTogether(rows(seq))]));
    }
    return this.#kept.get(record.seq) ?? this.#alone(record);
  }

  #alone(record: RecordRow): Kept {
    const history = this.#histories.get(record.seq) ?? [];
    const versions = history.filter(({ isContent }) => isContent).map(({ version }) => version);
    return keptAlone(this.#db, record, versions);
  }
}
