/** The fields of a model: what an admin writes, and what is stored of it (RULES 3.1). */
import * as z from "zod";
import { CONTENT, PATTERN } from "../../limits.ts";
import { textSchema } from "../text/text.ts";
import { nameSchema } from "../text/names.ts";

/** Set by the service on every record; no field can have these names. */
export const SYSTEM_FIELDS = ["id", "createdAt", "updatedAt", "version"] as const;

export const fieldNameSchema = z
  .string()
  .regex(/^[a-z][A-Za-z0-9_]{0,62}$/, "must be 1 to 63 of letters, digits and _, starting with a-z")
  .refine((name) => !(SYSTEM_FIELDS as readonly string[]).includes(name), "is reserved")
  .meta({ example: "title" });

/** What people read of a field; it changes nothing of its values. */
const described = {
  label: textSchema(CONTENT.labelMaxCharacters).optional(),
  description: textSchema(CONTENT.descriptionMaxCharacters).optional(),
};

const base = { name: fieldNameSchema, ...described, required: z.boolean().optional() };

/** What a field has whatever its type. */
export const anyFieldSchema = z.object(base);

const unique = z.boolean().optional();
const searchable = z.boolean().optional().meta({ description: "Whether `search` looks at its words" });
const count = (max: number) => z.int().min(1).max(max).optional();

const enumValue = textSchema(CONTENT.enumValueMaxCharacters, 1);

export const fieldSchema = z
  .discriminatedUnion("type", [
    z.strictObject({
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
    }),
    z.strictObject({
      ...base,
      type: z.literal("text"),
      searchable,
      maxLength: count(CONTENT.recordMaxBytes),
      default: z.string().nullish(),
    }),
    z.strictObject({
      ...base,
      type: z.literal("number"),
      unique,
      integer: z.boolean().optional(),
      min: z.number().optional(),
      max: z.number().optional(),
      default: z.number().nullish(),
    }),
    z.strictObject({ ...base, type: z.literal("boolean"), default: z.boolean().nullish() }),
    z.strictObject({ ...base, type: z.literal("datetime"), unique, default: z.string().nullish() }),
    z.strictObject({
      ...base,
      type: z.literal("enum"),
      unique,
      values: z.array(enumValue).min(1).max(CONTENT.enumValuesMax),
      default: z.string().nullish(),
    }),
    z.strictObject({ ...base, type: z.literal("json"), default: z.unknown().optional() }),
    z.strictObject({ ...base, type: z.literal("media"), unique, multiple: z.boolean().optional() }),
    z.strictObject({
      ...base,
      type: z.literal("relation"),
      unique,
      to: nameSchema.meta({ description: "The name of a collection" }),
      multiple: z.boolean().optional(),
    }),
  ])
  .meta({ id: "Field" });

export type Field = z.output<typeof fieldSchema>;
export type FieldType = Field["type"];

/** Any JSON value that is stored for a field; null is "none", and a list is never null. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type StoredField = Field & {
  /** The key of its values in a record's data and in the index rows. Never used twice in a model. */
  no: number;
  /** What records made before the field hold: its default at the time. */
  absent: Json;
};

export const isMultiple = (field: Field): boolean => "multiple" in field && field.multiple === true;
export const isUnique = (field: Field): boolean => "unique" in field && field.unique === true;
export const isReference = (field: Field): field is Field & { type: "relation" | "media" } =>
  field.type === "relation" || field.type === "media";

/** The value that means "none": lists are empty rather than null. */
export const emptyValue = (field: Field): Json => (isMultiple(field) ? [] : null);
export const isEmptyValue = (field: Field, value: Json): boolean =>
  isMultiple(field) ? Array.isArray(value) && value.length === 0 : value === null;

const JSON_TYPES: Partial<Record<FieldType, string>> = { number: "number", boolean: "boolean" };

/**
 * Returns a value in the form that its field has now: a list of ids, a number, a text and so on. A value that this form
 * cannot hold becomes none. A `json` field holds every form.
 */
export function inPresentForm(field: Field, value: Json): Json {
  if (field.type === "json") return value;
  if (isMultiple(field)) return Array.isArray(value) ? value : typeof value === "string" ? [value] : [];
  const one = isReference(field) && Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value;
  return typeof one === (JSON_TYPES[field.type] ?? "string") ? one : null;
}

/** The default of a new record. `json` defaults are checked on the way in, so the cast holds. */
export const defaultOf = (field: Field): Json =>
  ("default" in field ? (field.default as Json | undefined) : undefined) ?? emptyValue(field);

/** A field as the admin wrote it, without what is stored beside it. */
export function fieldView(stored: StoredField): Record<string, unknown> {
  const view: Record<string, unknown> = { ...stored };
  delete view["no"];
  delete view["absent"];
  return view;
}
