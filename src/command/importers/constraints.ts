/**
 * The conditions that a system sets for the values of a field. Content that is older than a condition may break it, and
 * the service would refuse such a record. So a condition comes along only if all values of the source keep it.
 */
import { compilePattern, matcherOf } from "../../content/patterns/pattern.ts";
import { PatternError } from "../../content/patterns/pattern-error.ts";
import { StepBudget, TooManySteps } from "../../content/patterns/step-budget.ts";
import { createHash } from "node:crypto";
import { hasAtMost } from "../../content/text/text.ts";
import type { Losses } from "./losses.ts";
import type { Json } from "./site.ts";

export interface Conditions {
  required?: boolean;
  unique?: boolean;
  pattern?: string;
  maxLength?: number;
  min?: number;
  max?: number;
  /** The values of an enum. */
  values?: string[];
}

type Condition = keyof Conditions;

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

const NAMES: Record<Condition, string> = {
  required: "required",
  unique: "unique",
  pattern: "matching a pattern",
  maxLength: "of a limited length",
  min: "above a minimum",
  max: "below a maximum",
  values: "one of a list",
};

const budget = (): StepBudget => new StepBudget();

function isPattern(pattern: string): boolean {
  try {
    compilePattern(pattern, budget());
    return true;
  } catch (error) {
    if (error instanceof PatternError || error instanceof TooManySteps) return false;
    throw error;
  }
}

function matches(pattern: string, text: string): boolean {
  try {
    return matcherOf(pattern)(text, budget());
  } catch (error) {
    if (error instanceof TooManySteps) return false;
    throw error;
  }
}

/** The conditions of one field, and those that some value has broken. */
class Kept {
  readonly conditions: Conditions;
  readonly broken = new Map<Condition, string>();
  readonly #seen = new Map<string, string>();

  constructor(conditions: Conditions) {
    this.conditions = conditions;
    const { pattern } = conditions;
    if (pattern !== undefined && (pattern.length > 200 || !isPattern(pattern)))
      this.broken.set("pattern", "its form");
  }

  see(value: Json | undefined, place: string, record: string, isPublished: boolean): void {
    const { required, unique, pattern, maxLength, min, max, values } = this.conditions;
    const breaks = (condition: Condition, isBroken: boolean): void => {
      if (isBroken && !this.broken.has(condition)) this.broken.set(condition, place);
    };
    breaks("required", required === true && isPublished && isEmpty(value));
    if (isEmpty(value)) return;
    if (unique === true && (typeof value === "string" || typeof value === "number")) {
      const key = createHash("sha1").update(String(value)).digest("base64");
      breaks("unique", (this.#seen.get(key) ?? record) !== record);
      this.#seen.set(key, record);
    }
    if (typeof value === "string") {
      breaks("maxLength", maxLength !== undefined && !hasAtMost(value, maxLength));
      breaks("values", values !== undefined && !values.includes(value));
      if (pattern !== undefined && !this.broken.has("pattern")) breaks("pattern", !matches(pattern, value));
    }
    if (typeof value === "number") {
      breaks("min", min !== undefined && value < min);
      breaks("max", max !== undefined && value > max);
    }
  }

  options(): Conditions {
    const kept = Object.entries(this.conditions).filter(([name]) => !this.broken.has(name as Condition));
    return Object.fromEntries(kept);
  }
}

export class Constraints {
  readonly #fields = new Map<string, Kept>();

  /** @param field the model and name of the field */
  define(field: string, conditions: Conditions): void {
    this.#fields.set(field, new Kept(conditions));
  }

  /**
   * Looks at a value.
   * @param record that it is of, in one locale: the same value twice in it is no second one
   */
  see(field: string, value: Json | undefined, place: string, record: string, isPublished: boolean): void {
    this.#fields.get(field)?.see(value, place, record, isPublished);
  }

  /** Returns the conditions that all values keep. */
  of(field: string): Conditions {
    return this.#fields.get(field)?.options() ?? {};
  }

  /** Lists the conditions that do not come along. */
  list(losses: Losses): void {
    for (const [field, { broken }] of this.#fields) {
      for (const [condition, place] of broken) {
        losses.add(`a field need no longer be ${NAMES[condition]}: some value is not`, `${field} (${place})`);
      }
    }
  }
}
