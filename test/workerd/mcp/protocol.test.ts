/** The Model Context Protocol, message by message (RULES 19.1). */
import { beforeAll, describe, expect, it } from "vitest";
import { MCP } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { exports } from "cloudflare:workers";
import { post, use } from "./support.ts";

let client: Client;
let key: string;

const ping = { jsonrpc: "2.0", id: 7, method: "ping" };
const initialize = (protocolVersion: string) => ({
  jsonrpc: "2.0",
  id: "a",
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

beforeAll(async () => {
  client = await Client.make();
  key = await client.key("read");
});

const worker = (exports as unknown as { default: Fetcher }).default;

describe("the protocol of agents", () => {
  it("negotiates the version, and has tools alone", async () => {
    for (const version of ["2025-11-25", "2025-06-18", "2025-03-26"]) {
      const { id, result } = await post(client, initialize(version), { key });
      expect([id, result["protocolVersion"]]).toEqual(["a", version]);
      expect(result).toMatchObject({ capabilities: { tools: {} }, serverInfo: { name: "silverprint" } });
    }
    expect((await post(client, initialize("1999-01-01"), { key })).result["protocolVersion"]).toBe(
      "2025-11-25",
    );
  });

  it("answers pings, and nothing to notifications and answers", async () => {
    expect(await post(client, ping, { key })).toMatchObject({ status: 200, id: 7, result: {} });
    for (const body of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 1, result: {} },
    ]) {
      const response = await worker.fetch(`https://api.test/api/v1/${client.space.name}/mcp`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      expect([response.status, await response.text()]).toEqual([202, ""]);
    }
  });

  it("refuses unknown methods and tools, and what is no message", async () => {
    expect((await post(client, { ...ping, method: "resources/list" }, { key })).error?.code).toBe(-32_601);
    const none = { ...ping, method: "tools/call", params: { name: "drop_space" } };
    expect((await post(client, none, { key })).error?.code).toBe(-32_602);
    for (const body of [{}, [], 1, { ...ping, jsonrpc: "1.0" }, { ...ping, params: [] }]) {
      expect(await post(client, body, { key })).toMatchObject({ status: 400, error: { code: -32_600 } });
    }
    expect(await post(client, undefined, { key, text: "{" })).toMatchObject({
      status: 400,
      error: { code: "INVALID_JSON" },
    });
  });

  it("takes batches up to their limit", async () => {
    const messages = Array.from({ length: MCP.batchMax + 1 }, (_, id) => ({ ...ping, id }));
    expect((await post(client, messages, { key })).status).toBe(400);
    const { status, ...answers } = await post(client, messages.slice(1), { key });
    expect(status).toBe(200);
    expect((answers as unknown as Record<number, { id: number }>)[0]?.id).toBe(1);
  });

  it("refuses a version that it does not speak", async () => {
    const versioned = (version: string) => ({ key, headers: { "MCP-Protocol-Version": version } });
    expect((await post(client, ping, versioned("2025-06-18"))).status).toBe(200);
    expect(await post(client, ping, versioned("2024-01-01"))).toMatchObject({
      status: 400,
      error: { code: -32_600 },
    });
  });

  it("has no streams and no sessions", async () => {
    for (const method of ["GET", "DELETE"]) {
      const reply = await client.call(method, "/mcp", undefined, { key });
      expect([reply.status, reply.headers.get("Allow")]).toEqual([405, "POST, OPTIONS"]);
    }
  });

  it("is called from any origin, with a key of the space", async () => {
    const reply = await post(client, ping, { key, headers: { Origin: "https://evil.test" } });
    expect(reply.headers.get("Access-Control-Allow-Origin")).toBe("*");
    const refused = await post(client, ping, { key: null });
    expect([refused.status, refused.headers.get("WWW-Authenticate")]).toEqual([401, "Bearer"]);
    const other = await Client.make();
    expect((await post(other, ping, { key })).status).toBe(404);
  });

  it("lists its tools with the schemas of their arguments, and tells which of them write", async () => {
    const { result } = await post(client, { ...ping, method: "tools/list" }, { key });
    const tools = result["tools"] as {
      name: string;
      description: string;
      inputSchema: { type: string; properties: object; required?: string[]; additionalProperties: boolean };
      annotations: { readOnlyHint: boolean };
    }[];
    expect(tools.map(({ name }) => name).sort()).toEqual(
      [
        ..."list_models describe_model find_records get_record create_record update_record".split(" "),
        ..."publish_record record_history find_media picture_url trash_record restore space_usage".split(" "),
      ].sort(),
    );
    for (const { name, description, inputSchema } of tools) {
      expect([name, inputSchema.type, inputSchema.additionalProperties]).toEqual([name, "object", false]);
      expect(description.length).toBeGreaterThan(20);
    }
    const reads = tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
    expect(reads).toHaveLength(8);
    const taking = tools.filter(({ inputSchema }) => "ifMatch" in inputSchema.properties);
    expect(taking.map(({ name }) => name).sort()).toEqual([
      ..."publish_record restore trash_record update_record".split(" "),
    ]);
    expect(tools.find(({ name }) => name === "get_record")?.inputSchema.required).toEqual(["model", "id"]);
  });

  it("tells of arguments that do not fit as an error of the tool", async () => {
    const told = await use(client, key, "get_record", { model: "things", more: 1 });
    expect([told.isError, told.error.code]).toEqual([true, "VALIDATION_FAILED"]);
    expect(told.error.details).toEqual(
      expect.arrayContaining([
        { path: "id", message: "is required" },
        { path: "more", message: "is not known here" },
      ]),
    );
  });

  it("has a guide that names each client and each tool (RULES 19.4)", async () => {
    const page = await worker.fetch("https://api.test/docs/mcp");
    expect(page.headers.get("Content-Type")).toContain("text/html");
    const html = await page.text();
    for (const name of ["Claude Code", "Cursor", "VS Code", "picture_url", "publish: false"]) {
      expect(html).toContain(name);
    }
  });
});
