/** The route of agents: the Model Context Protocol over streamable HTTP, without sessions (RULES 19). */
import * as z from "zod";
import { endpoint, type App } from "../../http/endpoint.ts";
import { callTool, routesOf } from "./call-tool.ts";
import { answerTo, invalidRequest, isProtocolVersion, messagesIn, PROTOCOL_VERSIONS } from "./protocol.ts";
import { TOOLS } from "./tools.ts";

const toolList = TOOLS.map(({ name, description }) => `- \`${name}\`: ${description}`).join("\n");

export function mountMcp(app: App): void {
  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/mcp",
      access: "read",
      reaches: "caller",
      body: z.unknown().meta({ description: "A message of JSON-RPC 2.0" }),
      doc: {
        operationId: "callMcp",
        tag: "Agents",
        summary: "Serve an agent by the Model Context Protocol",
        description:
          "Streamable HTTP without sessions: each message is a POST, answered as JSON. A tool calls a route with the key of " +
          `the request, so it does what the key may do and nothing else. [How to add it](/docs/mcp).\n\n${toolList}`,
        headers: ["MCP-Protocol-Version"],
        answers: {
          200: {
            description: "The answer to the message",
            schema: z.looseObject({ jsonrpc: z.literal("2.0"), id: z.union([z.string(), z.number()]) }),
          },
          202: { description: "A notification was taken" },
        },
        errors: [],
      },
    },
    async ({ c, space, body }) => {
      const found = messagesIn(body);
      if (!found) return c.json(invalidRequest("Send one message of JSON-RPC 2.0 as the body."), 400);
      const { messages, isBatch } = found;
      const version = c.req.header("MCP-Protocol-Version");
      const isNegotiating = messages.some(({ method }) => method === "initialize");
      if (version !== undefined && !isNegotiating && !isProtocolVersion(version)) {
        return c.json(
          invalidRequest(`MCP-Protocol-Version must be one of ${PROTOCOL_VERSIONS.join(", ")}.`),
          400,
        );
      }
      const ask = routesOf(app, c, space.name);
      const answers = [];
      for (const message of messages) {
        const answer = await answerTo(message, (tool, given) =>
          callTool(tool, given, ask, c.get("requestId")),
        );
        if (answer) answers.push(answer);
      }
      if (answers.length === 0) return c.body(null, 202);
      return c.json(isBatch ? answers : answers[0]);
    },
  );
}
