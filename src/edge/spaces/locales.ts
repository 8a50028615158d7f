/** Changes the locales of a space (RULES 3.30). */
import { ApiError, notFound } from "../../errors.ts";
import { LOCALES } from "../../limits.ts";
import { localeCode } from "../../content/locales/codes.ts";
import {
  changedLocales,
  codesInCircles,
  codesOf,
  defaultCode,
  hasLocales,
  isOutOfNumbers,
  localesIn,
  NO_LOCALES,
  type Locale,
  type SpaceLocales,
} from "../../content/locales/locales.ts";
import { ValidationErrors } from "../../content/faults/validation-errors.ts";
import { retryUntilWritten } from "../storage/database/retry.ts";
import type { Database } from "../storage/database/database.ts";
import {
  fieldsWithReservedNames,
  hasAltTexts,
  heldLocales,
  localizedFieldsOf,
  updateLocales,
} from "../storage/spaces/space-locales.ts";
import { readSpaceById } from "../storage/spaces/spaces.ts";
import type { By } from "../storage/events/actor.ts";
import type { Space } from "./authorize.ts";

export interface AskedLocales {
  locales: readonly { code: string; fallback?: string | null | undefined }[];
  /** Locales whose values may be dropped. */
  dropLocales: readonly string[];
}

const NO_CODE = "must be the code of a language, such as en or de-AT";

/** Returns the locales in their usual form. @throws ApiError VALIDATION_FAILED */
function checkedLocales({ locales, dropLocales }: AskedLocales): { list: Locale[]; drop: string[] } {
  const errors = new ValidationErrors();
  const codes = locales.map(({ code }) => localeCode(code));
  const list = locales.map(({ fallback }, index): Locale => {
    const path = `locales.${index}`;
    const code = codes[index] ?? null;
    if (code === null) errors.add(`${path}.code`, NO_CODE);
    else if (codes.indexOf(code) !== index) errors.add(`${path}.code`, `${code} is given twice`);
    if (fallback === undefined || fallback === null) return { code: code ?? "" };
    const to = localeCode(fallback);
    if (to === null || !codes.includes(to))
      errors.add(`${path}.fallback`, "must be one of the locales given");
    else if (to === code) errors.add(`${path}.fallback`, "must be another locale");
    return { code: code ?? "", fallback: to ?? "" };
  });
  for (const code of codesInCircles(list)) {
    if (code === "") continue;
    const index = codes.indexOf(code);
    if (list[index]?.fallback !== code) errors.add(`locales.${index}.fallback`, "leads back to itself");
  }
  const drop = dropLocales.map((text, index) => {
    const code = localeCode(text);
    if (code === null) errors.add(`dropLocales.${index}`, NO_CODE);
    else if (codes.includes(code)) errors.add(`dropLocales.${index}`, `${code} is one of the locales given`);
    return code ?? "";
  });
  errors.throwIfAny("The locales do not fit; see details.");
  return { list, drop };
}

/** Returns locales in their usual form, as the space would have them. One that is no locale stays as it is. */
export const normalLocales = (locales: AskedLocales["locales"]): Locale[] =>
  locales.map(({ code, fallback }) => ({
    code: localeCode(code) ?? code,
    ...(fallback !== undefined && fallback !== null && { fallback: localeCode(fallback) ?? fallback }),
  }));

const conflict = (message: string, paths: readonly string[], path = "locales"): ApiError =>
  new ApiError("CONFLICT", message, { details: paths.map((one) => ({ path, message: one })) });

/** The fields of a space's models that stand against other locales, each as `model.field`. */
export interface LocaleFields {
  /** The fields with a name that locales reserve. */
  reserved: () => Promise<string[]>;
  localized: () => Promise<string[]>;
}

const storedFieldsOf = (db: Database, spaceId: string): LocaleFields => ({
  reserved: () => fieldsWithReservedNames(db, spaceId),
  localized: () => localizedFieldsOf(db, spaceId),
});

/** @throws ApiError CONFLICT */
async function checkFields(
  { fields, hasAlts }: { fields: LocaleFields; hasAlts: () => Promise<boolean> },
  before: SpaceLocales,
  list: Locale[],
): Promise<boolean> {
  if (!hasLocales(before)) {
    const reserved = list.length > 0 ? await fields.reserved() : [];
    if (reserved.length > 0) {
      const message = `Spaces with locales reserve the names locale, statuses and fallbacks. Rename first: ${reserved.join(", ")}.`;
      throw conflict(message, reserved);
    }
    return false;
  }
  const isDefaultChanged = list.length > 0 && list[0]?.code !== defaultCode(before);
  const localized = isDefaultChanged ? await fields.localized() : [];
  if (localized.length > 0) {
    const message = `The default locale stays ${defaultCode(before)} while fields are localized: ${localized.join(", ")}.`;
    throw conflict(message, localized);
  }
  if (isDefaultChanged && (await hasAlts())) {
    const message = `The default locale stays ${defaultCode(before)} while media have alt texts in other locales.`;
    throw conflict(message, ["alt texts of media"]);
  }
  return isDefaultChanged;
}

/** A checked change of a space's locales. */
interface PlannedLocales {
  after: SpaceLocales;
  mustBeUnused: { code: string; no: number }[];
  isDefaultChanged: boolean;
}

/**
 * Plans a change of a space's locales, without writing anything. Null if the space has none and is to have none.
 * @param fields the fields of the models that there will be
 * @throws ApiError VALIDATION_FAILED, CONFLICT as `changeLocales` does
 */
export async function planLocales(
  db: Database,
  space: Space,
  asked: AskedLocales,
  now: number,
  fields: LocaleFields = storedFieldsOf(db, space.id),
): Promise<PlannedLocales | null> {
  const { list, drop } = checkedLocales(asked);
  const before = localesIn(space.locales);
  if (!hasLocales(before) && list.length === 0) return null;
  const isDefaultChanged = await checkFields(
    { fields, hasAlts: () => hasAltTexts(db, space.id, before) },
    before,
    list,
  );
  const stays = new Set(list.map(({ code }) => code));
  const removed = codesOf(before)
    .slice(1)
    .filter((code) => !stays.has(code));
  const mustBeUnused = removed
    .filter((code) => !drop.includes(code))
    .map((code) => ({ code, no: before.numbers[code] ?? 0 }));
  const held = mustBeUnused.length > 0 ? await heldLocales(db, space.id, mustBeUnused) : [];
  if (held.length > 0) {
    const message = `Records or media hold values in ${held.join(", ")}, in the trash perhaps. Name them in "dropLocales" to drop these.`;
    throw new ApiError("CONFLICT", message, {
      details: held.map((code) => {
        const fact = `${code} holds values`;
        return { path: "locales", message: fact, loss: { name: code, fact } };
      }),
    });
  }
  const known = before.list.length === 0 && space.locales === null ? NO_LOCALES : before;
  const after = changedLocales(known, list, { codes: removed, now, keptDays: space.trashRetentionDays });
  if (isOutOfNumbers(after)) {
    throw new ApiError("CONFLICT", `A space may have at most ${LOCALES.numbersMax} locales in its life.`);
  }
  return { after, mustBeUnused, isDefaultChanged };
}

/**
 * Changes the locales of a space. The values of a locale that is dropped are kept as long as the trash, and return with
 * its code.
 * @throws ApiError VALIDATION_FAILED; CONFLICT when a removed locale holds values, another default would change the
 * meaning of values, or a field has a name that locales reserve; NOT_FOUND
 */
export async function changeLocales(db: Database, first: Space, asked: AskedLocales, by: By): Promise<Space> {
  let space = first;
  return retryUntilWritten(async () => {
    const planned = await planLocales(db, space, asked, by.now);
    if (!planned) return space;
    const written = await updateLocales(db, { space, ...planned, by });
    if (written) return written;
    const again = await readSpaceById(db, space.id);
    if (!again) throw notFound("The space");
    space = again;
    return null;
  });
}
