/** The routes that read and withdraw a change of a model in the background (RULES 3.2). */
import * as z from "zod";
import { fieldSchema } from "../../../content/field-types/registry.ts";
import { requestOf } from "../../models/change/background/work.ts";
import { withdrawModelChange } from "../../models/change/4-work-in-background.ts";
import type { ChangeConflict } from "../../models/change/conflicts.ts";
import { ApiError, notFound } from "../../../errors.ts";
import { publicBaseOf } from "../../http/addresses.ts";
import type { AppContext } from "../../http/context.ts";
import { openEndpoint, respond, type App } from "../../http/endpoint.ts";
import { oneOf } from "../../http/answers/pages.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import { readModelChange, type ModelChangeRow } from "../../storage/models/background-changes.ts";
import { enterModel } from "../records/authorize-record.ts";

const tag = "Models";
const PATH = "/api/v1/:spaceName/models/:typeModel/:model/change";

export const backgroundChange = z
  .object({
    id: z.string(),
    state: z.enum(["working", "done", "refused", "withdrawn"]),
    version: z.int().meta({ description: "The version of the model that the change starts from" }),
    fields: z.array(fieldSchema).meta({ description: "The fields after the change" }),
    checked: z.int().meta({ description: "Records processed so far; published contents count separately" }),
    records: z.int().meta({ description: "The number of records when the change began" }),
    conflicts: z
      .array(z.object({ path: z.string(), message: z.string(), records: z.int() }))
      .meta({ description: "Why it was refused, with the first records that do not fit" }),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: "ModelChange" });

const iso = (time: number): string => new Date(time).toISOString();

function viewOf(change: ModelChangeRow): z.input<typeof backgroundChange> {
  const { id, state, version, checked, total, startedAt, endedAt } = change;
  return {
    id,
    state,
    version,
    fields: [...requestOf(change).fields],
    checked: Math.min(checked, total),
    records: total,
    conflicts: JSON.parse(change.conflicts) as ChangeConflict[],
    startedAt: iso(startedAt),
    endedAt: endedAt === null ? null : iso(endedAt),
  };
}

/** Answers with a change that continues in the background. */
export function respondWithStarted(c: AppContext, change: ModelChangeRow): Response {
  const { pathname } = new URL(c.req.url);
  const headers = { Location: `${publicBaseOf(c)}${pathname}/change` };
  return respond(c, viewOf(change), { status: 202, headers });
}

/** @throws ApiError NOT_FOUND */
async function changeOf(c: AppContext, row: ModelRow): Promise<ModelChangeRow> {
  const change = await readModelChange(c.get("db"), row.id);
  if (!change) throw notFound("A background change");
  return change;
}

export function mountModelChange(app: App): void {
  openEndpoint(
    app,
    {
      method: "get",
      path: PATH,
      access: { checkedByHandler: "admin" },
      reaches: "models",
      doc: {
        operationId: "getModelChange",
        tag,
        summary: "Read the progress of the model's last background change",
        answers: {
          200: { description: "The change", schema: oneOf(backgroundChange) },
        },
        errors: [],
      },
    },
    async (asking) => {
      const { c } = asking;
      const { row } = await enterModel(asking, "admin");
      return respond(c, viewOf(await changeOf(c, row)));
    },
  );

  openEndpoint(
    app,
    {
      method: "delete",
      path: PATH,
      access: { checkedByHandler: "admin" },
      reaches: "models",
      doc: {
        operationId: "withdrawModelChange",
        tag,
        summary: "Withdraw a running background change; the model stays as it is",
        answers: {
          200: { description: "The change", schema: oneOf(backgroundChange) },
        },
        errors: ["CONFLICT"],
      },
    },
    async (asking) => {
      const { c } = asking;
      const { row, context } = await enterModel(asking, "admin");
      const by = { origin: context.origin, now: Date.now() };
      if (!(await withdrawModelChange(c.get("db"), await changeOf(c, row), row, by))) {
        throw new ApiError("CONFLICT", "This change has ended.");
      }
      return respond(c, viewOf(await changeOf(c, row)));
    },
  );
}
