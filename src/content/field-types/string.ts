/** `string`: a short text, which may have to match a pattern. */
import * as z from "zod";
import { CONTENT, PATTERN } from "../../limits.ts";
import { PatternError } from "../patterns/pattern-error.ts";
import { compilePattern, matcherOf } from "../patterns/pattern.ts";
import { TooManySteps, type StepBudget } from "../patterns/step-budget.ts";
import { base, count, searchable, unique } from "./base.ts";
import { bad, fieldType, single, unmended } from "./field-type.ts";
import { checkText, isLongEnough, ownText } from "./text-value.ts";

const schema = z.strictObject({
  ...base,
  type: z.literal("string"),
  unique,
  searchable,
  maxLength: count(CONTENT.stringMaxCharacters),
  pattern: z
    .string()
    .min(1)
    .max(PATTERN.maxCharacters)
    .optional()
    .meta({ description: "A regular expression without back references and look-around; unanchored" }),
  default: z.string().nullish(),
});

/** Compiles a pattern before any value is matched, so that an unknown construct is reported as the admin's fault. */
function patternFault(pattern: string, budget: StepBudget): string | null {
  try {
    compilePattern(pattern, budget);
    return null;
  } catch (error) {
    if (error instanceof TooManySteps) return "is too large, together with the patterns of the other fields";
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}

function matchFault(pattern: string, text: string, budget: StepBudget): string | null {
  try {
    return matcherOf(pattern)(text, budget) ? null : `must match ${pattern}`;
  } catch (error) {
    if (!(error instanceof TooManySteps)) throw error;
    return `takes too many steps to compare with its pattern ${pattern}: make the value shorter, or the pattern simpler`;
  }
}

const maxCharactersOf = ({ maxLength = Infinity }: z.output<typeof schema>): number =>
  Math.min(maxLength, CONTENT.stringMaxCharacters);

export const STRING = fieldType(schema, {
  form: "string",
  index: "text",
  isList: single,
  faultsOf({ pattern }, budget) {
    const message = pattern === undefined ? null : patternFault(pattern, budget);
    return message === null ? [] : [{ option: "pattern", message, isFatal: true }];
  },
  check(value, field, { budget }) {
    const checked = checkText(value, maxCharactersOf(field));
    if (!checked.ok || field.pattern === undefined) return checked;
    const fault = matchFault(field.pattern, checked.value as string, budget);
    return fault === null ? checked : bad(fault);
  },
  schemaOf: (field) => ({
    type: "string",
    maxLength: maxCharactersOf(field),
    ...(field.pattern !== undefined && { pattern: field.pattern }),
  }),
  isLooser: (before, after) =>
    isLongEnough(after.maxLength, before.maxLength) &&
    (after.pattern === undefined || after.pattern === before.pattern),
  textsOf: ownText,
  nested: null,
  title: "first",
  mended: unmended,
});
