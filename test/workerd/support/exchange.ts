/** Exports and imports as a client makes them. */
import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import { EXCHANGE_TYPE, type EndLine, type ImportResult } from "../../../src/exchange/lines.ts";
import type { Client } from "./api.ts";
import { bindings } from "./rows.ts";
import { gifOf } from "./uploads.ts";

const handler = (exports as unknown as { default: Fetcher }).default;
const ORIGIN = "https://api.test";

export const request = (
  client: Client,
  method: string,
  path: string,
  init: { body?: BodyInit; headers?: Record<string, string>; key?: string } = {},
): Promise<Response> =>
  handler.fetch(`${ORIGIN}/api/v1/${client.space.name}${path}`, {
    method,
    ...(init.body !== undefined && { body: init.body }),
    headers: { Authorization: `Bearer ${init.key ?? bindings.ROOT_TOKEN}`, ...init.headers },
  });

/** A whole export: its lines without the last ones of its pages, and the last one of all. */
export interface WholeExport {
  lines: string[];
  pages: string[][];
  end: EndLine;
}

export async function exported(client: Client): Promise<WholeExport> {
  const pages: string[][] = [];
  let cursor: string | null = null;
  for (;;) {
    const query: string = cursor === null ? "" : `?cursor=${encodeURIComponent(cursor)}`;
    const response = await request(client, "GET", `/export${query}`);
    expect(response.status).toBe(200);
    const text = await response.text();
    const lines = text.trimEnd().split("\n");
    const end = JSON.parse(lines.pop() ?? "{}") as EndLine;
    expect(end.kind).toBe("end");
    pages.push(lines);
    if (end.nextCursor === null) return { lines: pages.flat(), pages, end };
    cursor = end.nextCursor;
  }
}

export async function imported(client: Client, lines: readonly string[], query = ""): Promise<ImportResult> {
  const response = await request(client, "POST", `/import${query}`, {
    body: lines.join("\n"),
    headers: { "Content-Type": EXCHANGE_TYPE },
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return (JSON.parse(text) as { data: ImportResult }).data;
}

/** Returns a digest in hexadecimal digits as the header has it. */
export const digestOf = (sha256: string): string =>
  `sha-256=:${btoa(String.fromCharCode(...(sha256.match(/../g) ?? []).map((byte) => parseInt(byte, 16))))}:`;

export const masterOf = async (client: Client, id: string, version: number): Promise<Uint8Array> =>
  new Uint8Array(await (await request(client, "GET", `/export/masters/${id}/${version}`)).arrayBuffer());

export const putFile = (client: Client, id: string, bytes: Uint8Array, sha256: string): Promise<Response> =>
  request(client, "PUT", `/media/${id}/file`, {
    body: bytes as unknown as BodyInit,
    headers: { "Content-Type": "image/gif", "Content-Digest": digestOf(sha256) },
  });

/** Puts all of one space into another one: lines in pieces, and the files that they wait for. */
export async function copied(from: Client, to: Client, lines: readonly string[], size = 1000): Promise<void> {
  for (let at = 0; at < lines.length; at += size) {
    const { refused, waiting } = await imported(to, lines.slice(at, at + size));
    expect(refused).toEqual([]);
    await sendFiles(from, to, lines, waiting);
  }
}

export async function sendFiles(
  from: Client,
  to: Client,
  lines: readonly string[],
  waiting: ImportResult["waiting"],
): Promise<void> {
  for (const { id, sha256 } of waiting) {
    const line = lines
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find((one) => one["id"] === id);
    const bytes = await masterOf(from, id, Number(line?.["masterVersion"]));
    const response = await putFile(to, id, bytes, sha256);
    expect(response.status, await response.text()).toBe(200);
  }
}

/** Returns lines without the time of the export. */
export const timeless = (lines: readonly string[]): string[] =>
  lines.map((line) => line.replace(/"exportedAt":"[^"]+"/, '"exportedAt":""'));

/** Uploads a picture of `bytes` bytes, and returns its id. */
export async function upload(client: Client, bytes: number, filename: string): Promise<string> {
  const response = await request(client, "POST", "/media", {
    body: gifOf(bytes),
    headers: { "Content-Type": "image/gif", "X-Filename": filename },
  });
  const { data } = await response.json<{ data: { id: string } }>();
  expect(response.status).toBe(201);
  return data.id;
}
