/** The routes of the trash: list, restore and delete for good records and media (RULES 3.8). */
import * as z from "zod";
import { modelOf } from "../../content/model/model.ts";
import { ALL } from "../../content/locales/codes.ts";
import { hasLocales, localesIn } from "../../content/locales/locales.ts";
import { scopeOf, type LocaleScope } from "../../content/model/localized-model.ts";
import { modelInScope, withSides } from "../records/read/locale-scope.ts";
import { recordView } from "../records/read/record-object.ts";
import { restoreEntry } from "../records/write/record-trash.ts";
import { notFound } from "../../errors.ts";
import type { AppContext } from "../http/context.ts";
import { endpoint, respond, type App } from "../http/endpoint.ts";
import { byOf } from "../http/origin.ts";
import { listOf, oneOf, pageQuery } from "../http/answers/pages.ts";
import { closePage, openPage } from "../storage/pages/list-page.ts";
import { deleteTrashedMedia, restoreFromTrash } from "../media/trash.ts";
import { deleteTrashedRecord } from "../storage/trash/record-trash.ts";
import type { Caller } from "../spaces/authorize.ts";
import { checkMediaChange, seesDefaultLocale } from "../spaces/gate.ts";
import { seesActors } from "../spaces/roles.ts";
import {
  listTrash,
  readPublishedEntry,
  readTrashEntry,
  TRASH_KINDS,
  type TrashEntry,
  type TrashRow,
} from "../storage/trash/trash.ts";
import { writeContextOf } from "./records/authorize-record.ts";
import { mediaSchema } from "./media/media-schema.ts";
import { viewOf as mediaViewOf } from "./media/media-answers.ts";
import { recordSchema } from "./records/record-schema.ts";

const entry = z
  .object({
    id: z.string(),
    kind: z.enum(TRASH_KINDS),
    typeModel: z.string().optional().meta({ description: "Of a record" }),
    model: z.string().optional().meta({ description: "Of a record" }),
    filename: z.string().optional().meta({ description: "Of media" }),
    title: z.string().nullable().meta({ description: "File name of the media item" }),
    deletedAt: z.iso.datetime(),
    purgeAt: z.iso.datetime(),
  })
  .meta({ id: "TrashEntry" });

const wholeEntry = entry.extend({
  content: z.union([recordSchema, mediaSchema]).nullable().meta({
    description: "The record or media object as it was; null if the record's model no longer exists",
  }),
});

const tag = "Trash";

const viewOf = (row: TrashRow, seesTitles: boolean): Record<string, unknown> => ({
  id: row.id,
  kind: row.kind,
  ...(row.kind === "record" && { typeModel: row.typeModel, model: row.model }),
  ...(row.kind === "media" && { filename: row.title }),
  title: row.kind === "media" || seesTitles ? row.title : null,
  deletedAt: new Date(row.deletedAt).toISOString(),
  purgeAt: new Date(row.purgeAt).toISOString(),
});

/** Returns the locales in which the content of entries is shown: all that the caller sees. Null without locales. */
function scopeOfAll({ space, scopes }: Caller): LocaleScope | null {
  const locales = localesIn(space.locales);
  return hasLocales(locales) ? scopeOf(locales, ALL, false, scopes.locales) : null;
}

/** Returns an entry with the deleted record or media item. The content of a page has the id of its page. */
async function wholeViewOf(
  c: AppContext,
  caller: Caller,
  found: TrashEntry,
): Promise<Record<string, unknown>> {
  const { space, role, scopes } = caller;
  const { id, deletedAt, purgeAt } = found.kind === "record" ? found.record : found.media;
  const times = { id, deletedAt: deletedAt ?? 0, purgeAt: purgeAt ?? 0 };
  if (found.kind === "media") {
    const row = { ...times, kind: found.kind, typeModel: null, model: null, title: found.media.filename };
    return { ...viewOf(row, true), content: mediaViewOf(c, caller, found, scopeOfAll(caller)) };
  }
  const { record, title } = found;
  const scope = scopeOfAll(caller);
  const stored = found.model && { ...modelOf(found.model), showsActors: seesActors(role) };
  const model = stored && modelInScope(stored, scope);
  const names = { typeModel: model?.typeModel ?? null, model: model?.name ?? null };
  const row = { ...times, kind: found.kind, ...names, title };
  const [whole = record] = model ? await withSides(c.get("db"), model, [record]) : [];
  const was = model?.typeModel === "pages" ? { ...whole, id: model.name } : whole;
  return { ...viewOf(row, seesDefaultLocale(scopes, space)), content: model && recordView(model, was) };
}

export function mountTrash(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/trash",
      access: "read",
      reaches: "trash",
      query: z.strictObject({
        ...pageQuery,
        kind: z.enum(TRASH_KINDS).optional().meta({ description: "Without it, both" }),
      }),
      doc: {
        operationId: "listTrash",
        tag,
        summary: "List the trash, latest deletions first",
        answers: {
          200: { description: "A page of trash entries", schema: listOf(entry) },
        },
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, caller, space, query }) => {
      const page = await openPage(
        c.env.CURSOR_SECRET,
        ["trash", space.id, query.kind ?? null, caller.role === "read", caller.scopes],
        query,
      );
      const found = await listTrash(c.get("db"), space.id, {
        kinds: query.kind ? [query.kind] : TRASH_KINDS,
        limit: page.limit + 1,
        seesDrafts: caller.role !== "read",
        scopes: caller.scopes,
        before: page.after && { deletedAt: Number(page.after[0]), id: String(page.after[1]) },
      });
      const { rows, meta } = await closePage(page, found, ({ deletedAt, id }) => [deletedAt, id]);
      const seesTitles = seesDefaultLocale(caller.scopes, space);
      return respond(
        c,
        rows.map((row) => viewOf(row, seesTitles)),
        { meta },
      );
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/trash/:entryId",
      access: "read",
      reaches: "trash",
      doc: {
        operationId: "getTrashEntry",
        tag,
        summary: "Read a trash entry with what was deleted",
        answers: { 200: { description: "The entry", schema: oneOf(wholeEntry) } },
        errors: [],
      },
    },
    async ({ c, caller, space }) => {
      const id = c.req.param("entryId") ?? "";
      const entry = await readTrashEntry(c.get("db"), space.id, id, caller.scopes);
      const isWhole = entry?.kind !== "record" || caller.role !== "read";
      const found = isWhole ? entry : await readPublishedEntry(c.get("db"), entry);
      if (!found) throw notFound("The trash entry");
      return respond(c, await wholeViewOf(c, caller, found));
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/trash/:entryId/restore",
      access: "write",
      reaches: "trash",
      doc: {
        operationId: "restoreTrashEntry",
        tag,
        summary: "Put a trash entry back as it was",
        description:
          "The content of a page replaces the present content of the page, which goes to the trash.",
        answers: {
          200: {
            description: "Restored",
            schema: oneOf(z.object({ id: z.string(), state: z.literal("restored") })),
          },
        },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, caller, space }) => {
      const id = c.req.param("entryId") ?? "";
      const found = await readTrashEntry(c.get("db"), space.id, id, caller.scopes);
      if (!found) throw notFound("The trash entry");
      if (found.kind === "media") checkMediaChange(caller.scopes, space);
      c.set("changesCopies", true);
      const by = byOf(c, caller);
      if (found.kind === "media") await restoreFromTrash(c.get("db"), space, id, by);
      else await restoreEntry(writeContextOf(c, caller), space, found);
      return respond(c, { id, state: "restored" });
    },
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/:spaceName/trash/:entryId",
      access: "admin",
      reaches: "trash",
      doc: {
        operationId: "purgeTrashEntry",
        tag,
        summary: "Remove a trash entry permanently",
        answers: {
          200: {
            description: "Removed",
            schema: oneOf(z.object({ id: z.string(), state: z.literal("removed") })),
          },
        },
        errors: [],
      },
    },
    async ({ c, caller, space }) => {
      const id = c.req.param("entryId") ?? "";
      const by = byOf(c, caller);
      if (!(await deleteTrashedRecord(c.get("db"), space.id, id, by))) {
        await deleteTrashedMedia(c.get("db"), space, id, by);
      }
      return respond(c, { id, state: "removed" });
    },
  );
}
