/** Options that are lists of names. */
import { ERRORS } from "../../../limits.ts";
import type { DefinitionFault, LooseOptions } from "../field-type.ts";

/** Lists as many names as the message of a fault holds: a body may have thousands of such faults. */
export function listed(names: readonly string[]): string {
  let text = "";
  for (const name of names) {
    if (text.length > ERRORS.detailMaxCharacters) break;
    text += text === "" ? name : `, ${name}`;
  }
  return text;
}

/** Returns a fault for each option that names something twice. */
export const namedTwice = (
  options: Readonly<Record<string, readonly string[] | undefined>>,
): DefinitionFault[] =>
  Object.entries(options).flatMap(([option, names = []]) =>
    new Set(names).size < names.length
      ? [{ option, message: "must not name anything twice", isFatal: false }]
      : [],
  );

/** Removes from lists of names those that a schema has refused. */
export const withKnown = (rest: LooseOptions, options: readonly string[]): LooseOptions => ({
  ...rest,
  ...Object.fromEntries(
    options.flatMap((option) => {
      const given = rest[option];
      if (given === undefined && option !== "components") return [];
      const list: unknown[] = Array.isArray(given) ? given : [];
      return [[option, list.filter((item) => item !== undefined)]];
    }),
  ),
});
