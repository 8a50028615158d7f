/** Schemas of media answers, for the API document. */
import * as z from "zod";

const preset = z.object({ url: z.url(), directUrl: z.url(), width: z.int(), height: z.int() });

export const mediaSchema = z
  .object({
    id: z.string(),
    url: z.url().meta({ description: "The master's immutable address" }),
    directUrl: z.url().meta({ description: "Answers with the bytes, without a redirect" }),
    filename: z.string(),
    alt: z.string(),
    mime: z.string(),
    size: z.int().meta({ description: "Bytes of the master" }),
    width: z.int().meta({ description: "As displayed: orientation applied" }),
    height: z.int(),
    frames: z.int().nullable(),
    animated: z.boolean(),
    hasAlpha: z.boolean(),
    masterVersion: z.int(),
    placeholder: z
      .object({
        thumbHash: z.string().meta({ description: "A ThumbHash in base64" }),
        dominantColor: z.string().meta({ description: "`#rrggbb`" }),
      })
      .nullable()
      .meta({ description: "Null until it is made, some seconds after the upload, or when it cannot be" }),
    formats: z
      .object({ large: preset, medium: preset, small: preset, thumbnail: preset })
      .optional()
      .meta({ description: "Absent with adaptive loading off" }),
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
