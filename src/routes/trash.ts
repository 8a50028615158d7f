/** The trash: list, restore, purge (completion §3). */
import { z } from "@hono/zod-openapi";
import { endpoint, respond, type App } from "../http/endpoint.ts";
import { listOf, oneOf, pageMeta, pageOf, pageQuery } from "../http/pages.ts";
import { purgeFromTrash, restoreFromTrash } from "../media/trash.ts";
import { listMedia } from "../storage/media.ts";

const entry = z
  .object({
    id: z.string(),
    kind: z.enum(["media", "record"]),
    filename: z.string(),
    deletedAt: z.iso.datetime(),
    purgeAt: z.iso.datetime(),
  })
  .openapi("TrashEntry");

const tag = "Trash";
const iso = (ms: number | null): string => new Date(ms ?? 0).toISOString();

export function mountTrash(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/trash",
      tag,
      summary: "List the trash",
      access: "read",
      query: z.strictObject({ ...pageQuery, kind: z.enum(["media"]) }),
      answers: { 200: { description: "A page of trash entries", schema: listOf(entry) } },
      errors: ["INVALID_CURSOR"],
    },
    async ({ c, space, query }) => {
      const { limit, beforeId } = pageOf(query);
      const found = await listMedia(c.get("db"), space.id, { limit: limit + 1, beforeId, trashed: true });
      const { rows, meta } = pageMeta(found.map((row) => row.media), limit);
      const data = rows.map((row) => ({
        id: row.id,
        kind: "media",
        filename: row.filename,
        deletedAt: iso(row.deletedAt),
        purgeAt: iso(row.purgeAt),
      }));
      return respond(c, data, { meta });
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/trash/:entryId/restore",
      tag,
      summary: "Put a trash entry back as it was",
      access: "write",
      answers: {
        200: { description: "Restored", schema: oneOf(z.object({ id: z.string(), state: z.literal("restored") })) },
      },
      errors: [],
    },
    async ({ c, space }) => {
      const id = c.req.param("entryId") ?? "";
      await restoreFromTrash(c.get("db"), space, id);
      return respond(c, { id, state: "restored" });
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/:spaceName/trash/:entryId",
      tag,
      summary: "Remove a trash entry for good",
      access: "admin",
      answers: {
        200: { description: "Removed", schema: oneOf(z.object({ id: z.string(), state: z.literal("removed") })) },
      },
      errors: [],
    },
    async ({ c, space }) => {
      const id = c.req.param("entryId") ?? "";
      await purgeFromTrash(c.get("db"), space, id, Date.now());
      return respond(c, { id, state: "removed" });
    },
  );
}
