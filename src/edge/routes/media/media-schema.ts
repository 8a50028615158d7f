/** Schemas of media answers, for the API document. */
import * as z from "zod";
import type { ErrorCode } from "../../../errors.ts";

const preset = z.object({ url: z.url(), directUrl: z.url(), width: z.int(), height: z.int() });

const share = z.number().min(0).max(1);

/** A focal point as clients send and see it. */
export const focalPointSchema = z.strictObject({ x: share, y: share }).meta({
  id: "FocalPoint",
  description: "Shares of the width and the height, from the left and the top, rounded to two decimals",
});

export const mediaSchema = z
  .object({
    id: z.string(),
    url: z.url().meta({ description: "The master's immutable address" }),
    directUrl: z.url().meta({ description: "Answers with the bytes, without a redirect" }),
    filename: z.string(),
    alt: z.string(),
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
    formats: z
      .object({ large: preset, medium: preset, small: preset, thumbnail: preset })
      .optional()
      .meta({ description: "Absent if adaptive loading is off" }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
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
