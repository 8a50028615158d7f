/** The route of imports (RULES 18.4). */
import * as z from "zod";
import { nameSchema } from "../../../content/text/names.ts";
import { ApiError, notFound } from "../../../errors.ts";
import { EXCHANGE_TYPE } from "../../../exchange/lines.ts";
import { EXCHANGE, megabytes } from "../../../limits.ts";
import type { Env } from "../../config.ts";
import { ImportContext } from "../../exchange/import/context.ts";
import { importLines, type RouteSchemas } from "../../exchange/import/import.ts";
import { readLines } from "../../exchange/import/read-lines.ts";
import { Report } from "../../exchange/import/report.ts";
import { oneOf } from "../../http/answers/pages.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { typeOfBody } from "../../http/requests/json-body.ts";
import { chunksOf } from "../../http/requests/request-body.ts";
import { originOf } from "../../http/origin.ts";
import { uploadMemory } from "../../media/upload-memory.ts";
import { databaseCount } from "../../shards/bindings.ts";
import { hasLeft } from "../../storage/shards/switch.ts";
import { invalidateCopies } from "../invalidation.ts";
import { fieldsSchema, optionSchemas, typeModelSchema } from "../models/model-schema.ts";
import { faultsOfOrigins, settingsAsked } from "../spaces/settings-schema.ts";
import { readTarget, TARGET_RULE } from "../../webhooks/target.ts";
import { createBody as webhookBody } from "../webhooks/webhook-schema.ts";

const MODEL = z.strictObject({
  typeModel: typeModelSchema,
  name: nameSchema,
  fields: fieldsSchema,
  ...optionSchemas,
});

type LocalRules = Pick<Env, "LOCAL" | "REMOTE_TEST_ORIGINS">;

/** Returns the schemas of lines. A service that `npm start` runs takes webhooks to this machine too. */
const schemasOf = (env: LocalRules, isLocal = env.LOCAL === "1"): RouteSchemas => ({
  model: MODEL,
  settings: settingsAsked.superRefine(({ origins = [] }, context) => {
    for (const { path, message } of faultsOfOrigins(origins, env))
      context.addIssue({ code: "custom", path: path.split("."), message });
  }),
  webhook: webhookBody.extend({
    url: webhookBody.shape.url
      .refine((url) => readTarget(url, { isLocal }) !== null, TARGET_RULE)
      .transform((url) => readTarget(url, { isLocal }) ?? url),
  }),
});

const refused = z.object({
  line: z.int().meta({ description: "Counted from 1" }),
  path: z.string(),
  message: z.string().meta({ description: "Begins with `DIFFERS` if the space holds something else" }),
});

const result = z
  .object({
    imported: z.int(),
    unchanged: z.int(),
    refused: z.array(refused),
    waiting: z
      .array(z.object({ id: z.string(), sha256: z.string() }))
      .meta({ description: "Media whose files are to be sent to `PUT /media/{id}/file`" }),
  })
  .meta({ id: "ImportResult" });

/** The memory of an import: its body, the lines that are held as values, and what is written of these. */
const MEMORY_BYTES = EXCHANGE.bodyMaxBytes + 2 * EXCHANGE.valuesMaxBytes;

export function mountImport(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/import",
      access: "admin",
      reaches: "everything",
      streamedBody: [EXCHANGE_TYPE],
      query: z.strictObject({
        overwrite: z.enum(["true", "false"]).optional().meta({
          description:
            "`true`: what differs in the space is written as a new version. Else it is left, and listed",
        }),
      }),
      doc: {
        operationId: "importLines",
        tag: "Exports",
        summary: "Import lines of an export",
        description:
          `The body is NDJSON in the order of an export: at most ${megabytes(EXCHANGE.bodyMaxBytes)}, a line at most ` +
          `${megabytes(EXCHANGE.lineMaxBytes)}. Ids, times, versions, drafts, schedules and histories are kept. A line that ` +
          "is there already changes nothing, so a run that broke is repeated. A media line waits for its file: send it to " +
          "`PUT /media/{id}/file` with `Content-Digest`.",
        answers: { 200: { description: "The lines by what was done with them", schema: oneOf(result) } },
        errors: ["UNSUPPORTED_CONTENT_TYPE", "PAYLOAD_TOO_LARGE", "REQUEST_TOO_SLOW"],
      },
    },
    async ({ c, space, caller, query }) => {
      if (typeOfBody(c) !== EXCHANGE_TYPE)
        throw new ApiError("UNSUPPORTED_CONTENT_TYPE", `Send the lines with Content-Type: ${EXCHANGE_TYPE}.`);
      const memory = await uploadMemory.reserve(space.id, MEMORY_BYTES);
      const body = c.req.raw.body as ReadableStream<Uint8Array> | null;
      try {
        const lines = body ? await readLines(chunksOf(body)) : [];
        const report = new Report();
        const context = new ImportContext({
          ...{ db: c.get("db"), space, now: Date.now, report },
          origin: originOf(c, caller),
          isOverwriting: query.overwrite === "true",
          queries: c.get("queryCount"),
        });
        try {
          const result = await importLines(context, lines, schemasOf(c.env));
          // Lines that found the space hidden are listed as refused. The space may have left: then all is sent again (12.7).
          const mayHaveLeft = result.refused.length > 0 && databaseCount(c.env) > 1;
          if (mayHaveLeft && (await hasLeft(c.get("db"), space.id))) throw notFound("The space");
          return respond(c, result);
        } finally {
          // Lines were written, whatever ended the others.
          if (report.written.length > 0) {
            c.set("changesCopies", true);
            invalidateCopies(c);
          }
        }
      } finally {
        memory.end();
      }
    },
  );
}
