/** The route of a space's audit (RULES 14.3). */
import * as z from "zod";
import { NO_TIME, parseDatetime } from "../../content/field-types/datetime.ts";
import { invalidParameter } from "../../content/query/list-targets.ts";
import { endpoint, parametersIn, respond, type App } from "../http/endpoint.ts";
import { listOf, pageQuery } from "../http/answers/pages.ts";
import { isFilterParameter } from "../lists/asked-filters.ts";
import { ACTIONS, TARGET_KINDS } from "../storage/events/actions.ts";
import { listEvents, type AskedEvents, type EventRow } from "../storage/events/list-events.ts";
import { readTargetTitles } from "../storage/events/target-titles.ts";
import { closePage, openPage } from "../storage/pages/list-page.ts";
import { actorSchema } from "./audit-schema.ts";

const line = z
  .object({
    at: z.iso.datetime(),
    actor: actorSchema,
    action: z.enum(ACTIONS),
    target: z.object({
      kind: z.enum(TARGET_KINDS),
      id: z.string().meta({
        description:
          "The name, of models, spaces and settings; of refusals, the method and path of the first",
      }),
      model: z.string().optional().meta({ description: "Of records and models" }),
      typeModel: z.string().optional().meta({ description: "Of records and models" }),
      title: z
        .string()
        .nullable()
        .optional()
        .meta({
          description:
            "Of records and media: the title, or the file name, that the target has now. Null if it has none, or is " +
            "deleted for good",
        }),
    }),
    requestId: z.string().nullable().meta({ description: "Null for what the service does by itself" }),
    count: z.int().optional().meta({
      description: "Of refusals: how often this actor was refused this in the hour. `at` is the first time",
    }),
  })
  .meta({ id: "AuditLine" });

const time = z
  .string()
  .refine((text) => parseDatetime(text) !== null, NO_TIME)
  .optional();

const FILTERS = ["actor", "action", "target"] as const;
type FilterName = (typeof FILTERS)[number];

/** Returns the filters of a query string. @throws ApiError INVALID_PARAMETER for another one, or one given twice */
function filtersIn(parameters: URLSearchParams): Pick<AskedEvents, FilterName> {
  const asked: Partial<Record<FilterName, string>> = {};
  for (const [name, value] of parameters) {
    if (!isFilterParameter(name)) continue;
    const field = FILTERS.find((one) => name === `filter[${one}]`);
    if (!field) {
      const all = FILTERS.map((one) => `filter[${one}]`).join(", ");
      throw invalidParameter(name, `is not one of ${all}`);
    }
    if (asked[field] !== undefined) throw invalidParameter(name, "must be given at most once");
    asked[field] = value;
  }
  return asked;
}

const millisecondsOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : (parseDatetime(text) ?? undefined);

function viewOf(row: EventRow, title: string | null | undefined): z.input<typeof line> {
  const [typeModel, model] = row.targetModel?.split("/") ?? [];
  return {
    at: new Date(row.at).toISOString(),
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    action: row.action,
    target: {
      kind: row.targetKind,
      id: row.targetId,
      ...(model !== undefined && typeModel !== undefined && { model, typeModel }),
      ...(title !== undefined && { title }),
    },
    requestId: row.requestId,
    ...(row.hour !== null && { count: row.count }),
  };
}

export function mountAudit(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/audit",
      access: "admin",
      reaches: "everything",
      query: z.strictObject({
        ...pageQuery,
        from: time.meta({ format: "date-time", description: "The first time" }),
        to: time.meta({ format: "date-time", description: "The last time" }),
        filter: z
          .never({ error: "must be written filter[actor], filter[action] or filter[target]" })
          .optional()
          .meta({
            type: "object",
            properties: {
              actor: { type: "string", description: "The id of a key or member, `root` or `system`" },
              action: { type: "string", enum: [...ACTIONS] },
              target: { type: "string", description: "The id of the target" },
            },
            additionalProperties: false,
            param: { name: "filter", in: "query", style: "deepObject", explode: true },
          }),
      }),
      isOwnParameter: isFilterParameter,
      doc: {
        operationId: "listAudit",
        tag: "Spaces",
        summary: "List who changed what, newest first",
        description:
          "One line for each write that changed something, and one for the refusals of an actor, action and hour. " +
          "Lines are kept for 365 days.",
        answers: { 200: { description: "A page of lines", schema: listOf(line) } },
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, space, query }) => {
      const { from, to, ...asked } = query;
      const filters = filtersIn(parametersIn(c));
      const wanted = { ...filters, from: millisecondsOf(from), to: millisecondsOf(to) };
      const page = await openPage(c.env.CURSOR_SECRET, ["audit", space.id, wanted], asked);
      const before = page.after && { at: Number(page.after[0]), no: Number(page.after[1]) };
      const found = await listEvents(c.get("db"), space.id, wanted, { limit: page.limit + 1, before });
      const { rows, meta } = await closePage(page, found, ({ at, no }) => [at, no]);
      const titleOf = await readTargetTitles(c.get("db"), space.id, rows);
      const lines = rows.map((row) => viewOf(row, titleOf(row)));
      return respond(c, lines, { meta });
    },
  );
}
