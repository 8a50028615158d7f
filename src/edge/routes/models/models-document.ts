/** The routes of models as code: a document of a space's models is planned and applied (RULES 3.34). */
import * as z from "zod";
import { fieldNameSchema } from "../../../content/field-types/base.ts";
import { FIELD_TYPES, type FieldType } from "../../../content/field-types/registry.ts";
import { nameSchema } from "../../../content/text/names.ts";
import { CONTENT } from "../../../limits.ts";
import { lossSchema } from "../../http/answers/losses.ts";
import { oneOf } from "../../http/answers/pages.ts";
import { listUpTo } from "../../http/answers/faults.ts";
import { byOf } from "../../http/origin.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { applyDocument } from "../../models/document/apply-document.ts";
import type { DocumentField, ModelsDocument } from "../../models/document/document.ts";
import { planDocument } from "../../models/document/plan-document.ts";
import { announceMaster } from "../media/media-answers.ts";
import { checkOrigins, settingsAsked } from "../spaces/settings-schema.ts";
import { optionSchemas, typeModelSchema } from "./model-schema.ts";

const tag = "Models";

const renamedFrom = fieldNameSchema.optional().meta({
  description:
    "The name that the field had before. It keeps the values, and has no meaning once it is renamed",
});

type FieldSchema = (typeof FIELD_TYPES)[FieldType]["schema"];

const documentField = z
  .discriminatedUnion(
    "type",
    // Every schema is an object with a type; extending the union of them loses only how the compiler knows that.
    Object.values(FIELD_TYPES).map(({ schema }) => schema.extend({ renamedFrom })) as unknown as [
      FieldSchema,
    ],
  )
  .meta({ id: "DocumentField" }) as unknown as z.ZodType<DocumentField, DocumentField>;

const documentModel = z
  .strictObject({
    typeModel: typeModelSchema,
    name: nameSchema,
    ...optionSchemas,
    // Without their defaults, which would make them required in the types of the client.
    drafts: z.boolean().optional(),
    public: z.boolean().optional(),
    fields: listUpTo(documentField, CONTENT.fieldsPerModelMax),
  })
  .meta({ id: "DocumentModel", description: "An option that is left out is its default" });

const documentParts = {
  settings: settingsAsked.optional().meta({ description: "Settings that are left out stay" }),
  models: listUpTo(documentModel, CONTENT.modelsPerSpaceMax).meta({
    description: "Models that are not named are left alone",
  }),
};

const allowDrop = listUpTo(z.string(), CONTENT.allowDropMax)
  .optional()
  .meta({
    description:
      "The values that may be lost: `model.field`, `model.field@de` for one locale of a field, `@de` for a locale. If " +
      "two models of the document have the same name, `pages/model.field`",
    example: ["articles.legacy"],
  });

const modelEntry = z.object({
  action: z.enum(["create", "change", "none"]),
  typeModel: typeModelSchema,
  model: z.string(),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  renamed: z.record(z.string(), z.string()).meta({ description: "New names of fields by their old ones" }),
  changed: z.array(z.string()),
  options: z.array(z.string()).meta({ description: "Options of the model that change" }),
  reordered: z.boolean().meta({ description: "Whether the fields change their order" }),
  records: z.int().meta({ description: "Records that the change concerns, trashed ones included" }),
  inBackground: z.boolean().meta({
    description:
      "There are so many records that the change is made in the background, which finds what does not fit",
  }),
});
const settingsEntry = z.object({
  action: z.literal("change"),
  settings: z.array(z.string()).meta({ description: "Settings that change" }),
});
const changes = z.array(z.union([modelEntry, settingsEntry]));
const working = z.array(z.object({ typeModel: typeModelSchema, model: z.string() })).meta({
  description: "Models with a change that goes on in the background; `…/change` tells how far it is",
});

const documentPlan = z
  .object({
    hash: z.string().meta({ description: "Of the document, and of the space's models and settings" }),
    changes: changes.meta({ description: "Changed settings, then each model that the document names" }),
    conflicts: z
      .array(z.object({ path: z.string(), message: z.string(), loss: lossSchema.optional() }))
      .meta({ description: "What stands against it; empty when it would succeed" }),
    working,
  })
  .meta({ id: "ModelsPlan" });

const appliedDocument = z
  .object({
    changes: changes.meta({ description: "The changes that were made" }),
    working,
    isComplete: z.boolean().meta({
      description:
        "Whether the space is as the document says. If not, plan and apply it again, once the changes in the background are made",
    }),
  })
  .meta({ id: "AppliedModels" });

/** Converts a body to a document: what its schema allows is what a document may hold. */
const documentOf = ({ settings, models }: { settings?: unknown; models: unknown }): ModelsDocument =>
  ({ ...(settings !== undefined && { settings }), models }) as ModelsDocument;

export function mountModelsDocument(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/models/plan",
      access: "admin",
      reaches: "everything",
      body: z.strictObject({ ...documentParts, allowDrop }).meta({ id: "ModelsDocument" }),
      doc: {
        operationId: "planModels",
        tag,
        summary: "Plan the way to a document of models",
        description:
          "Answers what `apply` would change, and what stands against it. Nothing is changed. Relations may lead to " +
          "models of the document in any order, in circles too.",
        answers: { 200: { description: "The plan", schema: oneOf(documentPlan) } },
        errors: [],
      },
    },
    async ({ c, caller, space, body }) => {
      checkOrigins(body.settings?.origins ?? [], c.env, "settings.origins");
      const asked = { document: documentOf(body), allowDrop: body.allowDrop ?? [] };
      const plan = await planDocument(
        { db: c.get("db"), space, ...byOf(c, caller), queries: c.get("queryCount") },
        asked,
      );
      const { hash, changes: planned, conflicts, working: inWork } = plan;
      return respond(c, { hash, changes: planned, conflicts, working: inWork });
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/models/apply",
      access: "admin",
      reaches: "everything",
      body: z.strictObject({ ...documentParts, allowDrop, hash: z.string() }),
      doc: {
        operationId: "applyModels",
        tag,
        summary: "Change the models to a document, as it was planned",
        description:
          "Everything is checked before anything is changed. A request makes at most " +
          `${CONTENT.documentStepsPerRequest} changes, and none after one that goes on in the background. After an ` +
          "interruption, a new plan has the remaining changes. With the hash of a plan that is stale by now it is 412.",
        answers: { 200: { description: "The changes made", schema: oneOf(appliedDocument) } },
        errors: ["CONFLICT", "PRECONDITION_FAILED"],
      },
    },
    async ({ c, caller, space, body }) => {
      checkOrigins(body.settings?.origins ?? [], c.env, "settings.origins");
      c.set("changesCopies", true);
      const asked = { document: documentOf(body), allowDrop: body.allowDrop ?? [] };
      const writing = { db: c.get("db"), space, ...byOf(c, caller), queries: c.get("queryCount") };
      const applied = await applyDocument(writing, asked, body.hash);
      if (applied.space.suggestFocalPoint && !space.suggestFocalPoint) announceMaster(c, space);
      const { changes: made, working: inWork, isComplete } = applied;
      return respond(c, { changes: made, working: inWork, isComplete });
    },
  );
}
