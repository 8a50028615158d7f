/** Describes filters for the API document. Other code parses them, because their names are not fixed. */
import * as z from "zod";
import { OPERATOR_MEANINGS, OPERATORS } from "../../../content/query/operators.ts";
import { CONTENT } from "../../../limits.ts";

const VALUE = {
  anyOf: [
    { type: ["string", "number", "boolean"] },
    { type: "array", items: { type: ["string", "number"] } },
  ],
};

/** Returns the parameter `filter`. @param description the fields that can be filtered */
export const filterParameter = (description: string) =>
  z
    .never({ error: "must be written filter[field][operator]=value" })
    .optional()
    .meta({
      type: "object",
      additionalProperties: { type: "object", additionalProperties: VALUE },
      description,
      param: { name: "filter", in: "query", style: "deepObject", explode: true },
    });

export const RECORD_FILTERS = `\`filter[field][operator]=value\`, up to ${CONTENT.filtersMax} of them, joined by and.

${OPERATORS.map((operator) => `- \`${operator}\`: ${OPERATOR_MEANINGS[operator]}`).join("\n")}

\`filter[relation.field][operator]=value\` goes through one relation: one target that fits is enough, and
\`[null]=true\` also means to have no target.

\`filter[or][0][field][operator]=value\` puts a filter into a group: those of one number are joined by and, the numbers
by or, and the whole by and with what stands outside.`;
