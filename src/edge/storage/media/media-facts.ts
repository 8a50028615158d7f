/** The columns of a media item's row that lists filter and sort by: facts of its master, and its folded names. */
import { sql, type SQL } from "drizzle-orm";
import { FORMATS } from "../../../image/formats/registry.ts";
import type { Copyright } from "../../../image/model/copyright.ts";
import type { MasterFacts } from "../../../image/model/facts.ts";
import { fold } from "../../../content/search/fold.ts";
import { wordsOf } from "../../../content/search/words.ts";
import type { media } from "../../../../schema/tables.ts";
import { int } from "../records/record-index.ts";

type MediaRow = typeof media.$inferSelect;

export type ListedFacts = Record<"mime", string> & Record<"width" | "height", number> & { animated: boolean };

export const listedFacts = ({ format, width, height, animated }: MasterFacts): ListedFacts => ({
  mime: FORMATS[format].mime,
  width,
  height,
  animated,
});

/** Indices into `media.folded`, a JSON list. */
const PLACES = { filename: 0, alt: 1 } as const;
export type MediaName = keyof typeof PLACES;

/** The alt texts of a media item in locales other than the default, by their codes. */
export type AltTexts = Readonly<Record<string, string>>;

export const altTextsIn = (column: string | null): AltTexts =>
  column === null ? {} : (JSON.parse(column) as AltTexts);

/**
 * The index in `media.folded` of the alt texts by locale, each a list of its folded form and its words. It is there once
 * an item has had an alt text in a locale other than the default.
 */
const LOCALES_PLACE = 2;

/** Whether an item has these. */
export const hasFoldedLocales: SQL = sql`(folded ->> ${`$[${LOCALES_PLACE}]`} IS NOT NULL)`;

/** The key of the default locale's alt text among those. It is no code of a locale. */
const OF_DEFAULT = "*";

/** The alt text that a list looks at: that of one locale. */
export interface AltLocale {
  code: string;
  isDefault: boolean;
}

const pathIn = ({ code, isDefault }: AltLocale, place: 0 | 1): string =>
  `$[${LOCALES_PLACE}]."${isDefault ? OF_DEFAULT : code}"[${place}]`;

function foldedByLocale(alt: string, alts: AltTexts): string {
  const all = Object.entries({ [OF_DEFAULT]: alt, ...alts });
  return JSON.stringify(Object.fromEntries(all.map(([code, text]) => [code, [fold(text), wordsOf(text)]])));
}

const wordsOfAll = (alt: string, alts: AltTexts): string => wordsOf([alt, ...Object.values(alts)].join(" "));

export function foldedNames(filename: string, alt: string, alts: AltTexts = {}): string {
  const names = [fold(filename), fold(alt)];
  if (Object.keys(alts).length === 0) return JSON.stringify(names);
  return JSON.stringify([...names, JSON.parse(foldedByLocale(alt, alts))]);
}

/** The index in `media.words` of the words of creator and notice. */
const RIGHTS_PLACE = 2;

/** Returns the words of the creator and the notice of a master; empty if it states none. */
export const wordsOfRights = (copyright: Pick<Copyright, "creator" | "notice"> | undefined): string =>
  wordsOf([copyright?.creator, copyright?.notice].filter((text) => text).join(" "));

/** Returns the words of the file name, of the alt texts in all locales, and of the rights, for `media.words`. */
export function wordsOfMedia(
  filename: string,
  { alt, alts = {} }: { alt: string; alts?: AltTexts | undefined },
  copyright: Pick<Copyright, "creator" | "notice"> | undefined,
): string {
  const ofRights = wordsOfRights(copyright);
  return JSON.stringify([wordsOf(filename), wordsOfAll(alt, alts), ...(ofRights === "" ? [] : [ofRights])]);
}

/** Returns the words of an item `m` that a search in a locale looks at. */
export const wordsInLocale = (locale: AltLocale): SQL => sql`((m.words ->> 0) || ' '
  || coalesce(m.folded ->> ${pathIn(locale, 1)}, ${locale.isDefault ? sql`m.words ->> 1` : sql`''`})
  || coalesce(' ' || (m.words ->> ${int(RIGHTS_PLACE)}), ''))`;

/** Returns the alt text of the item `alias` in a locale other than the default; empty where none was written. */
export const altInLocale = (alias: string, code: string): SQL =>
  sql`coalesce(${sql.raw(alias)}.alts ->> ${`$."${code}"`}, '')`;

/** Returns its folded form, for the item `m`. */
export const foldedAltInLocale = (locale: AltLocale): SQL =>
  sql`coalesce(m.folded ->> ${pathIn(locale, 0)}, lower(${altInLocale("m", locale.code)}))`;

/** Returns `words`, an expression of `media.words`, with the words of another master's rights. */
export const withRights = (words: SQL, ofRights: SQL): SQL => sql`
  CASE WHEN ${ofRights} = '' THEN json_remove(${words}, ${`$[${RIGHTS_PLACE}]`})
    ELSE json_set(${words}, ${`$[${RIGHTS_PLACE}]`}, ${ofRights}) END`;

/**
 * Returns a folded name of the media item `alias`. Until the sweep has folded it, SQLite folds it as well as it can.
 */
export const foldedName = (name: MediaName, alias: string): SQL => sql`
  coalesce(${sql.raw(alias)}.folded ->> ${int(PLACES[name])}, lower(${sql.raw(`${alias}.${name}`)}))`;

/**
 * Returns the folded names and their words after a change of names. A null stays null until the sweep fills it.
 * @param alts the alt texts in all locales after the change; undefined in a space that never had locales
 */
export function refolded(
  change: { [Name in MediaName]?: string | undefined },
  alts?: { alt: string; alts: AltTexts },
): {
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
  const [folded, words] = [replaced("folded", fold), replaced("words", wordsOf)];
  const byLocale = alts && foldedByLocale(alts.alt, alts.alts);
  return {
    folded: (byLocale === undefined
      ? folded
      : sql`json_set(${folded}, ${`$[${LOCALES_PLACE}]`}, json(${byLocale}))`) as SQL<MediaRow["folded"]>,
    words: (alts === undefined
      ? words
      : sql`json_replace(${words}, ${`$[${PLACES.alt}]`}, ${wordsOfAll(alts.alt, alts.alts)})`) as SQL<
      MediaRow["words"]
    >,
  };
}
