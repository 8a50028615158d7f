/** The alt text of a media item in a body: one text, or in `all` an object of texts by locale (RULES 3.31). */
import * as z from "zod";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import { faultMessage } from "../../../content/faults/fault-message.ts";
import { localeCode } from "../../../content/locales/codes.ts";
import { codesOf, numberOfCode } from "../../../content/locales/locales.ts";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import { codesSeen, isAll, type LocaleScope } from "../../../content/model/localized-model.ts";
import { textSchema } from "../../../content/text/text.ts";
import { UPLOAD } from "../../../limits.ts";
import { checkLocales } from "../../spaces/gate.ts";
import type { Scopes } from "../../storage/spaces/scopes.ts";
import type { AltTexts } from "../../storage/media/media-facts.ts";

const textOf = textSchema(UPLOAD.altMaxCharacters);
const inAll = z.record(z.string(), textOf.nullable()).nullable();

/** The schema of the document. `altChange` checks the value, because the locale of the request says which form it has. */
export const altBody = z
  .unknown()
  .optional()
  .meta({
    anyOf: [
      { type: "string", maxLength: UPLOAD.altMaxCharacters },
      { type: "object", additionalProperties: { type: ["string", "null"] } },
      { type: "null" },
    ],
    description:
      "A text. With `locale=all`, an object of texts by locale: it changes those that it names, and null clears one, or all",
  });

interface AltChange {
  /** The text of the default locale. */
  alt?: string;
  /** Those of other locales, by their codes. */
  alts?: AltTexts;
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, { error: faultMessage });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map(({ path, message }) => ({
    path: ["alt", ...path].join("."),
    message,
  }));
  new ValidationErrors(details).throwIfAny("The body does not fit; see details.");
  throw parsed.error;
}

/** Returns the texts that a body in `all` gives, by the codes in their usual form. @throws ApiError */
function textsInAll(scope: LocaleScope, scopes: Scopes, value: unknown): Map<string, string> {
  const { locales } = scope;
  const given = checked(inAll, value);
  if (given === null) return new Map(codesSeen(scope).map((code) => [code, ""]));
  const errors = new ValidationErrors();
  const texts = new Map<string, string>();
  for (const [key, text] of Object.entries(given)) {
    const code = localeCode(key);
    if (code === null || numberOfCode(locales, code) === undefined)
      errors.add(`alt.${key}`, `is no locale of this space, which has ${codesOf(locales).join(", ")}`);
    else if (texts.has(code)) errors.add(`alt.${key}`, `is ${code} a second time`);
    else texts.set(code, text ?? "");
  }
  errors.throwIfAny("The body does not fit; see details.");
  checkLocales(scopes, [...texts.keys()]);
  return texts;
}

/** Returns the alt texts that a body changes. @throws ApiError VALIDATION_FAILED, FORBIDDEN */
export function altChange(scope: LocaleScope | null, scopes: Scopes, value: unknown): AltChange {
  if (value === undefined) return {};
  if (!scope || !isAll(scope)) {
    const alt = checked(textOf, value);
    return scope && scope.no !== DEFAULT_NUMBER ? { alts: { [scope.code]: alt } } : { alt };
  }
  const texts = textsInAll(scope, scopes, value);
  const entries = [...texts];
  const isDefault = (code: string): boolean => numberOfCode(scope.locales, code) === DEFAULT_NUMBER;
  const own = entries.find(([code]) => isDefault(code));
  const others = entries.filter(([code]) => !isDefault(code));
  return {
    ...(own && { alt: own[1] }),
    ...(others.length > 0 && { alts: Object.fromEntries(others) }),
  };
}
