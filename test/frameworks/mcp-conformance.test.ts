/**
 * The official conformance suite of the Model Context Protocol against the service (RULES 19.1): every scenario for servers,
 * each of which passes, or is about something that this server does not have, and is told so in the protocol's own way.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { bearer, json, newSpace } from "../../scripts/harness/api.ts";
import { installApp } from "./support/app.ts";

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO";
  errorMessage?: string;
}

/** Scenarios that call tools of a sample server, and the tools of ours that answer in the same form. */
const TOOLS: Record<string, { name: string; arguments: object }> = {
  test_simple_text: { name: "list_models", arguments: {} },
  test_error_handling: { name: "describe_model", arguments: { model: "nowhere" } },
};

const PASSING = [
  ...["server-initialize", "ping", "tools-list", "tools-call-simple-text", "tools-call-error"],
  // A server without sessions and streams: the suite warns, and does not fail it.
  ...["server-sse-polling", "server-sse-multiple-streams"],
];

/** Capabilities that `initialize` does not name: the method is unknown. */
const NO_CAPABILITY = [
  ...["logging-set-level", "tools-call-with-logging", "completion-complete"],
  ...["resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read"],
  ...["resources-subscribe", "resources-unsubscribe"],
  ...["prompts-list", "prompts-get-simple", "prompts-get-with-args"],
  ...["prompts-get-embedded-resource", "prompts-get-with-image"],
];

/** Tools of the sample server that return something which no tool here returns: the tool is unknown. */
const NO_SUCH_TOOL = [
  ...["tools-call-image", "tools-call-audio", "tools-call-embedded-resource", "tools-call-mixed-content"],
  ...["tools-call-with-progress", "tools-call-sampling", "tools-call-elicitation"],
  ...["elicitation-sep1034-defaults", "elicitation-sep1330-enums", "json-schema-2020-12"],
];

/** It protects servers without keys from pages. Here nothing is done without a key, and any `Origin` may call. */
const ANY_ORIGIN = "dns-rebinding-protection";

const service = inject("frameworks").service;
const checks = new Map<string, Check[]>();
let proxy: Server;

/** Returns a message with the tool of ours in place of the sample's. */
function translated(text: string): string {
  if (text === "") return text;
  const message = JSON.parse(text) as { method?: string; params?: { name?: string } };
  const ours = message.method === "tools/call" ? TOOLS[message.params?.name ?? ""] : undefined;
  return ours ? JSON.stringify({ ...message, params: { ...message.params, ...ours } }) : text;
}

/** Passes requests on with the key, which the suite has no option for. */
async function passOn(url: URL, key: string, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const body = translated((await buffer(asked)).toString());
  const own = { host: url.host, ...bearer(key), "content-length": Buffer.byteLength(body) };
  const headers = { ...asked.headers, ...own };
  const upstream = request(url, { method: asked.method, headers }, (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers);
    found.pipe(answer);
  });
  upstream.on("error", (error) => answer.destroy(error));
  upstream.end(body);
}

beforeAll(async () => {
  const space = await newSpace(service);
  const headers = { ...bearer(space.key), "Content-Type": "application/json" };
  const body = JSON.stringify({ name: "suite", role: "write" });
  const { key } = await json<{ key: string }>(
    await fetch(`${space.api}/keys`, { method: "POST", headers, body }),
  );
  const url = new URL(`${space.api}/mcp`);
  proxy = createServer((asked, answer) => void passOn(url, key, asked, answer));
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  const app = await installApp("mcp-conformance");
  const program = join(app.folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const results = join(app.folder, "results");
  const asked = ["--url", `http://127.0.0.1:${port}/mcp`, "--suite", "all", "--output-dir", results];
  // It exits with 1, because scenarios of what a server does not have fail too. The files tell which.
  await app.run("node", program, "server", ...asked).catch((error: unknown) => {
    if (!String(error).includes("=== SUMMARY ===")) throw error;
  });
  for (const folder of readdirSync(results)) {
    const name = /^server-(.*)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(folder)?.[1] ?? folder;
    checks.set(name, JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8")) as Check[]);
  }
});

afterAll(() => new Promise((resolve) => proxy.close(resolve)));

const of = (scenario: string): Check[] => checks.get(scenario) ?? [];
const statuses = (scenario: string): string[] => of(scenario).map(({ status }) => status);

describe("the conformance suite", () => {
  it("has no scenario for servers that is not named here", () => {
    expect([...checks.keys()].sort()).toEqual(
      [...PASSING, ...NO_CAPABILITY, ...NO_SUCH_TOOL, ANY_ORIGIN].sort(),
    );
  });

  it.each(PASSING)("passes %s", (scenario) => {
    expect(statuses(scenario).length).toBeGreaterThan(0);
    expect(of(scenario).filter(({ status }) => status === "FAILURE")).toEqual([]);
  });

  it.each(NO_CAPABILITY)("is told that there is no such method in %s", (scenario) => {
    expect(statuses(scenario)).toEqual(["FAILURE"]);
    expect(of(scenario)[0]?.errorMessage).toContain("MCP error -32601: This server has tools alone");
  });

  it.each(NO_SUCH_TOOL)("finds no such tool in %s", (scenario) => {
    expect(statuses(scenario)).toEqual(["FAILURE"]);
    expect(of(scenario)[0]?.errorMessage).toMatch(
      /MCP error -32602: There is no tool of this name|^Tool '\w+' not found/,
    );
  });

  it("is answered whatever its Origin", () => {
    const found = Object.fromEntries(of(ANY_ORIGIN).map(({ id, status }) => [id, status]));
    expect(found).toEqual({
      "localhost-host-valid-accepted": "SUCCESS",
      "localhost-host-rebinding-rejected": "FAILURE",
    });
  });
});
