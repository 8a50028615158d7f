/** The API document: every mounted route is in it, and it says what the routes do. */
import { describe, expect, it } from "vitest";
import { createApp } from "../../../src/edge/app.ts";
import { ERROR_STATUS } from "../../../src/errors.ts";
import { apiDocument } from "../../../scripts/api/document.ts";
import { OPERATORS } from "../../../src/content/query/operators.ts";
import { call } from "../support/api.ts";
import { exports } from "cloudflare:workers";

const app = createApp();
const document = apiDocument(app.descriptions, "test");
const asDocumented = (path: string): string => path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}");

describe("the API document", () => {
  it("has every route that is mounted, and none that is not", () => {
    const mounted = app.routes
      .filter(({ method, path }) => method !== "ALL" && !path.startsWith("/console"))
      .map(({ method, path }) => `${method} ${asDocumented(path)}`);
    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...new Set(mounted)].sort()).toEqual([...documented].sort());
    expect(documented.length).toBeGreaterThan(30);
  });

  it("gives each route its parameters, answers, errors and security", () => {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const at = `${method} ${path}`;
        const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
        expect([at, parameters.map(({ name }) => name)]).toEqual([at, named]);
        expect([at, operation.summary]).not.toEqual([at, undefined]);
        expect([at, Object.keys(operation.responses).some((status) => /^2\d\d$/.test(status))]).toEqual([
          at,
          true,
        ]);
        expect([at, Object.keys(operation.responses).some((status) => Number(status) < 400)]).toEqual([
          at,
          true,
        ]);
        if (operation.security?.length !== 0)
          expect([at, Object.keys(operation.responses)]).toEqual([
            at,
            expect.arrayContaining(["401", "403", "404"]),
          ]);
      }
    }
    expect(document.info.license).toEqual({ name: "MIT", identifier: "MIT" });
    const list = document.paths["/api/v1/{spaceName}/data/{typeModel}/{model}"]?.["get"];
    expect(
      list?.parameters
        ?.filter((parameter) => parameter.in === "query")
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      "count",
      "cursor",
      "fallback",
      "filter",
      "limit",
      "locale",
      "populate",
      "search",
      "selectFields",
      "sort",
      "status",
    ]);
    const codes = JSON.stringify(document.components.schemas["Error"]);
    for (const code of Object.keys(ERROR_STATUS)) expect(codes).toContain(`"${code}"`);
  });

  it("names every operation once, and says which headers it takes and answers with", () => {
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const named = (id: string) => operations.find(({ operationId }) => operationId === id);
    const headersOf = (id: string) =>
      (named(id)?.parameters ?? []).filter((parameter) => parameter.in === "header").map(({ name }) => name);
    for (const id of ["updateRecord", "patchRecord", "deleteRecord", "replaceModel"]) {
      expect([id, headersOf(id)]).toEqual([id, ["If-Match"]]);
      expect(Object.keys(named(id)?.responses ?? {})).toContain("412");
    }
    expect(headersOf("getRecord")).toEqual(["If-None-Match"]);
    expect(headersOf("uploadMedia")).toEqual(["X-Filename", "X-Focal-Point"]);
    expect(named("getRecord")?.responses["200"]?.headers).toHaveProperty("ETag");
    expect(named("createRecord")?.responses["201"]?.headers).toHaveProperty("Location");
    for (const operation of operations) {
      for (const { headers } of Object.values(operation.responses)) {
        expect(headers).toHaveProperty("X-Request-Id");
      }
    }
  });

  it("describes forms, kinds of models, operators and refused drawings as they are", () => {
    const upload = document.paths["/api/v1/{spaceName}/media"]?.["post"];
    const form = upload?.requestBody?.content["multipart/form-data"]?.schema;
    expect(form).toEqual({
      type: "object",
      required: ["file"],
      properties: { file: { type: "string", format: "binary" } },
    });
    expect(upload?.responses["400"]?.description).toContain("SVG_REJECTED");
    expect(document.info.license).toEqual({ name: "MIT", identifier: "MIT" });
    const list = document.paths["/api/v1/{spaceName}/data/{typeModel}/{model}"]?.["get"];
    const parameter = (name: string) => list?.parameters?.find((one) => one.name === name);
    expect(parameter("typeModel")?.schema?.["enum"]).toEqual(["collections", "pages"]);
    for (const operator of OPERATORS) expect(parameter("filter")?.description).toContain(`\`${operator}\`: `);
  });

  it("is served, with a page that shows every path", async () => {
    const served = await call("GET", "/api/v1/openapi.json", undefined, { key: null });
    expect(served).toMatchObject({
      status: 200,
      openapi: "3.1.0",
      paths: JSON.parse(JSON.stringify(document.paths)) as object,
    });
    const worker = (exports as unknown as { default: Fetcher }).default;
    const page = await worker.fetch("https://api.test/docs");
    expect(page.headers.get("Content-Type")).toContain("text/html");
    const html = await page.text();
    for (const path of Object.keys(document.paths)) expect(html).toContain(path);
    // Readable as it is: the one script is a file of the console, and nothing inline may run.
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/console/docs.js">']);
    expect(page.headers.get("Content-Security-Policy")).toContain("script-src 'self';");
  });
});
