import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  fetchOrigin,
  FetchFailure,
  type FetchTools,
  type Validators,
} from "../../../../src/edge/remote/fetch-origin.ts";
import { originOf } from "../../../../src/edge/remote/origins.ts";
import { REMOTE } from "../../../../src/limits.ts";
import { OriginServer, type SeenRequest } from "../../../support/remote/origin-server.ts";

let origin: OriginServer;
beforeAll(async () => {
  origin = await OriginServer.start();
});
afterAll(() => origin.stop());

const toolsWith = (more: Partial<FetchTools> = {}): FetchTools => ({
  fetch: (url, init) => fetch(url, init),
  isAllowed: (address) => originOf(address, [origin.base], { isTesting: true }) !== null,
  signal: new AbortController().signal,
  ...more,
});

const lastRequest = (): SeenRequest => {
  const [last] = origin.requests.slice(-1);
  return last ?? { path: "", headers: {} };
};

async function get(path: string, known: Validators | null = null, tools = toolsWith()) {
  const file = await fetchOrigin(new URL(origin.url(path)), known, tools);
  if (file.kind === "unchanged") return file;
  let bytes = 0;
  for await (const chunk of file.body) bytes += chunk.byteLength;
  return { ...file, bytes };
}

const failure = (path: string, tools?: FetchTools): Promise<FetchFailure> =>
  get(path, null, tools).then(
    () => {
      throw new Error("it was fetched");
    },
    (error: unknown) => {
      if (error instanceof FetchFailure) return error;
      throw error;
    },
  );

const BYTES = new Uint8Array(1000).fill(7);

describe("a fetch from an origin (RULES 13.4)", () => {
  it("gives the bytes, the validators and the lifetime, and sends no credentials", async () => {
    origin.file("/a.jpg", BYTES, { "Cache-Control": "max-age=7200", "Last-Modified": "yesterday" });
    const file = await get("/a.jpg");
    expect(file).toMatchObject({ bytes: 1000, freshMs: 7_200_000, lastModified: "yesterday" });
    const { headers } = lastRequest();
    expect(headers["cookie"]).toBeUndefined();
    expect(headers["authorization"]).toBeUndefined();
  });

  it("asks for AVIF and WebP only if the origin has nothing else", async () => {
    origin.on("/modern", ({ headers }, response) => {
      if (headers.accept?.includes("image/webp") === true) response.end(BYTES);
      else response.writeHead(406).end();
    });
    expect(await get("/modern")).toMatchObject({ bytes: 1000 });
    const [first, second] = origin.requests.slice(-2).map(({ headers }) => headers.accept);
    expect(first).not.toMatch(/avif|webp/);
    expect(second).toMatch(/avif/);
  });

  it("learns by the validators that the file has not changed", async () => {
    origin.file("/same.jpg", BYTES);
    const file = await get("/same.jpg");
    if (file.kind === "unchanged") throw new Error("it was not known before");
    expect(await get("/same.jpg", file)).toEqual({ kind: "unchanged", freshMs: 3_600_000 });
  });

  it("follows three redirects, and not a fourth", async () => {
    origin.file("/0", BYTES);
    for (let n = 1; n <= 4; n++)
      origin.on(`/${n}`, (_, response) => void response.writeHead(302, { Location: String(n - 1) }).end());
    expect(await get("/3")).toMatchObject({ bytes: 1000 });
    expect(await failure("/4")).toMatchObject({ kind: "origin" });
  });

  it.each([
    "http://169.254.169.254/latest/meta-data",
    "http://localhost.evil.example/",
    "https://10.0.0.1/",
    "http://[::1]/",
    "file:///etc/passwd",
    "//evil.example/x",
    "http://0x7f.1/",
    "https://",
  ])("does not follow a redirect to %s", async (location) => {
    origin.on("/away", (_, response) => void response.writeHead(302, { Location: location }).end());
    expect(await failure("/away")).toMatchObject({ kind: "origin" });
    expect(lastRequest().path).toBe("/away");
  });

  it("does not follow a redirect to the origin itself by another form of its address", async () => {
    const { port } = new URL(origin.base);
    origin.on(
      "/form",
      (_, response) => void response.writeHead(302, { Location: `http://0x7f.1:${port}/0` }).end(),
    );
    expect(await failure("/form")).toMatchObject({ kind: "origin" });
  });

  it.each([
    [404, "gone"],
    [410, "gone"],
    [401, "origin"],
    [403, "origin"],
    [500, "origin"],
    [503, "origin"],
    [204, "origin"],
  ])("takes %i for a file that is %s", async (status, kind) => {
    origin.on("/status", (_, response) => void response.writeHead(status).end());
    expect(await failure("/status")).toMatchObject({ kind });
  });

  it("ends with an origin that hangs before its answer, within it, or gives a byte at a time", async () => {
    origin
      .on("/silent", () => undefined)
      .on("/half", (_, response) => void response.writeHead(200, { "Content-Length": 1000 }).write("half"))
      .on("/drop-by-drop", (_, response) => {
        const timer = setInterval(() => response.write("."), 5);
        response.on("close", () => clearInterval(timer));
      });
    for (const path of ["/silent", "/half", "/drop-by-drop"]) {
      const ending = new AbortController();
      const failing = failure(path, toolsWith({ signal: ending.signal }));
      while (lastRequest().path !== path) await new Promise((resolve) => setTimeout(resolve, 5));
      ending.abort();
      expect(await failing).toMatchObject({
        kind: "origin",
        message: expect.stringContaining("its time") as string,
      });
    }
  });

  it("takes what is cut off, and a length that lies, for a failure of the origin", async () => {
    origin
      .on("/cut", (_, response) => {
        response.writeHead(200, { "Content-Length": 1000 }).write("half");
        setTimeout(() => response.destroy(), 20);
      })
      .on("/gone", (request) => void request.socket.destroy());
    for (const path of ["/cut", "/gone"]) expect(await failure(path)).toMatchObject({ kind: "origin" });
  });

  it("refuses a file of over 40 MB, whether its length is stated or not", async () => {
    const piece = new Uint8Array(1_048_576);
    let sent = 0;
    origin
      .on("/stated", (_, response) => {
        response.writeHead(200, { "Content-Length": REMOTE.fetchMaxBytes + 1 }).write("x");
      })
      .on("/endless", (_, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(piece)) sent += piece.length;
          sent += piece.length;
        };
        response.on("drain", more);
        more();
      });
    expect(await failure("/stated")).toMatchObject({ kind: "refused" });
    expect(await failure("/endless")).toMatchObject({ kind: "refused" });
    expect(sent).toBeLessThan(2 * REMOTE.fetchMaxBytes);
  });

  it("counts the bytes that come out of a compressed body", async () => {
    const bomb = gzipSync(new Uint8Array(REMOTE.fetchMaxBytes + 1));
    expect(bomb.length).toBeLessThan(100_000);
    origin.on(
      "/bomb",
      (_, response) => void response.writeHead(200, { "Content-Encoding": "gzip" }).end(bomb),
    );
    expect(await failure("/bomb")).toMatchObject({ kind: "refused" });
  });

  it("keeps no validator that is longer than a kilobyte", async () => {
    origin.on(
      "/long",
      (_, response) => void response.writeHead(200, { ETag: `"${"x".repeat(1023)}"` }).end(BYTES),
    );
    expect(await get("/long")).toMatchObject({ etag: null });
    origin.on(
      "/short",
      (_, response) => void response.writeHead(200, { ETag: `"${"x".repeat(1022)}"` }).end(BYTES),
    );
    expect(await get("/short")).toMatchObject({ etag: expect.any(String) as string });
  });
});
