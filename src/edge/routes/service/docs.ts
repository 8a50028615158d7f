/**
 * The API document, a page that shows it, and one about agents. `scripts/api` writes them from the descriptions of the routes. They are
 * static assets, so that they do not add to the Worker's script.
 */
import * as z from "zod";
import { notFound } from "../../../errors.ts";
import type { AppContext } from "../../http/context.ts";
import { describeEndpoint, type App } from "../../http/documents/describe.ts";

const JSON_PATH = "/api/v1/openapi.json";
const PAGE_PATH = "/docs";
/** Allows only the viewer, which is a file of the console, and the inline styles of the viewer and the page. */
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

/** The page that says how agents are connected (RULES 19.4). */
const AGENTS_PATH = "/docs/mcp";

/** Their folder in the assets. No path of the Worker leads there. */
const FILES = { document: "/api/openapi.json", page: "/api/docs.html", agents: "/api/mcp.html" } as const;

const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=UTF-8",
  "Content-Security-Policy": PAGE_POLICY,
  "X-Content-Type-Options": "nosniff",
};

async function serve(c: AppContext, file: string, headers: Record<string, string>): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(new URL(file, c.req.url));
  if (!asset.ok) {
    await asset.body?.cancel();
    throw notFound("The file");
  }
  return new Response(asset.body, { headers: { ...headers, "Cache-Control": "no-store" } });
}

export function mountDocs(app: App): void {
  const tag = "Operations";
  describeEndpoint(app, {
    method: "get",
    path: JSON_PATH,
    operationId: "getApiDocument",
    tag,
    summary: "Read this document as OpenAPI 3.1",
    access: "public",
    reaches: "nothing",
    answers: {
      200: { description: "The document", schema: z.looseObject({ openapi: z.string() }) },
    },
    errors: [],
  });
  app.get(JSON_PATH, (c) => serve(c, FILES.document, { "Content-Type": "application/json; charset=UTF-8" }));

  describeEndpoint(app, {
    method: "get",
    path: PAGE_PATH,
    operationId: "getApiPage",
    tag,
    summary: "Read this document as a page",
    access: "public",
    reaches: "nothing",
    answers: { 200: { description: "The page" } },
    errors: [],
  });
  app.get(PAGE_PATH, (c) => serve(c, FILES.page, PAGE_HEADERS));

  describeEndpoint(app, {
    method: "get",
    path: AGENTS_PATH,
    operationId: "getMcpPage",
    tag,
    summary: "Read how to add the tools of a space to an agent",
    access: "public",
    reaches: "nothing",
    answers: { 200: { description: "The page" } },
    errors: [],
  });
  app.get(AGENTS_PATH, (c) => serve(c, FILES.agents, PAGE_HEADERS));
}
