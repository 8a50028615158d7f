/** The memory that the built command takes for a space of any size. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCommand } from "../../../scripts/measure/exchange/command.ts";
import { writeProgram } from "../../../scripts/package/write-package.ts";
import type { ImportResult } from "../../../src/exchange/lines.ts";

const PAGES = 300;
const LINES_PER_PAGE = 999;
/** The media items of the space: many small files, so that many lines are read between and behind them. */
const MEDIA = 2000;
const PEAK_MAX_BYTES = 150e6;

const FILE = Buffer.alloc(50_000, "a master");
const SHA256 = createHash("sha256").update(FILE).digest("hex");
const idOf = (n: number): string => `01ARZ3NDEKTSV4RRFF${String(n).padStart(8, "0")}`;

function lineOf(n: number): string {
  if (n < MEDIA)
    return JSON.stringify({
      kind: "media",
      id: idOf(n),
      masterVersion: 1,
      sha256: SHA256,
      sizeBytes: FILE.length,
    });
  const body = [
    { _type: "block", children: [{ _type: "span", text: `Words of ${n} 😀. `.repeat(60), marks: [] }] },
  ];
  return JSON.stringify({ kind: "record", id: idOf(n), version: 1, data: { title: `Title ${n} ü`, body } });
}

/** The lines that the service takes of one request. It has no queries left for the others, which are sent again. */
const TAKEN = 100;

/** Answers an import: with the media items whose files the service waits for, and with the lines that it did not look at. */
function answerOf(body: Buffer): ImportResult {
  const lines = body.toString().split("\n");
  const waiting = lines
    .slice(0, TAKEN)
    .filter((line) => line.startsWith('{"kind":"media"'))
    .map((line) => ({ id: (JSON.parse(line) as { id: string }).id, sha256: SHA256 }));
  const message = "was not looked at: this request has used up its queries. Send the line again";
  const refused = lines.slice(TAKEN).map((_, index) => ({ line: TAKEN + index + 1, path: "", message }));
  return { imported: Math.min(lines.length, TAKEN), unchanged: 0, refused, waiting };
}

let server: Server;
let base = "";
/** The files that the service has got. */
let putFiles = 0;
const folder = mkdtempSync(join(tmpdir(), "silverprint-memory-"));

beforeAll(async () => {
  await writeProgram(folder);
  server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://service");
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      if (url.pathname.includes("/export/masters/")) response.end(FILE);
      else if (url.pathname.endsWith("/export")) {
        const page = Number(url.searchParams.get("cursor") ?? 0);
        const first = page * LINES_PER_PAGE;
        const lines = Array.from({ length: LINES_PER_PAGE }, (_, n) => lineOf(first + n));
        const nextCursor = page + 1 < PAGES ? String(page + 1) : null;
        response.end(`${[...lines, JSON.stringify({ kind: "end", nextCursor })].join("\n")}\n`);
      } else if (url.pathname.endsWith("/import")) {
        response.end(JSON.stringify({ data: answerOf(Buffer.concat(parts)) }));
      } else if (request.method === "PUT") {
        putFiles += 1;
        response.end(JSON.stringify({ data: {} }));
      } else response.writeHead(404).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

// The peak of a process is read from /proc.
it.skipIf(process.platform !== "linux")("is at most 150 MB, for an export and for its import", async () => {
  const target = { base, space: "large", key: "k" };
  const copy = join(folder, "copy");
  putFiles = 0;
  for (const name of ["export", "import"]) {
    const { code, output, peakBytes, json } = await runCommand(folder, target, [name, copy]);
    expect(code, output).toBe(0);
    expect(peakBytes, `the peak of the ${name}`).toBeGreaterThan(0);
    expect(peakBytes, `the peak of the ${name}`).toBeLessThanOrEqual(PEAK_MAX_BYTES);
    if (name === "import") expect(json).toMatchObject({ imported: PAGES * LINES_PER_PAGE, unchanged: 0 });
  }
  expect(putFiles).toBe(MEDIA);
});
