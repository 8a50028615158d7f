/** The OpenAPI 3.1 document, from the descriptions of the routes and the schemas that validate. */
import * as z from "zod";
import type { Answer, EndpointDescription } from "../../src/edge/http/documents/description.ts";
import {
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type RequestHeader,
  type ResponseHeader,
} from "../../src/edge/http/documents/documented-headers.ts";
import { takesIdempotencyKey } from "../../src/edge/http/requests/idempotency-routes.ts";
import { lossSchema } from "../../src/edge/http/answers/losses.ts";
import { RECORD_TYPE_MODELS, TYPE_MODELS } from "../../src/content/model/type-models.ts";
import { ERROR_STATUS, type ErrorCode } from "../../src/errors.ts";
import { SchemaWriter, type Schema } from "./schemas.ts";

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export type Content = Record<string, { schema?: Schema }>;

export type Headers = Record<string, { description: string; schema: Schema }>;

export interface Operation {
  operationId: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; headers?: Headers; content?: Content }>;
}

export interface ApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  security: unknown[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Record<string, unknown> };
}

const JSON_TYPE = "application/json";
const MERGE_PATCH_TYPE = "application/merge-patch+json";

const errorSchema = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      details: z
        .array(z.object({ path: z.string(), message: z.string(), loss: lossSchema.optional() }))
        .optional(),
      requestId: z.string(),
    }),
  })
  .meta({ id: "Error" });

/** The error codes of every route that needs a key. */
const ACCESS_ERRORS: ErrorCode[] = ["UNAUTHENTICATED", "FORBIDDEN", "NOT_FOUND", "RATE_LIMITED"];
const BODY_ERRORS: ErrorCode[] = [
  "INVALID_JSON",
  "VALIDATION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_CONTENT_TYPE",
];

const codeList = Object.entries(ERROR_STATUS)
  .map(([code, status]) => `- \`${code}\` (${status})`)
  .join("\n");

const DESCRIPTION = `Headless content API and public image delivery.

Send a space's key, or the root token, as \`Authorization: Bearer <key>\`. Errors look alike on every route and carry
one of these codes:

${codeList}`;

/** Returns the document of all `descriptions`. @throws Error when two different schemas have one name */
export function apiDocument(descriptions: readonly EndpointDescription[], version: string): ApiDocument {
  const schemas = new SchemaWriter();
  const paths: ApiDocument["paths"] = {};
  for (const description of descriptions) {
    const path = description.path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}");
    (paths[path] ??= {})[description.method] = operation(description, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Silverprint",
      version,
      description: DESCRIPTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "A space's key (roles: read, write, admin) or the deployment's root token",
        },
      },
      schemas: Object.fromEntries(schemas.components),
    },
    paths,
  };
}

function operation(definition: EndpointDescription, schemas: SchemaWriter): Operation {
  const { path, operationId, tag, summary, description, access, answers, errors } = definition;
  const { query, headers = [], body, streamedBody } = definition;
  const isPublic = access === "public";
  const isOpen = typeof access === "object" && access.orPublic === true;
  const isKeyed = takesIdempotencyKey(definition.method, path);
  const codes: ErrorCode[] = [
    ...errors,
    "INVALID_PARAMETER",
    ...(isPublic ? [] : ACCESS_ERRORS),
    ...(body ? BODY_ERRORS : []),
    ...(streamedBody ? (["UNSUPPORTED_CONTENT_TYPE"] as const) : []),
    ...(isKeyed ? (["REQUEST_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED"] as const) : []),
    ...(definition.method === "get" ? [] : (["STORAGE_FULL"] as const)),
    "INTERNAL",
  ];
  const parameters = [
    ...pathParameters(path),
    ...(query ? queryParameters(query, schemas) : []),
    ...[...headers, ...(isKeyed ? (["Idempotency-Key"] as const) : [])].map(headerParameter),
  ];
  const content = bodyContent(definition, schemas);
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: isPublic ? [] : [{ bearer: [] }, ...(isOpen ? [{}] : [])],
    ...(parameters.length > 0 && { parameters }),
    ...(content && { requestBody: { required: !definition.bodyIsOptional, content } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, answerResponse(answer, schemas)]),
      ),
      ...errorResponses(codes, schemas),
    },
  };
}

/** Returns the schema of a path parameter. A route of records has no components. */
const pathSchema = (name: string, path: string): Schema =>
  name === "typeModel"
    ? { type: "string", enum: path.includes("/data/") ? [...RECORD_TYPE_MODELS] : [...TYPE_MODELS] }
    : { type: "string" };

const pathParameters = (path: string): Parameter[] =>
  [...path.matchAll(/:(\w+)(?:\{[^}]*\})?/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: pathSchema(name, path),
  }));

const headerParameter = (name: RequestHeader): Parameter => ({
  name,
  in: "header",
  required: false,
  description: REQUEST_HEADERS[name],
  schema: { type: "string" },
});

const REQUEST_ID: Headers = {
  "X-Request-Id": { description: "Names the request in the service's log", schema: { type: "string" } },
};

const responseHeaders = (names: readonly ResponseHeader[] = []): Headers => ({
  ...Object.fromEntries(
    names.map((name) => [name, { description: RESPONSE_HEADERS[name], schema: { type: "string" } }]),
  ),
  ...REQUEST_ID,
});

/** Returns one parameter per property. `meta({param})` adds to it, such as `style` for an object in the query. */
function queryParameters(query: z.ZodType, schemas: SchemaWriter): Parameter[] {
  const { shape } = query as z.ZodObject;
  return Object.entries(shape).map(([name, property]) => {
    const schema = schemas.write(property as z.ZodType, "input");
    const { param } = ((property as z.ZodType).meta() ?? {}) as { param?: Partial<Parameter> };
    const { description } = schema as { description?: string };
    return {
      name,
      in: "query",
      required: !(property as z.ZodType).safeParse(undefined).success,
      ...(description !== undefined && { description }),
      schema,
      ...param,
    };
  });
}

function bodyContent(definition: EndpointDescription, schemas: SchemaWriter): Content | null {
  const { body, streamedBody: streamed, takesMergePatch } = definition;
  if (body) {
    const types = [JSON_TYPE, ...(takesMergePatch ? [MERGE_PATCH_TYPE] : [])];
    return Object.fromEntries(types.map((type) => [type, { schema: schemas.write(body, "input") }]));
  }
  if (!streamed) return null;
  const file: Schema = { type: "string", format: "binary" };
  const form: Schema = { type: "object", required: ["file"], properties: { file } };
  return Object.fromEntries(
    streamed.map((type) => [type, { schema: type === "multipart/form-data" ? form : file }]),
  );
}

function answerResponse(
  { description, schema, headers: names }: Answer,
  schemas: SchemaWriter,
): Operation["responses"][string] {
  const headers = responseHeaders(names);
  if (!schema) return { description, headers };
  return { description, headers, content: { [JSON_TYPE]: { schema: schemas.write(schema, "output") } } };
}

function errorResponses(codes: readonly ErrorCode[], schemas: SchemaWriter): Operation["responses"] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const status = ERROR_STATUS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const schema = schemas.write(errorSchema, "output");
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      String(status),
      { description: list.join(", "), headers: REQUEST_ID, content: { [JSON_TYPE]: { schema } } },
    ]),
  );
}
