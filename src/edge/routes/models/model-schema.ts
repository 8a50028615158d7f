/** The schemas of models in bodies and in answers. */
import * as z from "zod";
import { fieldNameSchema } from "../../../content/field-types/base.ts";
import { fieldSchema } from "../../../content/field-types/registry.ts";
import { nameSchema } from "../../../content/text/names.ts";
import { textSchema } from "../../../content/text/text.ts";
import { TYPE_MODELS } from "../../../content/model/type-models.ts";
import { listUpTo } from "../../http/answers/faults.ts";
import { CONTENT } from "../../../limits.ts";

export const fieldsSchema = listUpTo(fieldSchema, CONTENT.fieldsPerModelMax);
export const typeModelSchema = z.enum(TYPE_MODELS);
/** A model in an answer. */
export const modelSchema = z
  .object({
    typeModel: typeModelSchema,
    name: z.string(),
    label: z.string().nullable(),
    description: z.string().nullable(),
    titleField: z.string().nullable(),
    previewUrl: z.string().nullable(),
    drafts: z.boolean(),
    public: z.boolean(),
    fields: z.array(fieldSchema),
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: "Model" });

/** The options of a model in a body, beside its fields. */
export const optionSchemas = {
  label: textSchema(CONTENT.labelMaxCharacters).nullish(),
  description: textSchema(CONTENT.descriptionMaxCharacters).nullish(),
  titleField: z.string().nullish().meta({
    description:
      "The field that titles records in the trash and among references; without, the first that holds text",
  }),
  previewUrl: textSchema(CONTENT.previewUrlMaxCharacters)
    .nullish()
    .meta({
      description:
        "The page that previews a record: a template that begins with https://host/ or http://localhost:PORT/. `{id}`, " +
        "`{model}`, `{locale}`, `{token}` (a preview token) and the names of string fields in braces are replaced, " +
        "percent-encoded",
      example: "https://www.example.com/preview/{slug}?token={token}",
    }),
  drafts: z
    .boolean()
    .optional()
    .meta({
      description:
        "Whether writes make drafts, which are published by themselves. Switching it on publishes what is there; " +
        "switching it off while a record has an unpublished draft is 409",
      default: false,
    }),
  public: z.boolean().optional().meta({
    description: "Whether anybody reads what is published of it, without a key",
    default: false,
  }),
};

const systemFields = {
  typeModel: typeModelSchema.optional(),
  name: nameSchema.optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
};

/** Makes a map of an object. A record of zod would leave out a member `__proto__` without a fault. */
const entriesOf = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value))
    : value;

export const changeSchema = z.strictObject({
  ...systemFields,
  version: z.int().optional().meta({ description: "The version that was read; 412 unless it is current" }),
  ...optionSchemas,
  fields: fieldsSchema,
  drop: listUpTo(z.string(), CONTENT.fieldsPerModelMax)
    .optional()
    .meta({ description: "Removed fields whose values may be lost" }),
  rename: z
    .preprocess(entriesOf, z.map(fieldNameSchema, z.string()))
    .optional()
    .meta({
      type: "object",
      additionalProperties: { type: "string" },
      description: "New names of fields by their old ones; values are kept",
      example: { old: "new" },
    }),
});

/** The answer to a dry run of a model change. */
export const plannedChangeSchema = z
  .object({
    version: z.int(),
    fields: z.array(fieldSchema).meta({ description: "As they would be" }),
    added: z.array(z.string()),
    removed: z.array(z.string()),
    renamed: z.record(z.string(), z.string()),
    changed: z.array(z.string()),
    options: z.array(z.string()).meta({ description: "Options that would change" }),
    records: z.int().meta({ description: "Records that the change concerns, trashed ones included" }),
    inBackground: z.boolean().meta({
      description:
        "There are so many that it would be worked on in the background, which finds what does not fit",
    }),
    conflicts: z
      .array(z.object({ path: z.string(), message: z.string(), records: z.int() }))
      .meta({ description: "What stands against it; empty when it would succeed" }),
  })
  .meta({ id: "PlannedModelChange" });
