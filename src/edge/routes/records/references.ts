/** The routes that list the records that refer to a media item or a record. */
import * as z from "zod";
import { notFound } from "../../../errors.ts";
import type { AppContext } from "../../http/context.ts";
import { endpoint, openEndpoint, respond, type App } from "../../http/endpoint.ts";
import { listOf, pageQuery } from "../../http/answers/pages.ts";
import type { Caller } from "../../spaces/authorize.ts";
import { seesDefaultLocale } from "../../spaces/gate.ts";
import { closePage, openPage, type PageQuery } from "../../storage/pages/list-page.ts";
import { readMedia } from "../../storage/media/media.ts";
import { listReferences, type Reference, type Referenced } from "../../storage/references/references.ts";
import { enterRecord } from "./authorize-record.ts";
import { referenceSchema } from "./record-schema.ts";

const answers = {
  200: { description: "A page of records", schema: listOf(referenceSchema) },
};
const query = z.strictObject(pageQuery);

const viewOf = ({ typeModel, model, id, title, fields }: Reference, seesTitles: boolean) => ({
  typeModel,
  model,
  id,
  title: seesTitles ? title : null,
  fields,
});

async function respondWith(
  c: AppContext,
  { role, scopes, space }: Pick<Caller, "role" | "scopes" | "space">,
  referenced: Referenced,
  asked: PageQuery,
): Promise<Response> {
  const seesDrafts = role !== "read";
  const { spaceId, collection, id } = referenced;
  const page = await openPage(
    c.env.CURSOR_SECRET,
    ["references", spaceId, collection, id, seesDrafts, scopes.models],
    asked,
  );
  const before = page.after === null ? null : Number(page.after[0]);
  const found = await listReferences(c.get("db"), referenced, {
    limit: page.limit + 1,
    before,
    seesDrafts,
    scopes,
  });
  const { rows, meta } = await closePage(page, found, ({ seq }) => [seq]);
  const seesTitles = seesDefaultLocale(scopes, space);
  return respond(
    c,
    rows.map((row) => viewOf(row, seesTitles)),
    { meta },
  );
}

export function mountReferences(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/media/:mediaId/references",
      access: "read",
      reaches: "media",
      query,
      doc: {
        operationId: "listMediaReferences",
        tag: "Media",
        summary: "List the records that refer to a media item, newest first",
        answers,
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, caller, space, query }) => {
      const id = c.req.param("mediaId") ?? "";
      if (!(await readMedia(c.get("db"), space.id, id))) throw notFound("The media item");
      return respondWith(c, caller, { spaceId: space.id, collection: null, id }, query);
    },
  );

  openEndpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/data/:typeModel/:model/:id/references",
      access: { checkedByHandler: "read" },
      reaches: "records",
      query,
      doc: {
        operationId: "listRecordReferences",
        tag: "Records",
        summary: "List the records that refer to a record, newest first",
        description: "Relations cannot refer to pages, so the list of a page is empty.",
        answers,
        errors: ["INVALID_CURSOR"],
      },
    },
    async (asking) => {
      const { space, role, scopes, model, record, asked } = await enterRecord(asking, "read", "by role");
      // No field can refer to a page, even if a collection has its name.
      const collection = model.typeModel === "pages" ? "" : model.name;
      const caller = { space, role, scopes };
      return respondWith(asking.c, caller, { spaceId: space.id, collection, id: record.id }, asked);
    },
  );
}
