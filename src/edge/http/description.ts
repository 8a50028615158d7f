/** What is said of a route besides its handler. `scripts/api` writes the API document from it when the Worker is built. */
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod";
import type { ErrorCode } from "../../errors.ts";
import type { RequestHeader, ResponseHeader } from "./documented-headers.ts";
import type { Requirement } from "../spaces/roles.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

export interface Answer {
  description: string;
  schema?: z.ZodType;
  /** Headers that say more than every answer's. */
  headers?: readonly ResponseHeader[];
}

/** Who may call: a role in the space of the path, root above all spaces, anyone, or the handler checks by itself. */
export type Access = Requirement | "deployment" | "public" | OpenAccess;

/** The handler checks. `orPublic`: it may find that no key is needed. */
export interface OpenAccess {
  checkedByHandler: Requirement;
  orPublic?: boolean;
}

export interface EndpointDescription {
  method: Method;
  /** Hono's form: `/api/v1/:spaceName/media/:mediaId`. */
  path: string;
  /** What generated clients call it: unique, and never changed. */
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** Strict: an unknown parameter is 400 (RULES 1.6). Absent: no parameter is allowed. */
  query?: z.ZodType;
  /** Request headers that the handler reads. */
  headers?: readonly RequestHeader[];
  /** A JSON body. */
  body?: z.ZodType;
  /** The body may be left out. */
  bodyIsOptional?: boolean;
  /** Media types of a body that the handler streams by itself, for the document. */
  streamedBody?: string[];
  answers: Partial<Record<ContentfulStatusCode | 302 | 304, Answer>>;
  errors: ErrorCode[];
}
