/** The API document, and a page to read it on. `scripts/api` writes both from the routes' own descriptions. */
import * as z from "zod";
import { describeEndpoint, type App } from "../http/describe.ts";

const JSON_PATH = "/api/v1/openapi.json";
const PAGE_PATH = "/docs";
/** The viewer is a file of the console. It and the page set styles of their own; nothing comes from elsewhere. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

export interface ApiDocuments {
  /** The text of an OpenAPI 3.1 document. */
  openapi: string;
  /** The same as HTML. */
  page: string;
}

export function mountDocs(app: App, { openapi, page }: ApiDocuments): void {
  const tag = "Operations";
  describeEndpoint(app, {
    method: "get",
    path: JSON_PATH,
    operationId: "getApiDocument",
    tag,
    summary: "This document, as OpenAPI 3.1",
    access: "public",
    answers: { 200: { description: "The document", schema: z.looseObject({ openapi: z.string() }) } },
    errors: [],
  });
  app.get(JSON_PATH, (c) =>
    c.body(openapi, 200, { "Content-Type": "application/json; charset=UTF-8", "Cache-Control": "no-store" }),
  );

  describeEndpoint(app, {
    method: "get",
    path: PAGE_PATH,
    operationId: "getApiPage",
    tag,
    summary: "This document, as a page",
    access: "public",
    answers: { 200: { description: "HTML" } },
    errors: [],
  });
  app.get(PAGE_PATH, (c) =>
    c.html(page, 200, {
      "Cache-Control": "no-store",
      "Content-Security-Policy": PAGE_POLICY,
      "X-Content-Type-Options": "nosniff",
    }),
  );
}
