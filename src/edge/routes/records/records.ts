/** The routes of records and pages: create, list, read, change, delete (RULES 3.3 to 3.8). */
import * as z from "zod";
import { openList, readOne, type Reading } from "../../records/read/read-records.ts";
import { isFilterParameter, relationsIn } from "../../lists/asked-filters.ts";
import { isModified, versionsOfIfMatch } from "../../records/read/preconditions.ts";
import { CACHE } from "../../../limits.ts";
import type { Reader } from "../../storage/spaces/keys.ts";
import { deleteRecord } from "../../records/write/record-trash.ts";
import { changeRecord, createRecord, type Written } from "../../records/write/write.ts";
import type { Model } from "../../../content/model/model.ts";
import type { Content } from "../../../content/model/publication.ts";
import { cdnBaseOf, publicBaseOf } from "../../http/addresses.ts";
import type { AppContext } from "../../http/context.ts";
import { openEndpoint, parametersIn, respond, type App } from "../../http/endpoint.ts";
import { MERGE_PATCH_TYPE, typeOfBody } from "../../http/requests/json-body.ts";
import {
  countedListOf,
  countParameter,
  oneOf,
  pageQuery,
  searchParameter,
} from "../../http/answers/pages.ts";
import { contentAsked, enterList, enterRecords, enterRecord, type Entered } from "./authorize-record.ts";
import { filterParameter, RECORD_FILTERS } from "./filter-parameter.ts";
import { payerOfClient, payerOfSpace } from "./payer.ts";
import { deleteQuery, fieldsBody, localeQuery, recordSchema, viewQuery } from "./record-schema.ts";
import { deletedSchema } from "../media/media-schema.ts";

const tag = "Records";
const LIST_PATH = "/api/v1/:spaceName/data/:typeModel/:model";
const PATH = `${LIST_PATH}/:id`;

const listQuery = z.strictObject({
  ...pageQuery,
  ...viewQuery,
  sort: z.string().optional().meta({
    description: "Up to 3 fields; `-` before a name sorts descending. Ascending, null comes last.",
    default: "-createdAt",
  }),
  search: searchParameter("the fields marked `searchable` together"),
  count: countParameter,
  filter: filterParameter(RECORD_FILTERS),
});

export const ifMatch = (c: AppContext, model: Model): ReadonlySet<number> | null =>
  versionsOfIfMatch(c.req.header("If-Match"), model);

/** The headers of public content. A cache must not use a copy for requests that have a key. */
const PUBLIC_HEADERS = {
  "Cache-Control": `public, max-age=${CACHE.publicSeconds}, stale-while-revalidate=${CACHE.publicStaleSeconds}`,
  Vary: "Authorization",
};

const cachingOf = ({ kind }: Reader): Record<string, string> =>
  kind === "anybody" ? PUBLIC_HEADERS : { "Cache-Control": "no-store" };

function readingOf(
  c: AppContext,
  { space, model, context, scopes }: Entered,
  { content, reader }: { content: Content; reader: Reader },
): Reading {
  const onlyPublic = reader.kind === "anybody";
  const bases = { publicBase: publicBaseOf(c), cdnBase: cdnBaseOf(c) };
  return { space, model, content, onlyPublic, scopes, db: context.db, bases, secret: c.env.CURSOR_SECRET };
}

export const respondWritten = (
  c: AppContext,
  { view, etag }: Written,
  created?: { location: string },
): Response =>
  respond(c, view, {
    status: created ? 201 : 200,
    headers: {
      ETag: etag,
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
      reaches: "records",
      query: z.strictObject(localeQuery),
      body: fieldsBody,
      doc: {
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
      },
    },
    async ({ body, ...asking }) => {
      const { space, model, context } = await enterRecords(asking, "write");
      const written = await createRecord(context, model, await body());
      const address = `/api/v1/${space.name}/data/${model.typeModel}/${model.name}/${String(written.view["id"])}`;
      // A new record of a model with drafts is a draft: its plain address is 404 until it is published.
      const location = model.drafts ? `${address}?status=draft` : address;
      return respondWritten(asking.c, written, { location });
    },
  );

  openEndpoint(
    app,
    {
      method: "get",
      path: LIST_PATH,
      access: { checkedByHandler: "read", orPublic: true },
      reaches: "records",
      query: listQuery,
      doc: {
        operationId: "listRecords",
        tag,
        summary: "List records",
        description:
          "A list never misses or repeats a record that existed throughout. A page may end early, at 8 MB.",
        answers: {
          200: { description: "A page of records", schema: countedListOf(recordSchema) },
        },
        errors: ["INVALID_CURSOR", "IMAGE_DELIVERY_RATE_LIMITED"],
      },
    },
    async ({ c, credential, gate, query }) => {
      const filters = [...parametersIn(c)].filter(([name]) => isFilterParameter(name));
      const { content, required } = contentAsked(c);
      const asking = { c, credential, gate, query: () => query(isFilterParameter) };
      const { asked, ...entered } = await enterList(asking, required, relationsIn(filters));
      const seen = { content, reader: credential };
      const isKeyed = credential.kind !== "anybody";
      const payer = isKeyed ? payerOfSpace(entered.space) : payerOfClient(c);
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
      reaches: "records",
      query: z.strictObject(viewQuery),
      doc: {
        operationId: "getRecord",
        headers: ["If-None-Match"],
        tag,
        summary: "Read one object by id",
        answers: {
          200: { description: "The object, with its ETag", schema: oneOf(recordSchema), headers: ["ETag"] },
          304: { description: "If-None-Match names its ETag", headers: ["ETag"] },
        },
        errors: ["IMAGE_DELIVERY_RATE_LIMITED"],
      },
    },
    async (asking) => {
      const { c, credential } = asking;
      const { content, required } = contentAsked(c);
      const { asked, ...entered } = await enterRecord(asking, required, content);
      const reading = readingOf(c, entered, { content, reader: credential });
      const { view, etag } = await readOne(reading, entered.record, asked);
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
        reaches: "records",
        query: z.strictObject(localeQuery),
        body: fieldsBody,
        takesMergePatch: true,
        doc: {
          operationId: method === "put" ? "updateRecord" : "patchRecord",
          headers: ["If-Match"],
          tag,
          summary: "Update the given fields of one object; null clears a field",
          description:
            "With `If-Match` (the ETag of a read) or a `version` in the body, the answer is 412 if the object has changed " +
            "since. Without, concurrent updates are merged. PUT and PATCH do the same. A body with Content-Type " +
            `${MERGE_PATCH_TYPE} merges objects in \`json\` fields (RFC 7396); any other replaces them.`,
          answers: {
            200: { description: "The updated object", schema: oneOf(recordSchema), headers: ["ETag"] },
          },
          errors: ["CONFLICT", "PRECONDITION_FAILED"],
        },
      },
      async ({ body, ...asking }) => {
        const { c } = asking;
        const { context, ...entry } = await enterRecord(asking, "write");
        const versions = ifMatch(c, entry.model);
        const isPatch = typeOfBody(c) === MERGE_PATCH_TYPE;
        return respondWritten(c, await changeRecord(context, entry, await body(), versions, isPatch));
      },
    );
  }

  openEndpoint(
    app,
    {
      method: "delete",
      path: PATH,
      access: { checkedByHandler: "write" },
      reaches: "records",
      query: deleteQuery,
      doc: {
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
      },
    },
    async (asking) => {
      const { c } = asking;
      const { context, space, asked, ...entry } = await enterRecord(asking, "write");
      const ifUnreferenced = asked.ifUnreferenced === "true";
      const conditions = { versions: ifMatch(c, entry.model), ifUnreferenced };
      return respond(c, await deleteRecord(context, space, entry, conditions));
    },
  );
}
