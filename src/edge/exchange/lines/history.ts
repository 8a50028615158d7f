/** The lines of a record's history, and what the versions held. */
import type { Model } from "../../../content/model/model.ts";
import type { HistoryRow } from "../../storage/exchange/read.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { addressOf, localeLine, ownLine, wholeLine } from "../record-lines.ts";
import { versionFacts } from "../version-lines.ts";
import type { LineOfLocale } from "./contents.ts";
import type { Earlier } from "./earlier.ts";
import type { Lines, Place, Within } from "./place.ts";

/** Returns the place behind a line of one record: its stage, its locale, and its event. */
export type At = (stage: 0 | 1 | 2, locale: number, no?: number) => Place;

export async function* historyLines(
  earlier: Earlier,
  model: Model,
  record: RecordRow,
  history: readonly HistoryRow[],
  within: Within | null,
  at: At,
): Lines {
  for (const event of history) {
    if (within && event.no < within.no) continue;
    const isBegun = within?.no === event.no;
    if (isBegun && within.locale === -1) continue;
    const facts = versionFacts(model, record, event);
    const content = await earlier.of(record, event);
    if (content === null) {
      yield { text: JSON.stringify(facts), place: at(2, -1, event.no) };
      continue;
    }
    if (!isBegun) {
      const whole = wholeLine(model, facts, content);
      if (whole !== null) {
        yield { text: whole, place: at(2, -1, event.no) };
        continue;
      }
      yield { text: ownLine(model, facts, content.own), place: at(2, 0, event.no) };
    }
    const ofLocale: LineOfLocale = { ...addressOf(model, record), kind: "version", no: event.no };
    for (const [locale, data] of content.sides) {
      if (isBegun && locale <= within.locale) continue;
      const text = localeLine(model, ofLocale, locale, data);
      if (text !== null) yield { text, place: at(2, locale, event.no) };
    }
  }
}
