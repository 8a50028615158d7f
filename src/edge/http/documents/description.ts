/** The description of a route. `scripts/api` writes the API document from it when the Worker is built. */
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import type { ErrorCode } from "../../../errors.ts";
import type { RequestHeader, ResponseHeader } from "./documented-headers.ts";
import type { Reach } from "../../spaces/reach.ts";
import type { Requirement } from "../../spaces/roles.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

export interface Answer {
  description: string;
  schema?: z.ZodType;
  /** Headers beside those that every answer has. */
  headers?: readonly ResponseHeader[];
}

/**
 * The callers that a route accepts: a role in the space of the path, root, anyone, or those that the handler's own
 * check accepts.
 */
export type Access = Requirement | "deployment" | "public" | OpenAccess;

/** The handler checks the caller itself. `orPublic`: it may find that no key is needed. */
export interface OpenAccess {
  checkedByHandler: Requirement;
  orPublic?: boolean;
}

/** The part of a route that only the API document uses. */
export interface EndpointDoc {
  /** The name of the operation in generated clients: unique, and never changed. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** Request headers that the handler reads. */
  headers?: readonly RequestHeader[];
  answers: Partial<Record<ContentfulStatusCode | 302 | 304, Answer>>;
  errors: readonly ErrorCode[];
}

/** The part of a route that the Worker needs, and the document too. */
export interface EndpointRules {
  method: Method;
  /** The path in Hono's form: `/api/v1/:spaceName/media/:mediaId`. */
  path: string;
  access: Access;
  /** The part of the space that the route reaches, which the caller's scopes are held against (RULES 1.12). */
  reaches: Reach;
  /** A strict schema: an unknown parameter is 400 (RULES 1.6). Without one, no parameter is allowed. */
  query?: z.ZodType;
  /** The schema of a JSON body. */
  body?: z.ZodType;
  /** Whether the body may be left out. */
  bodyIsOptional?: boolean;
  /** Whether the body may also be a JSON Merge Patch (RFC 7396). */
  takesMergePatch?: boolean;
  /** Media types of a body that the handler streams itself, for the API document. */
  streamedBody?: string[];
}

export type EndpointDescription = EndpointRules & EndpointDoc;
