/** The options that fields of several types share. */
import * as z from "zod";
import { CONTENT } from "../../limits.ts";
import { textSchema } from "../text/text.ts";

/** The fields that the service sets on every record. A field of a model cannot have one of these names. */
export const SYSTEM_FIELDS = ["id", "createdAt", "updatedAt", "version"] as const;

/**
 * The fields that name the actors of a record, for callers who may see them. A model may have a field of one of these
 * names from before there were these. The name then means the model's own field.
 */
export const ACTOR_FIELDS = ["createdBy", "updatedBy"] as const;

export const fieldNameSchema = z
  .string()
  .regex(/^[a-z][A-Za-z0-9_]{0,62}$/, "must be 1 to 63 of letters, digits and _, starting with a-z")
  .refine((name) => !(SYSTEM_FIELDS as readonly string[]).includes(name), "is reserved")
  .meta({ example: "title" });

/** The texts about a field that editors read. */
const described = {
  label: textSchema(CONTENT.labelMaxCharacters).optional(),
  description: textSchema(CONTENT.descriptionMaxCharacters).optional(),
};

/** The options of a field of any type. */
export const base = {
  name: fieldNameSchema,
  ...described,
  required: z.boolean().optional(),
  localized: z
    .boolean()
    .optional()
    .meta({ description: "Whether values differ by locale, in a space with locales" }),
  requiredIn: z.enum(["all"]).optional().meta({
    description: "`all`: each locale must have a value when it is written or, with drafts, published",
  }),
};

/** A field of which only the options of every type are known. */
export const anyFieldSchema = z.object(base);

export const unique = z.boolean().optional();
export const searchable = z.boolean().optional().meta({ description: "Whether `search` looks at its words" });
export const multiple = z.boolean().optional();

/** Returns the schema of a limit that an admin sets, from 1 to `max`. */
export const count = (max: number) => z.int().min(1).max(max).optional();
