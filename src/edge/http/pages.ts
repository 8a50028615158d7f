/** Pages of a list by descending id (ids are ULIDs: newest first), with an opaque cursor. */
import { z } from "@hono/zod-openapi";
import { ApiError } from "../../errors.ts";
import { LIST } from "../../limits.ts";

export const pageQuery = {
  limit: z
    .string()
    .regex(/^[1-9]\d*$/, "must be a whole number")
    .transform(Number)
    .refine(
      (n) => n >= LIST.limitMin && n <= LIST.limitMax,
      `must be from ${LIST.limitMin} to ${LIST.limitMax}`,
    )
    .optional()
    .openapi({ type: "integer", minimum: LIST.limitMin, maximum: LIST.limitMax, default: LIST.limitDefault }),
  cursor: z.string().optional().openapi({ description: "`meta.nextCursor` of the page before" }),
};

export interface Page {
  limit: number;
  beforeId: string | null;
}

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const CURSOR_PREFIX = "id_";

/** @throws ApiError INVALID_CURSOR */
export function pageOf(query: { limit?: number | undefined; cursor?: string | undefined }): Page {
  const limit = query.limit ?? LIST.limitDefault;
  if (query.cursor === undefined) return { limit, beforeId: null };
  const id = query.cursor.startsWith(CURSOR_PREFIX) ? query.cursor.slice(CURSOR_PREFIX.length) : "";
  if (!ULID.test(id)) throw new ApiError("INVALID_CURSOR", "The cursor is not one that this list gave.");
  return { limit, beforeId: id };
}

/** Cuts the one row too many that tells whether there is a next page. */
export function pageMeta<Row extends { id: string }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; meta: { nextCursor: string | null; limit: number } } {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const nextCursor = rows.length > limit && last ? CURSOR_PREFIX + last.id : null;
  return { rows: kept, meta: { nextCursor, limit } };
}

export const metaSchema = z.object({ nextCursor: z.string().nullable(), limit: z.number().int() });
export const oneOf = <T extends z.ZodType>(data: T) => z.object({ data });
export const listOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), meta: metaSchema });
