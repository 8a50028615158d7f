/** Records and pages: one by id (interface §4.1), created and listed (completion §3). */
import { z } from "@hono/zod-openapi";
import { openList, readOne, type Reading } from "../content/read-records.ts";
import { SYSTEM_FIELDS } from "../content-model/fields.ts";
import { isFilterParameter, OPERATORS } from "../content/filters.ts";
import { etagOf, noneMatch, versionsOfIfMatch } from "../content/read.ts";
import { deleteRecord } from "../content/trash.ts";
import { changeRecord, createRecord, type Written } from "../content/write.ts";
import { cdnBaseOf, originOf, type AppContext } from "../http/context.ts";
import { openEndpoint, respond, type App } from "../http/endpoint.ts";
import { listOf, oneOf, pageQuery } from "../http/pages.ts";
import { enterModel, enterRecord, type Entered } from "./authorize-record.ts";
import { deletedSchema } from "./media-schema.ts";

const tag = "Records";
const LIST_PATH = "/api/v1/:spaceName/data/:typeModel/:model";
const PATH = `${LIST_PATH}/:id`;

const record = z
  .looseObject({
    id: z.string(),
    createdAt: z.iso.datetime().optional(),
    updatedAt: z.iso.datetime().optional(),
    version: z.int().optional(),
  })
  .openapi("Record", { description: `The fields of the model, and ${SYSTEM_FIELDS.join(", ")}` });

const fieldsBody = z
  .unknown()
  .openapi({ type: "object", additionalProperties: true, description: "Fields of the model by name" });

const view = {
  selectFields: z
    .string()
    .optional()
    .openapi({ description: "Names of fields to answer with, besides `id`" }),
  populate: z.string().optional().openapi({
    description:
      "Relation and media fields to expand: `author,author.avatar`, up to 3 levels, at most 2,000 targets",
  }),
};

const listQuery = z.strictObject({
  ...pageQuery,
  ...view,
  sort: z.string().optional().openapi({
    description: "Up to 3 fields, `-` before one to descend. Null comes last ascending.",
    default: "-createdAt",
  }),
  filter: z
    .never({ error: "must be written filter[field][operator]=value" })
    .optional()
    .openapi({
      type: "object",
      additionalProperties: { type: "object", additionalProperties: { type: "string" } },
      description: `\`filter[field][operator]=value\`, up to 10 of them. Operators: ${OPERATORS.join(", ")}`,
      param: { name: "filter", in: "query", style: "deepObject", explode: true },
    }),
});

const ifMatch = (c: AppContext): ReadonlySet<number> | null => versionsOfIfMatch(c.req.header("If-Match"));

function readingOf(c: AppContext, { space, model, place }: Entered): Reading {
  const bases = { origin: originOf(c), cdnBase: cdnBaseOf(c) };
  return { space, model, db: place.db, bases, secret: c.env.ROOT_TOKEN };
}

const respondWritten = (
  c: AppContext,
  { view, version, model }: Written,
  created?: { location: string },
): Response =>
  respond(c, view, {
    status: created ? 201 : 200,
    headers: { ETag: etagOf({ version }, model), ...(created && { Location: created.location }) },
  });

export function mountRecords(app: App): void {
  openEndpoint(
    app,
    {
      method: "post",
      path: LIST_PATH,
      tag,
      summary: "Create a record of a collection",
      access: { checkedByHandler: "write" },
      body: fieldsBody,
      answers: { 201: { description: "The record; Location is its path", schema: oneOf(record) } },
      errors: ["CONFLICT"],
    },
    async ({ c, credential, query, body }) => {
      const { space, model, place } = await enterModel(c, credential, "write");
      query();
      const written = await createRecord(place, model, await body());
      const location = `/api/v1/${space.name}/data/${model.typeModel}/${model.name}/${String(written.view["id"])}`;
      return respondWritten(c, written, { location });
    },
  );

  openEndpoint(
    app,
    {
      method: "get",
      path: LIST_PATH,
      tag,
      summary: "List records",
      description:
        "A page never misses or repeats a record that was there throughout; it may end early at 8 MB.",
      access: { checkedByHandler: "read" },
      query: listQuery,
      answers: { 200: { description: "A page of records", schema: listOf(record) } },
      errors: ["INVALID_CURSOR"],
    },
    async ({ c, credential, query }) => {
      const entered = await enterModel(c, credential, "read");
      const asked = query(isFilterParameter);
      const filters = [...new URL(c.req.url).searchParams].filter(([name]) => isFilterParameter(name));
      const { data, meta } = await openList(readingOf(c, entered), asked, filters);
      return respond(c, data, { meta });
    },
  );

  openEndpoint(
    app,
    {
      method: "get",
      path: PATH,
      tag,
      summary: "Read one object by id",
      access: { checkedByHandler: "read" },
      query: z.strictObject(view),
      answers: {
        200: { description: "The object, with its ETag", schema: oneOf(record) },
        304: { description: "If-None-Match names its ETag" },
      },
      errors: [],
    },
    async ({ c, credential, query }) => {
      const entered = await enterRecord(c, credential, "read");
      const { view, etag } = await readOne(readingOf(c, entered), entered.record, query());
      const headers = { ETag: etag, "Cache-Control": "no-store" };
      if (!noneMatch(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
      return respond(c, view, { headers });
    },
  );

  openEndpoint(
    app,
    {
      method: "put",
      path: PATH,
      tag,
      summary: "Update one object: the fields named change, null clears, the others stay",
      description:
        "With `If-Match` (the ETag of a read) a version that is stale by now is 412 and nothing changes.",
      access: { checkedByHandler: "write" },
      body: fieldsBody,
      answers: { 200: { description: "The updated object", schema: oneOf(record) } },
      errors: ["CONFLICT", "PRECONDITION_FAILED"],
    },
    async ({ c, credential, query, body }) => {
      const { place, ...entry } = await enterRecord(c, credential, "write");
      query();
      return respondWritten(c, await changeRecord(place, entry, await body(), ifMatch(c)));
    },
  );

  openEndpoint(
    app,
    {
      method: "delete",
      path: PATH,
      tag,
      summary: "Move the object to the trash",
      description:
        "Removed at once when the plan keeps no trash. A page is reset to its defaults; its content goes to the " +
        "trash under an entry id of its own, which is the id answered.",
      access: { checkedByHandler: "write" },
      answers: { 200: { description: "Trashed or removed", schema: oneOf(deletedSchema) } },
      errors: ["CONFLICT", "PRECONDITION_FAILED"],
    },
    async ({ c, credential, query }) => {
      const { place, space, ...entry } = await enterRecord(c, credential, "write");
      query();
      return respond(c, await deleteRecord(place, space, entry, ifMatch(c)));
    },
  );
}
