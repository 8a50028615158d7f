/** The routes of a record's history: its events, its versions, and the restoring of a version (RULES 3.13). */
import * as z from "zod";
import { historyView, restoreVersion, versionView } from "../../records/read/history.ts";
import { notFound } from "../../../errors.ts";
import type { AppContext } from "../../http/context.ts";
import { openEndpoint, respond, type App } from "../../http/endpoint.ts";
import { actorSchema } from "../audit-schema.ts";
import { listOf, oneOf, pageQuery } from "../../http/answers/pages.ts";
import { listHistory, type HistoryPlace } from "../../storage/history/history.ts";
import { closePage, openPage, type OpenPage } from "../../storage/pages/list-page.ts";
import { enterRecord } from "./authorize-record.ts";
import { localeQuery, localesAsked, recordSchema } from "./record-schema.ts";
import { ifMatch, respondWritten } from "./records.ts";

const tag = "Records";
const PATH = "/api/v1/:spaceName/data/:typeModel/:model/:id/versions";

const EVENTS = ["created", "updated", "published", "unpublished", "trashed", "restored"] as const;

const entry = z
  .object({
    version: z.int(),
    createdAt: z.iso.datetime(),
    key: z.object({ id: z.string(), name: z.string() }).nullable().meta({
      description: "Null unless a key asked for it; `actor` names the others, too",
    }),
    actor: actorSchema.nullable().meta({ description: "Null for events older than this field" }),
    changed: z.array(z.string()).meta({ description: "Names of the fields that changed" }),
    locales: z
      .array(z.string())
      .optional()
      .meta({ description: "In spaces with locales: those whose values or publication changed" }),
    event: z.enum(EVENTS),
  })
  .meta({ id: "RecordEvent" });

const wholeVersion = entry.extend({ record: recordSchema }).meta({ id: "RecordVersion" });

/** Returns the version in the path. @throws ApiError NOT_FOUND if it cannot be a version */
function versionOf(c: AppContext): number {
  const text = c.req.param("version") ?? "";
  if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound("The version");
  return Number(text);
}

function placeOf({ after }: OpenPage): HistoryPlace | null {
  if (after === null) return null;
  const [version, isContent, no] = after.map(Number);
  return { version: version ?? 0, isContent: isContent ?? 0, no: no ?? 0 };
}

export function mountVersions(app: App): void {
  openEndpoint(
    app,
    {
      method: "get",
      path: PATH,
      access: { checkedByHandler: "preview" },
      reaches: "history",
      query: z.strictObject(pageQuery),
      doc: {
        operationId: "listRecordVersions",
        tag,
        summary: "List the events of a record, latest first",
        description:
          "Events are kept for the plan's `historyDays`, at most 100 per record. The present and the published version are always kept.",
        answers: { 200: { description: "A page of events", schema: listOf(entry) } },
        errors: ["INVALID_CURSOR"],
      },
    },
    async (asking) => {
      const { c } = asking;
      const { space, model, record, asked } = await enterRecord(asking, "preview");
      const page = await openPage(c.env.CURSOR_SECRET, ["versions", space.id, record.seq], asked);
      const place = { limit: page.limit + 1, before: placeOf(page) };
      const found = await listHistory(c.get("db"), record.seq, place);
      const { rows, meta } = await closePage(page, found, (row) => [row.version, row.isContent, row.no]);
      return respond(
        c,
        rows.map((row) => historyView(model, row)),
        { meta },
      );
    },
  );

  openEndpoint(
    app,
    {
      method: "get",
      path: `${PATH}/:version`,
      access: { checkedByHandler: "preview" },
      reaches: "history",
      query: z.strictObject(localeQuery),
      doc: {
        operationId: "getRecordVersion",
        tag,
        summary: "Read a version of a record",
        description: "It has the fields that the model has now.",
        answers: {
          200: {
            description: "The event that made the version, and the record",
            schema: oneOf(wholeVersion),
          },
        },
        errors: [],
      },
    },
    async (asking) => {
      const { context, ...target } = await enterRecord(asking, "preview");
      return respond(asking.c, await versionView(context, target, versionOf(asking.c)));
    },
  );

  openEndpoint(
    app,
    {
      method: "post",
      path: `${PATH}/:version/restore`,
      access: { checkedByHandler: "write" },
      reaches: "history",
      body: z.strictObject({ locales: localesAsked }),
      bodyIsOptional: true,
      query: z.strictObject({
        ...localeQuery,
        dropMissing: z.enum(["true", "false"]).optional().meta({
          description:
            "`true`: references to records and media that are gone are left out. Else they are 400, and details name them",
        }),
      }),
      doc: {
        operationId: "restoreRecordVersion",
        headers: ["If-Match"],
        tag,
        summary: "Restore a version as a new version",
        description:
          "The content is checked against the present model. If it no longer fits, the answer is 400. Nothing " +
          "changes if the record already has this content.",
        answers: {
          200: { description: "The updated object", schema: oneOf(recordSchema), headers: ["ETag"] },
        },
        errors: ["CONFLICT", "PRECONDITION_FAILED"],
      },
    },
    async ({ body, ...asking }) => {
      const { c } = asking;
      const { context, asked, ...target } = await enterRecord(asking, "write");
      const { locales } = await body();
      const dropMissing = asked.dropMissing === "true";
      const options = { versions: ifMatch(c, target.model), dropMissing, locales };
      return respondWritten(c, await restoreVersion(context, target, versionOf(c), options));
    },
  );
}
