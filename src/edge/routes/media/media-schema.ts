/** Schemas of media answers, for the API document. */
import * as z from "zod";
import { actorSchema } from "../audit-schema.ts";
import type { ErrorCode } from "../../../errors.ts";

const preset = z.object({ url: z.url(), directUrl: z.url(), width: z.int(), height: z.int() });

const share = z.number().min(0).max(1);

/** A focal point as clients send and see it. */
export const focalPointSchema = z.strictObject({ x: share, y: share }).meta({
  id: "FocalPoint",
  description: "Shares of the width and the height, from the left and the top, rounded to two decimals",
});

const seenActor = actorSchema.nullish();
const actorFields = {
  createdBy: seenActor.meta({ description: "For the roles write and admin alone; null if it is not known" }),
  updatedBy: seenActor,
};

const statement = z.string().nullable();
const copyrightSchema = z
  .object({
    creator: statement.meta({ description: "Several are separated by `; `" }),
    credit: statement.meta({ description: "The credit line" }),
    notice: statement.meta({ description: "The copyright notice" }),
    usageTerms: statement,
    statement: statement.meta({ description: "The address of the web statement of rights" }),
    licensor: statement.meta({ description: "Its name, its address, or both with `, ` between" }),
  })
  .meta({ id: "Copyright" });

export const mediaSchema = z
  .object({
    id: z.string(),
    url: z.url().meta({ description: "The master's immutable address" }),
    directUrl: z.url().meta({ description: "Answers with the bytes, without a redirect" }),
    filename: z.string(),
    alt: z.union([z.string(), z.record(z.string(), z.string())]).meta({
      id: "AltText",
      description:
        "With `locale=all`, and in an entry of the trash of a space with locales: the texts by locale",
    }),
    mime: z.string(),
    size: z.int().meta({ description: "Bytes of the master" }),
    width: z.int().meta({ description: "As displayed, with the orientation applied" }),
    height: z.int(),
    frames: z.int().nullable(),
    animated: z.boolean(),
    hasAlpha: z.boolean(),
    masterVersion: z.int(),
    focalPoint: focalPointSchema.nullable().meta({
      description: "The point that crops are centred on; null for the suggested point, or the centre",
    }),
    focalPointSuggested: focalPointSchema.nullable().meta({
      description: "Computed some seconds after the upload if the settings ask for it",
    }),
    placeholder: z
      .object({
        thumbHash: z.string().meta({ description: "A ThumbHash in base64" }),
        dominantColor: z.string().meta({ description: "`#rrggbb`" }),
      })
      .nullable()
      .meta({
        description: "Null until it is made, some seconds after the upload, and if it cannot be made",
      }),
    copyright: copyrightSchema.nullable().meta({
      description: "The statements about rights in the master's file. Null if it makes none",
    }),
    missing: z.literal(true).optional().meta({
      description: "The storage has lost the master's bytes; replace the file. Absent otherwise",
    }),
    formats: z
      .object({ large: preset, medium: preset, small: preset, thumbnail: preset })
      .optional()
      .meta({ description: "Absent if adaptive loading is off" }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    ...actorFields,
  })
  .meta({ id: "Media" });

export const deletedSchema = z
  .union([
    z.object({
      id: z.string(),
      state: z.literal("trashed"),
      deletedAt: z.iso.datetime(),
      purgeAt: z.iso.datetime(),
    }),
    z.object({ id: z.string(), state: z.literal("removed") }),
  ])
  .meta({ id: "Deleted" });

/** The errors with which a file can be refused. */
export const UPLOAD_ERRORS: ErrorCode[] = [
  "UNSUPPORTED_MEDIA",
  "UNSUPPORTED_CONTENT_TYPE",
  "INVALID_IMAGE",
  "SVG_REJECTED",
  "INVALID_UPLOAD",
  "PAYLOAD_TOO_LARGE",
  "REQUEST_TOO_SLOW",
  "UNAVAILABLE",
];
