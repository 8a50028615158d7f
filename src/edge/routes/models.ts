/** Models: the fields of collections and pages (completion §3). */
import { z } from "@hono/zod-openapi";
import { fieldSchema, TYPE_MODELS } from "../content-model/fields.ts";
import { changeModel, createModel, removeModel } from "../content/models.ts";
import { modelView } from "../content-model/model.ts";
import { ApiError } from "../../errors.ts";
import { endpoint, openEndpoint, respond, type App } from "../http/endpoint.ts";
import { listOf, oneOf, pageQuery } from "../http/pages.ts";
import { CONTENT, LIST } from "../../limits.ts";
import { nameSchema } from "../spaces/names.ts";
import { listModels } from "../storage/models.ts";
import { enterModel } from "./authorize-record.ts";

const fields = z.array(fieldSchema).max(CONTENT.fieldsPerModelMax);
const typeModel = z.enum(TYPE_MODELS);
const model = z
  .object({
    typeModel,
    name: z.string(),
    fields: z.array(fieldSchema),
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi("Model");

const tag = "Models";
const PATH = "/api/v1/:spaceName/models/:typeModel/:model";

const CURSOR = /^after_(\d{1,15})$/;

/** @throws ApiError INVALID_CURSOR */
function afterOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const id = CURSOR.exec(cursor)?.[1];
  if (id === undefined) throw new ApiError("INVALID_CURSOR", "The cursor is not one that this list gave.");
  return Number(id);
}

const mismatch = (path: string): ApiError =>
  new ApiError("VALIDATION_FAILED", "A model keeps its kind and its name; see details.", {
    details: [{ path, message: "must be the one of the path, or left out" }],
  });

export function mountModels(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/models",
      tag,
      summary: "Create a model",
      description: "A page model has exactly one record from here on: its id is the model's name.",
      access: "admin",
      body: z.strictObject({ typeModel, name: nameSchema, fields }),
      answers: { 201: { description: "The new model; Location is its path", schema: oneOf(model) } },
      errors: ["CONFLICT"],
    },
    async ({ c, space, body }) => {
      const row = await createModel(c.get("db"), space, body, Date.now());
      const location = `/api/v1/${space.name}/models/${row.typeModel}/${row.name}`;
      return respond(c, modelView(row), { status: 201, headers: { Location: location } });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/models",
      tag,
      summary: "List models, in the order they were made",
      access: "read",
      query: z.strictObject(pageQuery),
      answers: { 200: { description: "A page of models", schema: listOf(model) } },
      errors: ["INVALID_CURSOR"],
    },
    async ({ c, space, query }) => {
      const limit = query.limit ?? LIST.limitDefault;
      const found = await listModels(c.get("db"), space.id, limit + 1, afterOf(query.cursor));
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const nextCursor = found.length > limit && last ? `after_${last.id}` : null;
      return respond(c, rows.map(modelView), { meta: { nextCursor, limit } });
    },
  );

  openEndpoint(
    app,
    {
      method: "get",
      path: PATH,
      tag,
      summary: "Read a model",
      access: { checkedByHandler: "read" },
      answers: { 200: { description: "The model", schema: oneOf(model) } },
      errors: [],
    },
    async ({ c, credential, query }) => {
      const { row } = await enterModel(c, credential, "read");
      query();
      return respond(c, modelView(row));
    },
  );

  openEndpoint(
    app,
    {
      method: "put",
      path: PATH,
      tag,
      summary: "Replace a model's fields",
      description:
        "Fields are matched by name. A removed field's values leave all answers at once and for good. A new field " +
        "gives records that exist its default. No value is converted: what some record's value does not fit is 409.",
      access: { checkedByHandler: "admin" },
      body: z.strictObject({ typeModel: typeModel.optional(), name: nameSchema.optional(), fields }),
      answers: { 200: { description: "The changed model", schema: oneOf(model) } },
      errors: ["CONFLICT"],
    },
    async ({ c, credential, query, body }) => {
      const { row, space } = await enterModel(c, credential, "admin");
      query();
      const input = await body();
      if (input.typeModel !== undefined && input.typeModel !== row.typeModel) throw mismatch("typeModel");
      if (input.name !== undefined && input.name !== row.name) throw mismatch("name");
      return respond(c, modelView(await changeModel(c.get("db"), space, row, input.fields, Date.now())));
    },
  );

  openEndpoint(
    app,
    {
      method: "delete",
      path: PATH,
      tag,
      summary: "Remove a model that has no records, in the trash either",
      access: { checkedByHandler: "admin" },
      answers: {
        200: {
          description: "Removed",
          schema: oneOf(z.object({ typeModel, name: z.string(), state: z.literal("removed") })),
        },
      },
      errors: ["CONFLICT"],
    },
    async ({ c, credential, query }) => {
      const { row, space } = await enterModel(c, credential, "admin");
      query();
      await removeModel(c.get("db"), space, row);
      return respond(c, { typeModel: row.typeModel, name: row.name, state: "removed" });
    },
  );
}
