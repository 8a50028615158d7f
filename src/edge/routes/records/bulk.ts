/** The route for many operations on records in one request (RULES 3.16). */
import * as z from "zod";
import { runBulk } from "../../records/bulk/bulk.ts";
import { openEndpoint, respond, type App } from "../../http/endpoint.ts";
import { oneOf } from "../../http/answers/pages.ts";
import { CONTENT } from "../../../limits.ts";
import { enterRecords } from "./authorize-record.ts";
import { fieldsBody as data, localeQuery, localesAsked as locales } from "./record-schema.ts";

const id = z.string().min(1);
const ifMatch = z.string().optional().meta({
  description: "The ETag of a read; if the record has changed since, the answer is 412",
});

const operation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("create"), data }),
  z.strictObject({ op: z.literal("update"), id, ifMatch, data }),
  z.strictObject({ op: z.literal("delete"), id, ifMatch }),
  z.strictObject({ op: z.enum(["publish", "unpublish"]), id, ifMatch, locales }),
]);

const body = z.strictObject({
  operations: z.array(operation).min(1).max(CONTENT.bulkOperationsMax),
});

const done = z.object({
  op: z.enum(["create", "update", "delete", "publish", "unpublish"]),
  id: z.string(),
  version: z.int().meta({ description: "For a deleted record, its last version" }),
});

export function mountBulk(app: App): void {
  openEndpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/data/:typeModel/:model/bulk",
      access: { checkedByHandler: "write" },
      reaches: "records",
      query: z.strictObject(localeQuery),
      body,
      doc: {
        operationId: "bulkRecords",
        tag: "Records",
        summary: "Create, update, delete, publish and unpublish records of a collection, all or none",
        description:
          `At most ${CONTENT.bulkOperationsMax} operations, done in order, each on a different record. ` +
          "If one fails, its error is the answer, with a path that begins with `operations.` and its number, and nothing changes.",
        answers: {
          200: { description: "The results, in the order of the operations", schema: oneOf(z.array(done)) },
        },
        errors: ["CONFLICT", "PRECONDITION_FAILED"],
      },
    },
    async ({ body, ...asking }) => {
      const { space, model, context } = await enterRecords(asking, "write");
      const { operations } = await body();
      return respond(asking.c, await runBulk(context, space, model, operations));
    },
  );
}
