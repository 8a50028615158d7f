/** Writes the events of a record's history as lines, and reads the fields that an event changed. Pure. */
import type { VersionLine } from "../../exchange/lines.ts";
import { numberOfCode } from "../../content/locales/locales.ts";
import { numberIn, numberOfLocale } from "../../content/locales/numbers.ts";
import { baseOf, isLocalized } from "../../content/model/localized-model.ts";
import type { Model } from "../../content/model/model.ts";
import { LOCALES } from "../../limits.ts";
import { factsOf } from "../records/facts.ts";
import type { HistoryRow } from "../storage/exchange/read.ts";
import type { RecordRow } from "../storage/spaces/entries.ts";
import { addressOf, iso } from "./record-lines.ts";

/** Returns a line without what the version held. */
export function versionFacts(model: Model, record: RecordRow, event: HistoryRow): VersionLine {
  const { changed, locales } = factsOf(model, JSON.parse(event.changed) as number[]);
  return {
    kind: "version",
    ...addressOf(model, record),
    no: event.no,
    version: event.version,
    event: event.event,
    isContent: event.isContent,
    createdAt: iso(event.createdAt),
    actor:
      event.keyId === null
        ? null
        : { kind: event.actorKind ?? "key", id: event.keyId, name: event.keyName ?? "" },
    changed: [...changed],
    ...(locales && { locales: [...locales] }),
    ...(event.purgeAt !== null && { expiresAt: iso(event.purgeAt) }),
  };
}

/** A number of a locale that no space has, for a change in locales that are gone. */
const GONE = LOCALES.numbersMax + 1;

/** Returns numbers of fields that show as the names and locales of a line. */
export function changedNumbers(
  model: Model,
  { changed, locales = [] }: Pick<VersionLine, "changed" | "locales">,
): number[] {
  const { scope } = model;
  const fields = changed.flatMap((name) => baseOf(model).byName.get(name) ?? []);
  if (!scope) return fields.map(({ no }) => no);
  const codes = locales.flatMap((code) => numberOfCode(scope.locales, code) ?? []);
  const isAnyLocalized = fields.some(isLocalized);
  return [
    ...fields.flatMap((field) =>
      isLocalized(field)
        ? (codes.length > 0 ? codes : [GONE]).map((locale) => numberIn(field, locale))
        : [field.no],
    ),
    ...(isAnyLocalized ? [] : codes.map(numberOfLocale)),
  ];
}
