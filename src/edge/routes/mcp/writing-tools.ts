/** The tools of agents that change records (RULES 19.2). */
import * as z from "zod";
import { fieldsBody, localesAsked } from "../records/record-schema.ts";
import { idempotencyKey, ifMatch, locale, ofRecord, ofRecords, queryOf } from "./arguments.ts";
import { idSchema, pathOf, tool, type Tool } from "./tool.ts";

const fields = z.record(z.string(), z.unknown()).meta({
  description: `${fieldsBody.meta()?.description ?? ""}, as describe_model answers them. Null clears a field`,
});

export const WRITING: readonly Tool[] = [
  tool({
    name: "create_record",
    title: "Create a record",
    description:
      "Creates a record of a collection. In a model with drafts it is a draft, which nobody sees until it is published.",
    effect: "adds",
    takes: z.strictObject({ model: ofRecords.model, fields, ...locale, idempotencyKey }),
    asks: ({ model, fields: body, idempotencyKey: key, ...asked }) => ({
      method: "POST",
      path: pathOf("data", "collections", model),
      query: queryOf(asked),
      body,
      idempotencyKey: key,
      answers: "short",
    }),
  }),
  tool({
    name: "update_record",
    title: "Change a record",
    description:
      "Changes the given fields of a record; others stay. In a model with drafts it changes the draft. Read the record first, and send its `etag` as `ifMatch`.",
    effect: "changes",
    takes: z.strictObject({ ...ofRecord, fields, ...locale, ifMatch }),
    asks: ({ typeModel, model, id, fields: body, ifMatch: versions, ...asked }) => ({
      method: "PATCH",
      path: pathOf("data", typeModel, model, id),
      query: queryOf(asked),
      body,
      ifMatch: versions,
      answers: "short",
    }),
  }),
  tool({
    name: "publish_record",
    title: "Publish a record",
    description: "Publishes the draft of a record for all readers, now or at a time.",
    effect: "changes",
    takes: z.strictObject({
      ...ofRecord,
      at: z.string().optional().meta({ format: "date-time", description: "Without it, now" }),
      locales: localesAsked,
      ...locale,
      ifMatch,
    }),
    asks: ({ typeModel, model, id, ifMatch: versions, locale: code, ...body }) => ({
      method: "POST",
      path: pathOf("data", typeModel, model, id, "publish"),
      query: queryOf({ locale: code }),
      body,
      ifMatch: versions,
      answers: "short",
    }),
  }),
  tool({
    name: "trash_record",
    title: "Move a record to the trash",
    description:
      "Moves a record to the trash, from which `restore` takes it by the id that is answered. `state: removed` means that the space keeps no trash.",
    effect: "removes",
    takes: z.strictObject({
      ...ofRecord,
      ifUnreferenced: z
        .boolean()
        .optional()
        .meta({ description: "True refuses while another record refers to it" }),
      ifMatch,
    }),
    asks: ({ typeModel, model, id, ifMatch: versions, ...asked }) => ({
      method: "DELETE",
      path: pathOf("data", typeModel, model, id),
      query: queryOf(asked),
      ifMatch: versions,
      answers: "short",
    }),
  }),
  tool({
    name: "restore",
    title: "Restore from the trash, or a version",
    description:
      "Puts an entry of the trash back (`entryId`), or gives a record the content of an earlier version (`model`, `id`, `version`).",
    effect: "changes",
    takes: z
      .strictObject({
        entryId: idSchema("The id that trash_record answered").optional(),
        ...ofRecord,
        model: ofRecord.model.optional(),
        id: ofRecord.id.optional(),
        version: z.int().min(1).optional().meta({ description: "The version, as record_history answers it" }),
        dropMissing: z.boolean().optional().meta({
          description: "True leaves out references to records and media that are gone",
        }),
        locales: localesAsked,
        ...locale,
        ifMatch,
      })
      .refine(
        ({ entryId, model, id, version }) =>
          entryId === undefined
            ? model !== undefined && id !== undefined && version !== undefined
            : model === undefined && id === undefined && version === undefined,
        "must have entryId, or model, id and version",
      )
      .superRefine(({ entryId, ...asked }, context) => {
        if (entryId === undefined) return;
        for (const name of ["dropMissing", "locale", "locales", "ifMatch"] as const) {
          if (asked[name] !== undefined) {
            const message = "goes with model, id and version, not with entryId";
            context.addIssue({ code: "custom", path: [name], message });
          }
        }
      }),
    asks({ entryId, typeModel, model = "", id = "", version, dropMissing, ifMatch: versions, ...asked }) {
      const { locale: code, locales } = asked;
      if (entryId !== undefined) {
        return { method: "POST", path: pathOf("trash", entryId, "restore"), answers: "short" };
      }
      return {
        method: "POST",
        path: pathOf("data", typeModel, model, id, "versions", String(version), "restore"),
        query: queryOf({ dropMissing, locale: code }),
        body: { locales },
        ifMatch: versions,
        answers: "short",
      };
    },
  }),
];
