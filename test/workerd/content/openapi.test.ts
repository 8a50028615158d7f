/** The API document: every mounted route is in it, and it says what the routes do. */
import { describe, expect, it } from "vitest";
import { createApp } from "../../../src/edge/app.ts";
import { ERROR_STATUS } from "../../../src/errors.ts";
import { apiDocument } from "../../../src/edge/routes/docs.ts";
import { call } from "../support/api.ts";
import { exports } from "cloudflare:workers";

const app = createApp();
const document = apiDocument(app, "test");
const asDocumented = (path: string): string => path.replaceAll(/:(\w+)(?:\{[^}]*\})?/g, "{$1}");

describe("the API document", () => {
  it("has every route that is mounted, and none that is not", () => {
    const mounted = app.routes
      .filter(({ method }) => method !== "ALL")
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
    const list = document.paths["/api/v1/{spaceName}/data/{typeModel}/{model}"]?.["get"];
    expect(
      list?.parameters
        ?.filter((parameter) => parameter.in === "query")
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["cursor", "filter", "limit", "populate", "selectFields", "sort"]);
    const codes = JSON.stringify(document.components?.schemas?.["Error"]);
    for (const code of Object.keys(ERROR_STATUS)) expect(codes).toContain(`"${code}"`);
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
    expect(html).not.toContain("<script");
  });
});
