/** The routes that publish and unpublish records of models with drafts, now or at a time (RULES 3.12, 3.14). */
import * as z from "zod";
import { takeStep, type Step } from "../../records/write/publish.ts";
import { NO_TIME, parseDatetime } from "../../../content/field-types/datetime.ts";
import { openEndpoint, type App } from "../../http/endpoint.ts";
import { oneOf } from "../../http/answers/pages.ts";
import { enterRecord } from "./authorize-record.ts";
import { localeQuery, localesAsked, recordSchema } from "./record-schema.ts";
import { ifMatch, respondWritten } from "./records.ts";

const bodySchema = z.strictObject({
  at: z
    .string()
    .refine((text) => parseDatetime(text) !== null, NO_TIME)
    .nullish()
    .meta({
      format: "date-time",
      description:
        "The time, met within a minute. Without it, or if it has passed, now. Null cancels the plan",
    }),
  locales: localesAsked,
});

const SUMMARIES: Record<Step, string> = {
  publish: "Publish the draft of a record, now or at a time",
  unpublish: "Unpublish a record, now or at a time",
};

const timeOf = (at: string | null | undefined): number | null | undefined =>
  typeof at === "string" ? parseDatetime(at) : at;

export function mountPublish(app: App): void {
  for (const step of ["publish", "unpublish"] as const) {
    openEndpoint(
      app,
      {
        method: "post",
        path: `/api/v1/:spaceName/data/:typeModel/:model/:id/${step}`,
        access: { checkedByHandler: "write" },
        reaches: "records",
        query: z.strictObject(localeQuery),
        body: bodySchema,
        bodyIsOptional: true,
        doc: {
          operationId: `${step}Record`,
          headers: ["If-Match"],
          tag: "Records",
          summary: SUMMARIES[step],
          description:
            step === "publish"
              ? "Required fields must have values by then. A plan publishes the draft as it is at that time. If required values are missing then, the plan is dropped. The version stays."
              : "The draft stays as it is, and so does its version.",
          answers: {
            200: { description: "The draft", schema: oneOf(recordSchema), headers: ["ETag"] },
          },
          errors: ["CONFLICT", "PRECONDITION_FAILED"],
        },
      },
      async ({ body, ...asking }) => {
        const { c } = asking;
        const { context, ...target } = await enterRecord(asking, "write");
        const { at, locales } = await body();
        const options = { step, at: timeOf(at), versions: ifMatch(c, target.model), locales };
        return respondWritten(c, await takeStep(context, target, options));
      },
    );
  }
}
