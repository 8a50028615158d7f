/** Calls tools as an agent does. */
import { expect } from "vitest";
import type { Client, CallOptions } from "../support/api.ts";

export interface Told {
  isError: boolean;
  /** The text of the result. */
  text: string;
  /** The length of the result as it stands in the message. */
  characters: number;
  label: string;
  data: Record<string, unknown>;
  list: Record<string, unknown>[];
  cursor?: string;
  etag?: string;
  piece?: string;
  error: { code: string; message: string; details?: { path: string; message: string }[] };
}

/** A message as it is answered. */
export interface Rpc {
  status: number;
  headers: Headers;
  id: unknown;
  result: Record<string, unknown>;
  error?: { code: number | string; message: string };
}

/** Sends a message, or anything else. */
export const post = async (client: Client, body: unknown, options: CallOptions = {}): Promise<Rpc> =>
  (await client.call("POST", "/mcp", body, options)) as unknown as Rpc;

/** Calls a tool with a key. */
export async function use(
  client: Client,
  key: string,
  name: string,
  args: object = {},
  text?: string,
): Promise<Told> {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
  const { status, result } = await post(client, message, { key, ...(text !== undefined && { text }) });
  expect(status).toBe(200);
  const { content, isError = false } = result as { content: { text: string }[]; isError?: boolean };
  const told = JSON.parse(content[0]?.text ?? "") as Told;
  const list = Array.isArray(told.data) ? (told.data as Told["list"]) : [];
  return { ...told, list, isError, text: content[0]?.text ?? "", characters: JSON.stringify(result).length };
}
