/** The routes of records and pages: create, list, read, change, delete (RULES 3.3 to 3.8). */
import * as z from "zod";
import { documented } from "#says";
import { openList, readOne, type Reading } from "../content/read-records.ts";
import { isFilterParameter, relationsIn } from "../content/asked-filters.ts";
import { etagOf, isModified, versionsOfIfMatch } from "../content/preconditions.ts";
import { CACHE } from "../../limits.ts";
import type { Reader } from "../storage/keys.ts";
import { deleteRecord } from "../content/trash.ts";
import { changeRecord, createRecord, type Written } from "../content/write.ts";
import { type Content } from "../content-model/publication.ts";
import { cdnBaseOf, publicBaseOf } from "../http/addresses.ts";
import type { AppContext } from "../http/context.ts";
import { openEndpoint, respond, type App } from "../http/endpoint.ts";
import { countedListOf, countParameter, oneOf, pageQuery, searchParameter } from "../http/pages.ts";
import { contentAsked, enterList, enterModel, enterRecord, type Entered } from "./authorize-record.ts";
import { filterParameter, RECORD_FILTERS } from "./filter-parameter.ts";
import { payerOfClient, payerOfKey } from "./payer.ts";
import { deleteQuery, fieldsBody, recordSchema, viewQuery } from "./record-schema.ts";
import { deletedSchema } from "./media-schema.ts";

const tag = "Records";
const LIST_PATH = "/api/v1/:spaceName/data/:typeModel/:model";
const PATH = `${LIST_PATH}/:id`;

const listQuery = z.strictObject({
  ...pageQuery,
  ...viewQuery,
  sort: z
    .string()
    .optional()
    .meta(
      documented(() => ({
        description: "Up to 3 fields; `-` before a name sorts descending. Ascending, null comes last.",
        default: "-createdAt",
      })),
    ),
  search: searchParameter("the fields marked `searchable` together"),
  count: countParameter,
  filter: filterParameter(RECORD_FILTERS),
});

export const ifMatch = (c: AppContext): ReadonlySet<number> | null =>
  versionsOfIfMatch(c.req.header("If-Match"));

/** The headers of public content. A cache must not use a copy for requests that have a key. */
const PUBLIC_HEADERS = {
  "Cache-Control": `public, max-age=${CACHE.publicSeconds}, stale-while-revalidate=${CACHE.publicStaleSeconds}`,
  Vary: "Authorization",
};

const cachingOf = ({ kind }: Reader): Record<string, string> =>
  kind === "anybody" ? PUBLIC_HEADERS : { "Cache-Control": "no-store" };

function readingOf(
  c: AppContext,
  { space, model, context }: Entered,
  { content, reader }: { content: Content; reader: Reader },
): Reading {
  const onlyPublic = reader.kind === "anybody";
  const bases = { publicBase: publicBaseOf(c), cdnBase: cdnBaseOf(c) };
  return { space, model, content, onlyPublic, db: context.db, bases, secret: c.env.ROOT_TOKEN };
}

export const respondWritten = (
  c: AppContext,
  { view, version, model }: Written,
  created?: { location: string },
): Response =>
  respond(c, view, {
    status: created ? 201 : 200,
    headers: {
      ETag: etagOf({ version }, model),
      ...(created && { Location: publicBaseOf(c) + created.location }),
    },
  });

export function mountRecords(app: App): void {
  openEndpoint(
    app,
    {
      method: "post",
      path: LIST_PATH,
      access: { checkedByHandler: "write" },
      body: fieldsBody,
      doc: documented(() => ({
        operationId: "createRecord",
        tag,
        summary: "Create a record of a collection",
        answers: {
          201: {
            description: "The record; Location has its address",
            schema: oneOf(recordSchema),
            headers: ["ETag", "Location"],
          },
        },
        errors: ["CONFLICT"],
      })),
    },
    async ({ c, credential, query, body }) => {
      const { space, model, context } = await enterModel(c, credential, "write");
      query();
      const written = await createRecord(context, model, await body());
      const location = `/api/v1/${space.name}/data/${model.typeModel}/${model.name}/${String(written.view["id"])}`;
      return respondWritten(c, written, { location });
    },
  );

  openEndpoint(
    app,
    {
      method: "get",
      path: LIST_PATH,
      access: { checkedByHandler: "read", orPublic: true },
      query: listQuery,
      doc: documented(() => ({
        operationId: "listRecords",
        tag,
        summary: "List records",
        description:
          "A list never misses or repeats a record that existed throughout. A page may end early, at 8 MB.",
        answers: {
          200: { description: "A page of records", schema: countedListOf(recordSchema) },
        },
        errors: ["INVALID_CURSOR", "IMAGE_DELIVERY_RATE_LIMITED"],
      })),
    },
    async ({ c, credential, query }) => {
      const filters = [...new URL(c.req.url).searchParams].filter(([name]) => isFilterParameter(name));
      const { content, required } = contentAsked(c);
      const entered = await enterList(c, credential, required, relationsIn(filters));
      const asked = query(isFilterParameter);
      const seen = { content, reader: credential };
      const isKeyed = credential.kind !== "anybody";
      const payer = isKeyed ? payerOfKey(entered.context.author) : payerOfClient(c);
      const reading = { ...readingOf(c, entered, seen), related: entered.related, payer };
      const { data, meta } = await openList(reading, asked, filters);
      return respond(c, data, { meta, headers: cachingOf(credential) });
    },
  );

  openEndpoint(
    app,
    {
      method: "get",
      path: PATH,
      access: { checkedByHandler: "read", orPublic: true },
      query: z.strictObject(viewQuery),
      doc: documented(() => ({
        operationId: "getRecord",
        headers: ["If-None-Match"],
        tag,
        summary: "Read one object by id",
        answers: {
          200: { description: "The object, with its ETag", schema: oneOf(recordSchema), headers: ["ETag"] },
          304: { description: "If-None-Match names its ETag", headers: ["ETag"] },
        },
        errors: ["IMAGE_DELIVERY_RATE_LIMITED"],
      })),
    },
    async ({ c, credential, query }) => {
      const { content, required } = contentAsked(c);
      const entered = await enterRecord(c, credential, required, content);
      const reading = readingOf(c, entered, { content, reader: credential });
      const { view, etag } = await readOne(reading, entered.record, query());
      const headers = { ETag: etag, ...cachingOf(credential) };
      if (!isModified(c.req.header("If-None-Match"), etag)) return c.body(null, 304, headers);
      return respond(c, view, { headers });
    },
  );

  for (const method of ["put", "patch"] as const) {
    openEndpoint(
      app,
      {
        method,
        path: PATH,
        access: { checkedByHandler: "write" },
        body: fieldsBody,
        doc: documented(() => ({
          operationId: method === "put" ? "updateRecord" : "patchRecord",
          headers: ["If-Match"],
          tag,
          summary: "Update the given fields of one object; null clears a field",
          description:
            "With `If-Match` (the ETag of a read) or a `version` in the body, the answer is 412 if the object has changed " +
            "since. Without, concurrent updates are merged. PUT and PATCH do the same.",
          answers: {
            200: { description: "The updated object", schema: oneOf(recordSchema), headers: ["ETag"] },
          },
          errors: ["CONFLICT", "PRECONDITION_FAILED"],
        })),
      },
      async ({ c, credential, query, body }) => {
        const { context, ...entry } = await enterRecord(c, credential, "write");
        query();
        return respondWritten(c, await changeRecord(context, entry, await body(), ifMatch(c)));
      },
    );
  }

  openEndpoint(
    app,
    {
      method: "delete",
      path: PATH,
      access: { checkedByHandler: "write" },
      query: deleteQuery,
      doc: documented(() => ({
        operationId: "deleteRecord",
        headers: ["If-Match"],
        tag,
        summary: "Move the object to the trash",
        description:
          "The object is removed at once if the plan keeps no trash. A page is reset to its defaults, and its content goes " +
          "to the trash as a new entry, whose id is in the answer.",
        answers: {
          200: { description: "Trashed or removed", schema: oneOf(deletedSchema) },
        },
        errors: ["CONFLICT", "PRECONDITION_FAILED"],
      })),
    },
    async ({ c, credential, query }) => {
      const { context, space, ...entry } = await enterRecord(c, credential, "write");
      const ifUnreferenced = query().ifUnreferenced === "true";
      const conditions = { versions: ifMatch(c), ifUnreferenced };
      return respond(c, await deleteRecord(context, space, entry, conditions));
    },
  );
}
