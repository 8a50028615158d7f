/** The routes of models: the fields of collections and pages (RULES 3.1, 3.2). */
import * as z from "zod";
import { changeModel } from "../../models/change/change-model.ts";
import { changeView, planModelChange } from "../../models/change/3-plan-change.ts";
import { modelView } from "../../../content/model/model.ts";
import { furtherModelFaults, systemFaults } from "../../models/model-faults.ts";
import { createModel, removeModel } from "../../models/models.ts";
import {
  checkVersion,
  isModified,
  modelEtagOf,
  versionsOfIfMatch,
} from "../../records/read/preconditions.ts";
import { publicBaseOf } from "../../http/addresses.ts";
import type { AppContext } from "../../http/context.ts";
import { endpoint, openEndpoint, respond, type App } from "../../http/endpoint.ts";
import { byOf } from "../../http/origin.ts";
import { listOf, oneOf, pageQuery } from "../../http/answers/pages.ts";
import { closePage, openPage } from "../../storage/pages/list-page.ts";
import { CONTENT } from "../../../limits.ts";
import { nameSchema } from "../../../content/text/names.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import { listModels } from "../../storage/models/models.ts";
import { enterModel } from "../records/authorize-record.ts";
import {
  changeSchema,
  fieldsSchema,
  modelSchema,
  optionSchemas,
  plannedChangeSchema,
  typeModelSchema,
} from "./model-schema.ts";
import { backgroundChange, respondWithStarted } from "./model-change.ts";

const tag = "Models";
const PATH = "/api/v1/:spaceName/models/:typeModel/:model";

/** Returns the versions that both If-Match and the body allow; null for any. */
function versionsOf(
  c: AppContext,
  row: ModelRow,
  body: { version?: number | undefined },
): ReadonlySet<number> | null {
  const matched = versionsOfIfMatch(c.req.header("If-Match"), row);
  const { version } = body;
  if (version === undefined) return matched;
  return new Set(matched === null || matched.has(version) ? [version] : []);
}

const respondWithModel = (
  c: AppContext,
  row: ModelRow,
  status: 200 | 201 = 200,
  location?: string,
): Response =>
  respond(c, modelView(row), {
    status,
    headers: { ETag: modelEtagOf(row), ...(location !== undefined && { Location: location }) },
  });

export function mountModels(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/models",
      access: "admin",
      reaches: "models",
      body: z.strictObject({
        typeModel: typeModelSchema,
        name: nameSchema,
        fields: fieldsSchema,
        ...optionSchemas,
      }),
      furtherFaults:
        ({ c, space }) =>
        (rest, given) =>
          furtherModelFaults(c.get("db"), space, { given, rest }),
      doc: {
        operationId: "createModel",
        tag,
        summary: "Create a model",
        description:
          "A page model has exactly one record from here on: its id is the model's name. A component has no records: " +
          "fields of the types `component`, `blocks` and `richtext` hold objects of it.",
        answers: {
          201: {
            description: "The new model; Location has its address",
            schema: oneOf(modelSchema),
            headers: ["ETag", "Location"],
          },
        },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, caller, space, body }) => {
      const { typeModel, name, fields, ...options } = body;
      const row = await createModel(
        c.get("db"),
        space,
        { typeModel, name, fields, options },
        byOf(c, caller),
      );
      const path = `/api/v1/${space.name}/models/${row.typeModel}/${row.name}`;
      return respondWithModel(c, row, 201, publicBaseOf(c) + path);
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/models",
      access: "read",
      reaches: "models",
      query: z.strictObject(pageQuery),
      doc: {
        operationId: "listModels",
        tag,
        summary: "List models, in the order they were made",
        answers: {
          200: { description: "A page of models", schema: listOf(modelSchema) },
        },
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, caller, space, query }) => {
      const { scopes } = caller;
      const page = await openPage(c.env.CURSOR_SECRET, ["models", space.id, scopes.models], query);
      const afterId = Number(page.after?.[0] ?? 0);
      const found = await listModels(c.get("db"), space.id, { limit: page.limit + 1, afterId, scopes });
      const { rows, meta } = await closePage(page, found, ({ id }) => [id]);
      return respond(c, rows.map(modelView), { meta });
    },
  );

  openEndpoint(
    app,
    {
      method: "get",
      path: PATH,
      access: { checkedByHandler: "read" },
      reaches: "models",
      doc: {
        operationId: "getModel",
        headers: ["If-None-Match"],
        tag,
        summary: "Read a model",
        answers: {
          200: { description: "The model, with its ETag", schema: oneOf(modelSchema), headers: ["ETag"] },
          304: { description: "If-None-Match names its ETag", headers: ["ETag"] },
        },
        errors: [],
      },
    },
    async (asking) => {
      const { c } = asking;
      const { row } = await enterModel(asking, "read");
      const etag = modelEtagOf(row);
      if (!isModified(c.req.header("If-None-Match"), etag)) return c.body(null, 304, { ETag: etag });
      return respondWithModel(c, row);
    },
  );

  openEndpoint(
    app,
    {
      method: "put",
      path: PATH,
      access: { checkedByHandler: "admin" },
      reaches: "models",
      query: z.strictObject({ dryRun: z.enum(["true", "false"]).optional() }),
      body: changeSchema,
      doc: {
        operationId: "replaceModel",
        headers: ["If-Match"],
        tag,
        summary: "Replace a model's fields and options",
        description:
          "Fields are matched by name. A field whose values some record holds, trashed ones included, is only removed " +
          "when `drop` names it, and then for good; `rename` keeps them. A new field gives records that exist its " +
          "default. An option that is left out stays. No value is converted: what some record's value does not fit is 409. " +
          `Where over ${CONTENT.checkedRecordsMax} records have to be looked at for that, or over ` +
          `${CONTENT.rewrittenRecordsMax} to be written, the answer is 202, and the model changes once all of them ` +
          "fit; `…/change` tells how far it is. With `If-Match`, or a `version` in the body, a version that is stale by now is 412. `dryRun=true` changes nothing and answers " +
          "what would change, how many records it concerns and what stands against it.",
        answers: {
          200: {
            description: "The changed model; what would change, of a dry run",
            schema: oneOf(z.union([modelSchema, plannedChangeSchema])),
            headers: ["ETag"],
          },
          202: {
            description: "There are so many records to look at that it is worked on in the background",
            schema: oneOf(backgroundChange),
            headers: ["Location"],
          },
        },
        errors: ["CONFLICT", "PRECONDITION_FAILED"],
      },
    },
    async ({ body, ...asking }) => {
      const { c } = asking;
      const { row, model, space, context, asked: parameters } = await enterModel(asking, "admin");
      c.set("changesCopies", true);
      const input = await body(async (rest, given) => [
        ...systemFaults(row, rest),
        ...(await furtherModelFaults(c.get("db"), space, { there: model, given, rest })),
      ]);
      const { origin } = context;
      const versions = versionsOf(c, row, input);
      const writing = { db: c.get("db"), space, origin, now: Date.now(), versions };
      checkVersion(row, writing.versions, "model");
      const {
        fields,
        drop = [],
        rename = new Map(),
        label,
        description,
        titleField,
        previewUrl,
        drafts,
        public: isPublic,
      } = input;
      const options = { label, description, titleField, previewUrl, drafts, public: isPublic };
      const asked = {
        fields,
        drop,
        rename,
        options,
        faults: systemFaults(row, input),
      };
      if (parameters.dryRun === "true")
        return respond(c, changeView(await planModelChange(writing, row, asked)));
      const changed = await changeModel(writing, row, asked);
      return "asked" in changed ? respondWithStarted(c, changed) : respondWithModel(c, changed);
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
        operationId: "deleteModel",
        tag,
        summary: "Remove a model that has no records, in the trash either",
        answers: {
          200: {
            description: "Removed",
            schema: oneOf(
              z.object({ typeModel: typeModelSchema, name: z.string(), state: z.literal("removed") }),
            ),
          },
        },
        errors: ["CONFLICT"],
      },
    },
    async (asking) => {
      const { c } = asking;
      const { row, space, context } = await enterModel(asking, "admin");
      await removeModel(c.get("db"), space, row, { origin: context.origin, now: Date.now() });
      return respond(c, { typeModel: row.typeModel, name: row.name, state: "removed" });
    },
  );
}
