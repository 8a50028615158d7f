/** `filter[field][operator]=value` in a query string, gathered before anything is looked up. */
import { CONTENT } from "../../limits.ts";
import { LISTING } from "../../content/query/operators.ts";
import { invalidParameter } from "../../content/query/list-targets.ts";

/** `filter[field][operator]`, with `[]` after it where each value stands for itself. */
const FILTER = /^filter\[([^[\]]*)\]\[([^[\]]*)\](\[\])?$/;
/** The same in a group: `filter[or][0][field][operator]`. */
const GROUPED = /^filter\[or\]\[(\d{1,3})\]\[([^[\]]*)\]\[([^[\]]*)\](\[\])?$/;

/** Whether a parameter is meant as a filter, perhaps written wrongly. `filter` alone is none. */
export const isFilterParameter = (name: string): boolean => name.startsWith("filter[");

const WITHOUT_OPERATOR = /^filter\[([^[\]]*)\]$/;

/** @throws ApiError INVALID_PARAMETER for a filter that is written wrongly */
function checkForm(name: string): void {
  if (FILTER.test(name) || GROUPED.test(name)) return;
  const field = WITHOUT_OPERATOR.exec(name)?.[1];
  const example = field ? `, such as filter[${field}][eq]` : "";
  throw invalidParameter(name, `must be written filter[field][operator]${example}`);
}

/** One filter as it was asked: every value given for it, under both ways to write it. */
export interface AskedFilter {
  /** `filter[field][operator]`: how it is called in errors. */
  parameter: string;
  /** The number of its group; null for a filter that stands by itself. */
  group: number | null;
  /** A field, or a relation and a field of its target: `author.name`. */
  field: string;
  operator: string;
  texts: string[];
  /** Each text is one value, whatever commas it holds. */
  isWhole: boolean;
}

/**
 * Names of the relation fields whose targets filters look at, as far as the parameters tell before they are checked: those
 * that a filter goes through, and those that are asked whether they have a target.
 */
export function relationsIn(parameters: readonly (readonly [string, string])[]): string[] {
  const names = parameters.flatMap(([name]) => {
    const { field, operator } = split(name);
    return operator === "null" ? [field, ...through(field)] : through(field);
  });
  return [...new Set(names)].slice(0, CONTENT.filtersMax);
}

const through = (field: string): string[] => /^([^.]+)\./.exec(field)?.slice(1) ?? [];

function split(name: string): Pick<AskedFilter, "group" | "field" | "operator"> & { isList: boolean } {
  const [, number, ofGroup = "", byGroup = "", listInGroup] = GROUPED.exec(name) ?? [];
  if (number !== undefined) {
    return { group: Number(number), field: ofGroup, operator: byGroup, isList: listInGroup !== undefined };
  }
  const [, field = "", operator = "", list] = FILTER.exec(name) ?? [];
  return { group: null, field, operator, isList: list !== undefined };
}

/** Gathers the parameters of each filter. @throws ApiError INVALID_PARAMETER for a repeated one that takes one value */
export function askedFilters(parameters: readonly (readonly [string, string])[]): AskedFilter[] {
  const asked = new Map<string, AskedFilter>();
  for (const [name, text] of parameters) {
    checkForm(name);
    const { isList, ...filter } = split(name);
    const { group, field, operator } = filter;
    const parameter = `filter${group === null ? "" : `[or][${group}]`}[${field}][${operator}]`;
    const known = asked.get(parameter);
    if (!LISTING.includes(operator)) {
      if (isList) throw invalidParameter(parameter, "takes one value; write it without []");
      if (known) throw invalidParameter(parameter, "must be given at most once");
    }
    if (known) known.texts.push(text);
    else asked.set(parameter, { parameter, ...filter, texts: [text], isWhole: false });
    const one = asked.get(parameter) as AskedFilter;
    one.isWhole ||= isList || one.texts.length > 1;
  }
  return [...asked.values()];
}
