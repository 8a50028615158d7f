/** The arguments that several tools take, and how they are written in the query of a route. */
import * as z from "zod";
import { RECORD_TYPE_MODELS, TYPE_MODELS } from "../../../content/model/type-models.ts";
import { nameSchema } from "../../../content/text/names.ts";
import { IDEMPOTENCY, LIST, MCP } from "../../../limits.ts";
import { searchParameter } from "../../http/answers/pages.ts";
import { localeQuery, viewQuery } from "../records/record-schema.ts";
import { idSchema } from "./tool.ts";

const model = nameSchema.meta({ description: "The name of a model, as list_models answers it" });

export const ofModel = {
  typeModel: z.enum(TYPE_MODELS).default("collections").meta({ description: "The kind of the model" }),
  model,
};

export const ofRecords = {
  typeModel: z.enum(RECORD_TYPE_MODELS).default("collections").meta({ description: "The kind of the model" }),
  model,
};

export const ofRecord = {
  ...ofRecords,
  id: idSchema("The id of the record. The id of a page is the name of its model"),
};

export const cursor = z.string().max(MCP.cursorMaxCharacters).optional().meta({
  description: "The `cursor` of the answer before, for what it left out. Send the other arguments unchanged",
});

export const limit = z.int().min(LIST.limitMin).max(LIST.limitMax).optional().meta({
  default: LIST.limitDefault,
  description: "The most items. An answer that would be too long has fewer",
});

export const ifMatch = z
  .union([z.int().min(1), z.string().regex(/^[\x20-\x7e]{1,256}$/, "must be an etag or a version")])
  .optional()
  .meta({
    description:
      "The `etag` or `version` that you read: the call fails with PRECONDITION_FAILED if the record has changed since",
  });

export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .max(IDEMPOTENCY.keyMaxCharacters)
  .optional()
  .meta({ description: "A text of your own. A call that is repeated with it creates nothing twice" });

export const locale = localeQuery;

const value = z.union([z.string(), z.number(), z.boolean()]);
const filters = z.record(z.string(), z.record(z.string(), z.union([value, z.array(value)])));

/** Returns the arguments that filter a list. */
export const filtering = (fields: string, searched: string) => ({
  filter: filters
    .optional()
    .meta({ description: `\`{field: {operator: value}}\`, all of which must fit. ${fields}` }),
  or: z.array(filters).max(MCP.groupsMax).optional().meta({
    description: "Filters of which one must fit, beside `filter`",
  }),
  search: searchParameter(searched),
  count: z.boolean().optional().meta({ description: "True adds `meta.total`" }),
});

/** The arguments that choose what is shown of a record. */
export const viewing = {
  ...locale,
  fallback: z.boolean().optional().meta({
    description: "True borrows empty values of localized fields from the locale's fallbacks",
  }),
  status: viewQuery.status,
  selectFields: z.array(z.string()).optional().meta({ description: "The fields to answer, besides `id`" }),
  populate: z.array(z.string()).optional().meta({
    description: "Relation and media fields to expand, such as `author` or `author.avatar`",
  }),
};

type Asked = string | number | boolean | readonly string[] | undefined;
type Filters = z.output<typeof filters>;

/** Returns the parameters of a query. Lists are joined by commas, and what is undefined is left out. */
export const queryOf = (asked: Record<string, Asked>): [string, string][] =>
  Object.entries(asked).flatMap(([name, one]) => (one === undefined ? [] : [[name, String(one)]]));

const parametersOf = (all: Filters, prefix: string): [string, string][] =>
  Object.entries(all).flatMap(([field, operators]) =>
    Object.entries(operators).flatMap(([operator, asked]): [string, string][] => {
      const name = `${prefix}[${field}][${operator}]`;
      return Array.isArray(asked) ? asked.map((one) => [`${name}[]`, String(one)]) : [[name, String(asked)]];
    }),
  );

/** Returns the parameters of filters, as lists take them. */
export const filterQuery = (filter: Filters = {}, or: readonly Filters[] = []): [string, string][] => [
  ...parametersOf(filter, "filter"),
  ...or.flatMap((group, number) => parametersOf(group, `filter[or][${number}]`)),
];
