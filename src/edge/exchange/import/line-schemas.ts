/** The schemas of the lines that an import takes (src/exchange/lines.ts), but for models and settings. */
import * as z from "zod";
import { RECORD_TYPE_MODELS } from "../../../content/model/type-models.ts";
import { localeCode } from "../../../content/locales/codes.ts";
import { nameSchema } from "../../../content/text/names.ts";
import { textSchema } from "../../../content/text/text.ts";
import { KEY, LOCALES, UPLOAD } from "../../../limits.ts";
import { ACTOR_KINDS } from "../../storage/events/actor.ts";

/** A time that a date of JavaScript can hold, in milliseconds. */
export const time = z.iso
  .datetime({ offset: true })
  .transform((text) => Date.parse(text))
  .refine((at) => at >= 0, "must not be before 1970");

export const ulid = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, "must be a ULID");
const version = z.int().min(1);
const actor = z.object({
  kind: z.enum(ACTOR_KINDS),
  id: textSchema(KEY.nameMaxCharacters),
  name: textSchema(KEY.nameMaxCharacters),
});
const authors = { createdBy: actor.optional(), updatedBy: actor.optional() };
const data = z.record(z.string(), z.unknown());

const share = z.number().min(0).max(1);
const media = {
  id: ulid,
  filename: textSchema(UPLOAD.filenameMaxCharacters).refine(
    (name) => name.trim() !== "",
    "must not be empty",
  ),
  alt: textSchema(UPLOAD.altMaxCharacters),
  alts: z
    .record(
      z.string().refine((code) => localeCode(code) === code, "must be the code of a locale"),
      textSchema(UPLOAD.altMaxCharacters),
    )
    .refine(
      (alts) => Object.keys(alts).length <= LOCALES.numbersMax,
      `may name ${LOCALES.numbersMax} locales`,
    )
    .optional(),
  focalPoint: z.object({ x: share, y: share }).nullable(),
  masterVersion: version,
  lastVersion: version,
  mime: z.string().max(UPLOAD.filenameMaxCharacters).optional(),
  sizeBytes: z.int().min(1).max(UPLOAD.maxBytes),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits in lower case"),
  createdAt: time,
  updatedAt: time,
  ...authors,
};

const address = {
  typeModel: z.enum(RECORD_TYPE_MODELS),
  model: nameSchema,
  /** A ULID; of a page that is not in the trash, the name of its model. */
  id: z.string(),
};

/** Returns the schema of a line with the address of a record, of which the id is checked too. */
const addressed = <Shape extends typeof address>(shape: Shape) =>
  z.object(shape).superRefine((line, context) => {
    const { typeModel, model, id } = line as z.output<z.ZodObject<typeof address>>;
    const isOwn = typeModel === "pages" && id === model;
    if (isOwn || ulid.safeParse(id).success) return;
    const message = typeModel === "pages" ? "must be the name of the model, or a ULID" : "must be a ULID";
    context.addIssue({ code: "custom", path: ["id"], message });
  });
const publication = {
  publishedVersion: version.optional(),
  publishedAt: time.optional(),
  firstPublishedAt: time.optional(),
  publishAt: time.optional(),
  unpublishAt: time.optional(),
};
/** Codes of locales whose contents stand on lines of their own. */
const apart = z.array(z.string()).max(LOCALES.numbersMax).optional();
const editions = z.record(z.string(), z.object({ version, ...publication })).optional();
const record = {
  ...address,
  ...publication,
  ...authors,
  version,
  createdAt: time,
  updatedAt: time,
  editions,
  apart,
  data,
};
const trashed = { deletedAt: time, expiresAt: time };

export const mediaSchema = z.object({ kind: z.literal("media"), ...media });
export const trashedMediaSchema = z.object({
  kind: z.literal("trash"),
  of: z.literal("media"),
  ...media,
  ...trashed,
});
export const recordSchema = addressed({ kind: z.literal("record"), ...record });
export const trashedRecordSchema = addressed({
  kind: z.literal("trash"),
  of: z.literal("record"),
  ...record,
  ...trashed,
});
export const publishedSchema = addressed({
  kind: z.literal("published"),
  ...address,
  ...authors,
  ...publication,
  version,
  updatedAt: time,
  editions,
  apart,
  data,
});
export const versionSchema = addressed({
  kind: z.literal("version"),
  ...address,
  no: version,
  version,
  event: z.enum(["created", "updated", "published", "unpublished", "trashed", "restored"]),
  isContent: z.boolean(),
  createdAt: time,
  actor: actor.nullable(),
  changed: z.array(z.string()).max(1000),
  locales: z.array(z.string()).max(1000).optional(),
  expiresAt: time.optional(),
  data: data.optional(),
});
export const localeSchema = addressed({
  kind: z.enum(["record", "published", "version", "trash"]),
  ...address,
  locale: z.string(),
  no: version.optional(),
  data,
});

export type MediaIn = z.output<typeof mediaSchema> | z.output<typeof trashedMediaSchema>;
export type RecordIn = z.output<typeof recordSchema> | z.output<typeof trashedRecordSchema>;
export type PublishedIn = z.output<typeof publishedSchema>;
export type VersionIn = z.output<typeof versionSchema>;
export type LocaleIn = z.output<typeof localeSchema>;
