/** The API document, generated from the schemas that validate, and a page to read it on. */
import { z } from "@hono/zod-openapi";
import { ERROR_STATUS } from "../../errors.ts";
import type { AppContext } from "../http/context.ts";
import { docsPage, type ApiDocument } from "../http/docs-page.ts";
import type { App } from "../http/endpoint.ts";
import { describeEndpoint } from "../http/openapi.ts";

const JSON_PATH = "/api/v1/openapi.json";
const PAGE_PATH = "/docs";

const errorCodes = Object.entries(ERROR_STATUS)
  .map(([code, status]) => `- \`${code}\` (${status})`)
  .join("\n");

const description = `Headless content API and public image delivery.

Send a space's key, or the root token, as \`Authorization: Bearer <key>\`. Errors look alike on every route and carry
one of these codes:

${errorCodes}`;

/** The document of every route that is mounted. */
export function apiDocument(app: App, version: string): ApiDocument {
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Silverprint", version, description, license: { name: "MIT" } },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
  }) as unknown as ApiDocument;
}

const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function mountDocs(app: App): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "bearer", {
    type: "http",
    scheme: "bearer",
    description: "A space's key (roles: read, write, admin) or the deployment's root token",
  });
  let made: { document: ApiDocument; page: string } | null = null;
  const make = (c: AppContext): { document: ApiDocument; page: string } => {
    if (!made) {
      const document = apiDocument(app, c.env.VERSION ?? "unknown");
      made = { document, page: docsPage(document) };
    }
    return made;
  };

  const tag = "Operations";
  describeEndpoint(app, {
    method: "get",
    path: JSON_PATH,
    tag,
    summary: "This document, as OpenAPI 3.1",
    access: "public",
    answers: { 200: { description: "The document", schema: z.looseObject({ openapi: z.string() }) } },
    errors: [],
  });
  app.get(JSON_PATH, (c) => c.json(make(c).document, 200, { "Cache-Control": "no-store" }));

  describeEndpoint(app, {
    method: "get",
    path: PAGE_PATH,
    tag,
    summary: "This document, as a page",
    access: "public",
    answers: { 200: { description: "HTML" } },
    errors: [],
  });
  app.get(PAGE_PATH, (c) =>
    c.html(make(c).page, 200, {
      "Cache-Control": "no-store",
      "Content-Security-Policy": PAGE_POLICY,
      "X-Content-Type-Options": "nosniff",
    }),
  );
}
