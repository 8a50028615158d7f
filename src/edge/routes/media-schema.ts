/** Schemas of media answers, for the API document. */
import { z } from "@hono/zod-openapi";

const preset = z.object({ url: z.url(), width: z.int(), height: z.int() });

export const mediaSchema = z
  .object({
    id: z.string(),
    url: z.url().openapi({ description: "The master's immutable address" }),
    filename: z.string(),
    alt: z.string(),
    mime: z.string(),
    size: z.int().openapi({ description: "Bytes of the master" }),
    width: z.int().openapi({ description: "As displayed: orientation applied" }),
    height: z.int(),
    frames: z.int().nullable(),
    animated: z.boolean(),
    hasAlpha: z.boolean(),
    masterVersion: z.int(),
    placeholder: z
      .object({
        thumbHash: z.string().openapi({ description: "A ThumbHash in base64" }),
        dominantColor: z.string().openapi({ description: "`#rrggbb`" }),
      })
      .nullable()
      .openapi({ description: "Null until it is made, some seconds after the upload, or when it cannot be" }),
    formats: z
      .object({ large: preset, medium: preset, small: preset, thumbnail: preset })
      .optional()
      .openapi({ description: "Absent with adaptive loading off" }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi("Media");

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
  .openapi("Deleted");
