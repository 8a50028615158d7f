/** Writes a route's description into the OpenAPI 3.1 document. */
import { z } from "@hono/zod-openapi";
import { ERROR_STATUS, type ErrorCode } from "../../errors.ts";
import type { Answer, App, EndpointDefinition } from "./endpoint.ts";

export const errorSchema = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      requestId: z.string(),
    }),
  })
  .openapi("Error");

const JSON_TYPE = "application/json";

/** Codes that every authorised route can answer. */
const ACCESS_ERRORS: ErrorCode[] = ["UNAUTHENTICATED", "FORBIDDEN", "NOT_FOUND"];
const BODY_ERRORS: ErrorCode[] = [
  "INVALID_JSON",
  "VALIDATION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_CONTENT_TYPE",
];

function errorResponses(codes: ErrorCode[]): Record<string, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      String(status),
      { description: list.join(", "), content: { [JSON_TYPE]: { schema: errorSchema } } },
    ]),
  );
}

function answerResponse({ description, schema }: Answer): object {
  return schema ? { description, content: { [JSON_TYPE]: { schema } } } : { description };
}

export function describeEndpoint<Q extends z.ZodType, B extends z.ZodType>(
  app: App,
  definition: EndpointDefinition<Q, B>,
): void {
  const { method, path, tag, summary, description, access, query, body, streamedBody, answers, errors } =
    definition;
  const names = [...path.matchAll(/:(\w+)(?:\{[^}]*\})?/g)].map((match) => match[1] as string);
  const isPublic = access === "public";
  const codes = [
    ...errors,
    "INVALID_PARAMETER" as const,
    ...(isPublic ? [] : ACCESS_ERRORS),
    ...(body ? BODY_ERRORS : []),
    "INTERNAL" as const,
  ];
  const streamed = streamedBody?.map((type) => [
    type,
    { schema: z.any().openapi({ type: "string", format: "binary" }) },
  ]);
  app.openAPIRegistry.registerPath({
    method,
    path: path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}"),
    tags: [tag],
    summary,
    ...(description && { description }),
    security: isPublic ? [] : [{ bearer: [] }],
    request: {
      ...(names.length > 0 && {
        params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
      }),
      ...(query && { query: query as never }),
      ...(body && { body: { required: true, content: { [JSON_TYPE]: { schema: body } } } }),
      ...(streamed && { body: { required: true, content: Object.fromEntries(streamed) as never } }),
    },
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, answerResponse(answer)]),
      ),
      ...errorResponses(codes),
    },
  });
}
