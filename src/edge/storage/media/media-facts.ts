/** The columns of a media item's row that lists filter and sort by: facts of its master, and its folded names. */
import { sql, type SQL } from "drizzle-orm";
import { MIME_OF, type MasterFacts } from "../../../image/model/facts.ts";
import { fold } from "../../../content/search/fold.ts";
import { wordsOf } from "../../../content/search/words.ts";
import type { media } from "../../../../schema/tables.ts";
import { int } from "../records/record-index.ts";

type MediaRow = typeof media.$inferSelect;

export type ListedFacts = Record<"mime", string> & Record<"width" | "height", number> & { animated: boolean };

export const listedFacts = ({ format, width, height, animated }: MasterFacts): ListedFacts => ({
  mime: MIME_OF[format],
  width,
  height,
  animated,
});

/** Indices into `media.folded`, a JSON list. */
const PLACES = { filename: 0, alt: 1 } as const;
export type MediaName = keyof typeof PLACES;

export const foldedNames = (filename: string, alt: string): string =>
  JSON.stringify([fold(filename), fold(alt)]);

/** Returns the words of both names, for `media.words`. */
export const wordsOfNames = (filename: string, alt: string): string =>
  JSON.stringify([wordsOf(filename), wordsOf(alt)]);

/**
 * Returns a folded name of the media item `alias`. Until the sweep has folded it, SQLite folds it as well as it can.
 */
export const foldedName = (name: MediaName, alias: string): SQL => sql`
  coalesce(${sql.raw(alias)}.folded ->> ${int(PLACES[name])}, lower(${sql.raw(`${alias}.${name}`)}))`;

/** The folded names and their words after a change of names. A null stays null until the sweep fills it. */
export function refolded(change: { [Name in MediaName]?: string | undefined }): {
  folded: SQL<MediaRow["folded"]>;
  words: SQL<MediaRow["words"]>;
} {
  const replaced = (column: "folded" | "words", form: (text: string) => string): SQL => {
    const changed = Object.entries(PLACES).flatMap(([name, place]) => {
      const text = change[name as MediaName];
      return text === undefined ? [] : [sql`, ${`$[${place}]`}, ${form(text)}`];
    });
    return sql`json_replace(${sql.raw(column)}${sql.join(changed, sql``)})`;
  };
  return {
    folded: replaced("folded", fold) as SQL<MediaRow["folded"]>,
    words: replaced("words", wordsOf) as SQL<MediaRow["words"]>,
  };
}
