/** The commands that copy a space to a folder, and a folder into a space (RULES 18.1, 18.4). */
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answer, runCommand } from "./support/world.ts";

const FILE = new TextEncoder().encode("the bytes of a master");
const SHA256 = createHash("sha256").update(FILE).digest("hex");
const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

const SPACE = '{"kind":"space","format":1}';
const MEDIA = JSON.stringify({
  kind: "media",
  id: ID,
  masterVersion: 2,
  sizeBytes: FILE.byteLength,
  sha256: SHA256,
  mime: "image/gif",
});
const RECORD = '{"kind":"record","id":"Ünï😀"}';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "silverprint-"))));
afterEach(() => rmSync(dir, { recursive: true }));

/** Returns a service with an export of two pages. */
function exporting({
  breaksAt = "",
  bytes = FILE,
  record = RECORD,
}: { breaksAt?: string; bytes?: Uint8Array; record?: string } = {}) {
  const asked: string[] = [];
  const fetch = (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${pathname}${search}`);
    const page = (lines: string[], end: object, broken: boolean): Response =>
      new Response([...lines, ...(broken ? [] : [JSON.stringify({ kind: "end", ...end })])].join("\n"));
    if (pathname.includes("/masters/")) return Promise.resolve(new Response(bytes as unknown as BodyInit));
    if (search === "")
      return Promise.resolve(page([SPACE, MEDIA], { nextCursor: "two" }, breaksAt === "one"));
    return Promise.resolve(page([record], { nextCursor: null, changed: [] }, breaksAt === "two"));
  };
  return { fetch, asked };
}

const linesIn = (): string => readFileSync(join(dir, "export.ndjson"), "utf8");

describe("silverprint export", () => {
  it("writes the lines and the masters, and fetches nothing twice", async () => {
    const service = exporting();
    const ran = await runCommand(["export", dir, "--json"], { fetch: service.fetch });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('"masters"') as string });
    expect(linesIn()).toBe(`${[SPACE, MEDIA, RECORD].join("\n")}\n`);
    expect(readFileSync(join(dir, "masters", `${ID}-2`))).toEqual(Buffer.from(FILE));
  });

  it("makes a new export in the folder of an ended one, with the masters that are there already", async () => {
    await runCommand(["export", dir], { fetch: exporting().fetch });
    writeFileSync(join(dir, "masters", "01ARZ3NDEKTSV4RRFFQ69G5FAW-1"), "of a removed item");
    mkdirSync(join(dir, "masters", "a folder of a person"));
    writeFileSync(join(dir, "masters", "a file of a person.jpg"), "");
    const again = exporting({ record: '{"kind":"record","id":"new"}' });
    const ran = await runCommand(["export", dir], { fetch: again.fetch });
    expect(ran).toMatchObject({ code: 0, stdout: `3 lines and 1 master are in ${dir}.\n` });
    expect(again.asked).toEqual(["/api/v1/site/export", "/api/v1/site/export?cursor=two"]);
    expect(linesIn()).toBe(`${[SPACE, MEDIA, '{"kind":"record","id":"new"}'].join("\n")}\n`);
    expect(readdirSync(join(dir, "masters")).sort()).toEqual(
      [`${ID}-2`, "a folder of a person", "a file of a person.jpg"].sort(),
    );
  });

  it("takes no folder whose masters are not of an export", async () => {
    mkdirSync(join(dir, "masters"));
    writeFileSync(join(dir, "masters", "negative.tif"), "");
    const ran = await runCommand(["export", dir], { fetch: exporting().fetch });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("another folder") as string });
    expect(readdirSync(join(dir, "masters"))).toEqual(["negative.tif"]);
  });

  it("goes on behind the last whole page after a run that broke", async () => {
    const sleeps: number[] = [];
    const sleep = (ms: number): Promise<void> => Promise.resolve(void sleeps.push(ms));
    const ran = await runCommand(["export", dir], { fetch: exporting({ breaksAt: "two" }).fetch, sleep });
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Run the command again") as string,
    });
    expect(sleeps).toHaveLength(4);
    // The broken page has left a part behind the whole one.
    const service = exporting();
    expect((await runCommand(["export", dir], { fetch: service.fetch })).code).toBe(0);
    expect(service.asked[0]).toContain("cursor=two");
    expect(linesIn()).toBe(`${[SPACE, MEDIA, RECORD].join("\n")}\n`);
  });

  it("goes on with the masters of a run that was killed behind its last page", async () => {
    const killed = (request: Request): Promise<Response> => {
      if (request.url.includes("/masters/")) throw new Error("killed");
      return exporting().fetch(request);
    };
    const state = (): unknown => JSON.parse(readFileSync(join(dir, "state.json"), "utf8"));
    await runCommand(["export", dir], { fetch: killed });
    writeFileSync(join(dir, "state.json"), JSON.stringify({ ...(state() as object), isEnded: false }));
    renameSync(join(dir, "export.ndjson"), join(dir, "export.ndjson.part"));
    const service = exporting();
    expect((await runCommand(["export", dir], { fetch: service.fetch })).code).toBe(0);
    expect(service.asked).toEqual([`/api/v1/site/export/masters/${ID}/2`]);
    expect(linesIn()).toBe(`${[SPACE, MEDIA, RECORD].join("\n")}\n`);
    expect(state()).toMatchObject({ isEnded: true, cursor: null });
  });

  it("says what the operating system has refused, with --json too", async () => {
    const file = join(dir, "file");
    writeFileSync(file, "");
    const ran = await runCommand(["export", join(file, "folder"), "--json"], { fetch: exporting().fetch });
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      error: { message: expect.stringContaining("ENOTDIR") as string },
    });
  });

  it("names a master that comes with other bytes than its line says", async () => {
    const ran = await runCommand(["export", dir], { fetch: exporting({ bytes: new Uint8Array([1]) }).fetch });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain(ID);
  });
});

describe("silverprint import", () => {
  it("sends the lines, and the files that they wait for, and lists what was refused by its line", async () => {
    await runCommand(["export", dir], { fetch: exporting().fetch });
    const sent: { method: string; path: string; digest: string | null; body: string }[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url);
      const { method, headers } = request;
      sent.push({
        method,
        path: `${pathname}${search}`,
        digest: headers.get("Content-Digest"),
        body: await request.text(),
      });
      if (method === "PUT") return answer({ data: {} });
      const refused = [{ line: 3, path: "data.title", message: "is required" }];
      return answer({ data: { imported: 2, unchanged: 0, refused, waiting: [{ id: ID, sha256: SHA256 }] } });
    };
    const ran = await runCommand(["import", dir, "--overwrite"], { fetch });
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain("line 3, data.title: is required");
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/v1/site/import?overwrite=true",
      `PUT /api/v1/site/media/${ID}/file`,
    ]);
    expect(sent[0]?.body).toBe([SPACE, MEDIA, RECORD].join("\n"));
    expect(sent[1]?.digest).toBe(`sha-256=:${Buffer.from(SHA256, "hex").toString("base64")}:`);
    expect(sent[1]?.body).toBe("the bytes of a master");
  });

  it("sends the lines again that a request has not come to, and no others", async () => {
    writeFileSync(join(dir, "export.ndjson"), [1, 2, 3, 4].map((id) => JSON.stringify({ id })).join("\n"));
    const bodies: string[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      bodies.push(await request.text());
      const refused =
        bodies.length === 1
          ? [
              { line: 1, path: "data.slug", message: "is taken" },
              ...[2, 3, 4].map((line) => ({
                line,
                path: "",
                message: "was not looked at. Send the line again",
              })),
            ]
          : [{ line: 2, path: "id", message: "is no id" }];
      const imported = bodies.length === 1 ? 0 : 2;
      return answer({ data: { imported, unchanged: 0, refused, waiting: [] } });
    };
    const ran = await runCommand(["import", dir], { fetch });
    expect(bodies.map((body) => body.split("\n").length)).toEqual([4, 3]);
    expect(ran.stdout).toBe(
      "2 lines imported, 0 there already, 2 refused.\nline 1, data.slug: is taken\nline 3, id: is no id\n",
    );
  });

  it("gives lines up that no request comes to", async () => {
    writeFileSync(join(dir, "export.ndjson"), '{"id":1}');
    let asked = 0;
    const refused = [{ line: 1, path: "", message: "was not looked at. Send the line again" }];
    const fetch = (): Promise<Response> => {
      asked += 1;
      return Promise.resolve(answer({ data: { imported: 0, unchanged: 0, refused, waiting: [] } }));
    };
    const ran = await runCommand(["import", dir], { fetch });
    expect([ran.code, asked]).toEqual([1, 3]);
    expect(ran.stdout).toContain("line 1: was not looked at");
  });

  it("sends lines again after a lost connection, since they have the same effect twice", async () => {
    writeFileSync(join(dir, "export.ndjson"), '{"id":1}');
    let asked = 0;
    const fetch = (): Promise<Response> => {
      asked += 1;
      if (asked === 1) return Promise.reject(new TypeError("fetch failed"));
      return Promise.resolve(answer({ data: { imported: 1, unchanged: 0, refused: [], waiting: [] } }));
    };
    expect((await runCommand(["import", dir], { fetch })).code).toBe(0);
    expect(asked).toBe(2);
  });

  it.each([
    [["--dry-run"], "--dry-run is for --from"],
    [["--dry-run", "--overwrite"], "--dry-run is for --from"],
    [["--dry-run", "--backup", "b"], "--dry-run is for --from"],
    [["--from", "contentful", "--overwrite"], "--overwrite is for exports"],
  ])("refuses %j, which would have no effect", async (options, message) => {
    writeFileSync(join(dir, "export.ndjson"), "");
    const file = options.includes("--backup") ? [] : [dir];
    // The fetch of this world fails for any request.
    const ran = await runCommand(["import", ...file, ...options]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(message) as string });
  });

  it("refuses an export that is unfinished, and takes the whole one before it", async () => {
    await runCommand(["export", dir], { fetch: exporting({ breaksAt: "two" }).fetch });
    const unfinished = await runCommand(["import", dir]);
    expect(unfinished).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is unfinished") as string,
    });
    await runCommand(["export", dir], { fetch: exporting().fetch });
    await runCommand(["export", dir], { fetch: exporting({ breaksAt: "two", record: "{}" }).fetch });
    const bodies: string[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      bodies.push(await request.text());
      return answer({ data: { imported: 3, unchanged: 0, refused: [], waiting: [] } });
    };
    const ran = await runCommand(["import", dir], { fetch });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("The one before it") as string });
    expect(bodies).toEqual([[SPACE, MEDIA, RECORD].join("\n")]);
  });

  it("names a line that was cut off", async () => {
    writeFileSync(join(dir, "export.ndjson"), `${SPACE}\n{"kind":"rec`);
    const ran = await runCommand(["import", dir]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("Line 2 of") as string });
  });

  it("says what to do for a folder without an export", async () => {
    writeFileSync(join(dir, "other"), "");
    const ran = await runCommand(["import", dir]);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`silverprint export ${dir}`);
  });
});
