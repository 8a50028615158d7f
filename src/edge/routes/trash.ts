/** The trash: list, restore, purge, for records and media alike (completion §3). */
import { z } from "@hono/zod-openapi";
import { openCursor, sealCursor } from "../storage/cursor.ts";
import { restoreEntry } from "../content/trash.ts";
import { notFound } from "../../errors.ts";
import { endpoint, respond, type App } from "../http/endpoint.ts";
import { listOf, oneOf, pageQuery } from "../http/pages.ts";
import { LIST } from "../../limits.ts";
import { purgeFromTrash, restoreFromTrash } from "../media/trash.ts";
import { purgeRecord } from "../storage/record-trash.ts";
import { listTrash, readTrashEntry, TRASH_KINDS, type TrashRow } from "../storage/trash.ts";
import { placeOf } from "./authorize-record.ts";

const entry = z
  .object({
    id: z.string(),
    kind: z.enum(TRASH_KINDS),
    typeModel: z.string().optional().openapi({ description: "Of a record" }),
    model: z.string().optional().openapi({ description: "Of a record" }),
    filename: z.string().optional().openapi({ description: "Of media" }),
    deletedAt: z.iso.datetime(),
    purgeAt: z.iso.datetime(),
  })
  .openapi("TrashEntry");

const tag = "Trash";

const viewOf = (row: TrashRow): Record<string, unknown> => ({
  id: row.id,
  kind: row.kind,
  ...(row.kind === "record" && { typeModel: row.typeModel, model: row.model }),
  ...(row.filename !== null && { filename: row.filename }),
  deletedAt: new Date(row.deletedAt).toISOString(),
  purgeAt: new Date(row.purgeAt).toISOString(),
});

export function mountTrash(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/trash",
      tag,
      summary: "List the trash, the latest deleted first",
      access: "read",
      query: z.strictObject({
        ...pageQuery,
        kind: z.enum(TRASH_KINDS).optional().openapi({ description: "Both when left out" }),
      }),
      answers: { 200: { description: "A page of trash entries", schema: listOf(entry) } },
      errors: ["INVALID_CURSOR"],
    },
    async ({ c, space, query }) => {
      const limit = query.limit ?? LIST.limitDefault;
      const list = JSON.stringify(["trash", space.id, query.kind ?? null]);
      const secret = c.env.ROOT_TOKEN;
      const after = query.cursor === undefined ? null : await openCursor(secret, list, query.cursor);
      const found = await listTrash(c.get("db"), space.id, {
        kinds: query.kind ? [query.kind] : TRASH_KINDS,
        limit: limit + 1,
        before: after && { deletedAt: after.seq, id: String(after.values[0]) },
      });
      const rows = found.slice(0, limit);
      const last = found.length > limit ? rows.at(-1) : undefined;
      const nextCursor = last
        ? await sealCursor(secret, list, { seq: last.deletedAt, values: [last.id] })
        : null;
      return respond(c, rows.map(viewOf), { meta: { nextCursor, limit } });
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/trash/:entryId/restore",
      tag,
      summary: "Put a trash entry back as it was",
      description:
        "A page's content goes back into the page; what the page holds by then goes to the trash in its place.",
      access: "write",
      answers: {
        200: {
          description: "Restored",
          schema: oneOf(z.object({ id: z.string(), state: z.literal("restored") })),
        },
      },
      errors: ["CONFLICT"],
    },
    async ({ c, space }) => {
      const id = c.req.param("entryId") ?? "";
      const found = await readTrashEntry(c.get("db"), space.id, id);
      if (!found) throw notFound("The trash entry");
      if (found.kind === "media") await restoreFromTrash(c.get("db"), space, id);
      else await restoreEntry(placeOf(c, space), space, found);
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
        200: {
          description: "Removed",
          schema: oneOf(z.object({ id: z.string(), state: z.literal("removed") })),
        },
      },
      errors: [],
    },
    async ({ c, space }) => {
      const id = c.req.param("entryId") ?? "";
      if (!(await purgeRecord(c.get("db"), space.id, id))) {
        await purgeFromTrash(c.get("db"), space, id, Date.now());
      }
      return respond(c, { id, state: "removed" });
    },
  );
}
