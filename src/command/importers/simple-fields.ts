/** The definitions of fields whose conditions systems state alike: texts, numbers, and files. */
import type { Conditions } from "./constraints.ts";
import type { SiteField } from "./site.ts";

const STRING_MAX_CHARACTERS = 2000;

/** A field's name, and the options that fields of every type have. */
export interface Named {
  name: string;
  /** Label, locales, and whether it is required. */
  common: Partial<SiteField>;
}

const isUnique = ({ unique }: Conditions): Partial<SiteField> => (unique === true ? { unique } : {});

/** Returns the definition of a field of short texts: an enum if the system lists its values. */
export function stringField(
  { name, common }: Named,
  conditions: Conditions,
  isSearchable: boolean,
): SiteField {
  const { values, maxLength, pattern } = conditions;
  if (values !== undefined) return { name, type: "enum", ...common, values, ...isUnique(conditions) };
  return {
    ...{ name, type: "string", ...common, ...isUnique(conditions) },
    ...(isSearchable && { searchable: true }),
    ...(maxLength !== undefined && maxLength <= STRING_MAX_CHARACTERS && { maxLength }),
    ...(pattern !== undefined && { pattern }),
  };
}

/** Returns the definition of a field of long texts. */
export const textField = (
  { name, common }: Named,
  { maxLength }: Conditions,
  isSearchable: boolean,
): SiteField => ({
  ...{ name, type: "text", ...common },
  ...(isSearchable && { searchable: true }),
  ...(maxLength !== undefined && { maxLength }),
});

/** Returns the definition of a field of numbers. */
export const numberField = (
  { name, common }: Named,
  conditions: Conditions,
  isInteger: boolean,
): SiteField => ({
  ...{ name, type: "number", ...common, ...isUnique(conditions) },
  ...(isInteger && { integer: true }),
  ...(conditions.min !== undefined && { min: conditions.min }),
  ...(conditions.max !== undefined && { max: conditions.max }),
});

/** Returns the definitions of a field of files: that of the pictures, and that of the addresses of other files, if there are any. */
export function mediaFields(
  { name, common }: Named,
  { isList, urlName, hasUrls }: { isList: boolean; urlName: string | null; hasUrls: boolean },
  localized: Partial<SiteField> | false,
): SiteField[] {
  const media: SiteField = { name, type: "media", ...(isList && { multiple: true }), ...common };
  const label = `Addresses of files in ${name} that are no pictures`;
  const urls = { name: urlName ?? "", type: isList ? "text" : "string", label, ...localized };
  return hasUrls ? [media, urls] : [media];
}
