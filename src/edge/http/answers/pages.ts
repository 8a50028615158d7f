/** Pages of a list in the API: the query parameters, and the `meta` of the answer. */
import * as z from "zod";
import { CONTENT, LIST } from "../../../limits.ts";

const isLimit = (text: string): boolean =>
  /^[1-9]\d*$/.test(text) && Number(text) >= LIST.limitMin && Number(text) <= LIST.limitMax;

export const pageQuery = {
  limit: z
    .string()
    .refine(isLimit, `must be a whole number from ${LIST.limitMin} to ${LIST.limitMax}`)
    .transform(Number)
    .optional()
    .meta({
      type: "integer",
      minimum: LIST.limitMin,
      maximum: LIST.limitMax,
      default: LIST.limitDefault,
    }),
  cursor: z.string().optional().meta({ description: "`meta.nextCursor` of the page before" }),
};

export const metaSchema = z.object({ nextCursor: z.string().nullable(), limit: z.number().int() });

/** Returns the parameter `search`. @param searched the texts of this list that are searched, for the API document */
export const searchParameter = (searched: string) =>
  z
    .string()
    .optional()
    .meta({
      description:
        `Words that ${searched} must all hold, each as the beginning of one, whatever the case and the accents; best ` +
        `first, at most ${CONTENT.searchResultsMax} results, without \`sort\``,
    });

/** The parameter `count`, which asks for the number of items in the whole list. */
export const countParameter = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .optional()
  .meta({
    type: "string",
    enum: ["true", "false"],
    default: "false",
    description: `Adds \`meta.total\`, exact to ${CONTENT.countExactMax}; above, \`meta.totalIsExact\` is false`,
  });

const countedMeta = metaSchema.extend({
  total: z.int().optional().meta({ description: "With `count=true`" }),
  totalIsExact: z
    .literal(false)
    .optional()
    .meta({ description: "Only where the total is more than `total`" }),
});

export const oneOf = <T extends z.ZodType>(data: T) => z.object({ data });
export const countedListOf = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), meta: countedMeta });
export const listOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), meta: metaSchema });
