/** Schemas of records, for the API document. */
import * as z from "zod";
import { SYSTEM_FIELDS } from "../../../content/field-types/base.ts";
import { CONTENTS, STATUSES } from "../../../content/model/publication.ts";
import { LOCALES } from "../../../limits.ts";
import { RECORD_TYPE_MODELS } from "../../../content/model/type-models.ts";

export const recordSchema = z
  .looseObject({
    id: z.string(),
    createdAt: z.iso.datetime().optional(),
    updatedAt: z.iso.datetime().optional(),
    createdBy: z.unknown().optional().meta({
      description:
        "The actor (`{kind, id, name}`, or null if it is not known), for the roles write and admin alone. A field of the model may have this name instead, and the next",
    }),
    updatedBy: z.unknown().optional(),
    version: z.int().optional(),
    status: z
      .enum(STATUSES)
      .optional()
      .meta({ description: "Only in models with drafts, like the next fields" }),
    publishedAt: z.iso.datetime().nullish(),
    firstPublishedAt: z
      .unknown()
      .optional()
      .meta({
        type: ["string", "null"],
        format: "date-time",
        description:
          "When it was published for the first time. A field of the model may have this name instead",
      }),
    publishAt: z.iso
      .datetime()
      .nullish()
      .meta({ description: "The planned change; null in published answers" }),
    unpublishAt: z.iso.datetime().nullish(),
    locale: z.unknown().optional().meta({
      type: "string",
      description: "In spaces with locales: the locale of localized fields, or `all`",
    }),
    statuses: z
      .unknown()
      .optional()
      .meta({
        type: "object",
        additionalProperties: { type: "string", enum: [...STATUSES] },
        description: "The status of each locale, in spaces with locales and models with drafts",
      }),
    fallbacks: z
      .unknown()
      .optional()
      .meta({
        type: "object",
        additionalProperties: { type: "string" },
        description: "With `fallback=true`: the locales of borrowed values by field",
      }),
  })
  .meta({ id: "Record", description: `The fields of the model, and ${SYSTEM_FIELDS.join(", ")}` });

export const referenceSchema = z
  .object({
    typeModel: z.enum(RECORD_TYPE_MODELS),
    model: z.string(),
    id: z.string(),
    title: z.string().nullable(),
    fields: z.array(z.string()).meta({ description: "The fields that refer to it" }),
  })
  .meta({ id: "Reference" });

/** The query of a DELETE. */
export const deleteQuery = z.strictObject({
  ifUnreferenced: z.enum(["true", "false"]).optional().meta({
    description: "`true`: answers 409 while another record refers to it",
  }),
});

/** The body of a write, which is checked against the model. */
export const fieldsBody = z.unknown().meta({
  type: "object",
  additionalProperties: true,
  description: "Fields of the model by name",
});

/** The parameter that chooses the locale of records, in answers and in bodies. */
export const localeQuery = {
  locale: z.string().optional().meta({
    description:
      "In spaces with locales: the locale of localized fields, or `all` for objects of values by locale. Without it, the default locale.",
  }),
};

/** The locales that a request is about. */
export const localesAsked = z
  .array(z.string())
  .min(1)
  .max(LOCALES.perSpaceMax)
  .optional()
  .meta({ description: "In spaces with locales: the codes of those that it is for. Without it, all" });

/** Parameters for what an answer shows of a record. */
export const viewQuery = {
  ...localeQuery,
  fallback: z.enum(["true", "false"]).optional().meta({
    description:
      "`true`: empty values of localized fields are borrowed from the locale's fallbacks. `fallbacks` says which",
  }),
  status: z
    .enum(CONTENTS)
    .optional()
    .meta({
      description:
        "In models with drafts, `draft` answers with drafts. It needs a key with the role `preview`, `write` or `admin`. " +
        "It also applies to expanded records and to filters through relations.",
      default: "published",
    }),
  selectFields: z
    .string()
    .optional()
    .meta({ description: "The fields to include in the answer, besides `id`" }),
  populate: z
    .string()
    .optional()
    .meta({
      description:
        "Relation and media fields to expand: `author,author.avatar`, up to 3 levels, at most 2,000 targets. Inside of " +
        "components and rich text, a path names what they hold: `sections.author`, `body.image`, `body.internalLink`, " +
        "`body.quote.author`; a hop through a component is no level",
    }),
};
