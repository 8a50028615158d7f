/** Hostile and broken lines of an import, and its limits (RULES 18.4, 18.5 and 18.6). */
import { describe, expect, it } from "vitest";
import { EXCHANGE } from "../../../src/limits.ts";
import { EXCHANGE_TYPE } from "../../../src/exchange/lines.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { digestOf, exported, imported, putFile, request, timeless, upload } from "../support/exchange.ts";
import { eventsOf, type StoredEvent } from "../audit/support.ts";
import { bindings } from "../support/rows.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();

interface Key {
  id: string;
  key: string;
}

const TIMES = { version: 1, createdAt: "2026-01-02T03:04:05.678Z", updatedAt: "2026-01-02T03:04:05.678Z" };
const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

const record = (more: object = {}): string =>
  JSON.stringify({
    kind: "record",
    typeModel: "collections",
    model: "notes",
    id: ID,
    ...TIMES,
    data: { text: "a" },
    ...more,
  });

async function withNotes(): Promise<Client> {
  const client = await Client.make();
  await client.model("notes", [{ name: "text", type: "string", unique: true, required: true }]);
  return client;
}

describe("an import (RULES 18.4)", () => {
  it("keeps id and times, changes nothing when it is repeated, and leaves what differs", async () => {
    const client = await withNotes();
    expect(await imported(client, [record()])).toMatchObject({ imported: 1, unchanged: 0, refused: [] });
    expect(await imported(client, [record()])).toMatchObject({ imported: 0, unchanged: 1, refused: [] });
    const { data } = await client.call("GET", `/data/collections/notes/${ID}`);
    expect(data).toMatchObject({ id: ID, text: "a", ...TIMES });
    const other = record({ data: { text: "b" } });
    const { refused } = await imported(client, [other]);
    expect(refused).toMatchObject([{ line: 1, message: expect.stringMatching(/^DIFFERS/) as string }]);
    expect(await imported(client, [other], "?overwrite=true")).toMatchObject({ imported: 1, refused: [] });
    const after = await client.call("GET", `/data/collections/notes/${ID}`);
    expect(after.data).toMatchObject({ text: "b", version: 2 });
    expect(await imported(client, [other], "?overwrite=true")).toMatchObject({ imported: 0, unchanged: 1 });
  });

  it("lists each line that does not fit with its path, and takes the others", async () => {
    const client = await withNotes();
    const lines = [
      "not JSON",
      "[]",
      JSON.stringify({ kind: "toString" }),
      record({ data: { text: 5 } }),
      record({ data: {} }),
      record({ model: "nothing" }),
      record({ version: 0 }),
      record({ createdAt: "yesterday" }),
      record({ data: { text: "good", __proto__: null } }),
      "",
      JSON.stringify({ kind: "end", nextCursor: null }),
      record({ id: "01ARZ3NDEKTSV4RRFFQ69G5FAW", data: { text: "good" } }),
      '{"kind":"media","id":"../../etc"}',
      `{"kind":"record","typeModel":"collections","model":"notes","id":"x","data":{"text":"\\ud800"}}`,
    ];
    const { imported: count, refused } = await imported(client, lines);
    expect(count).toBe(1);
    expect(refused.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14]);
    expect(refused.find(({ line }) => line === 4)).toMatchObject({ path: "data.text" });
    expect(refused.find(({ line }) => line === 12)).toMatchObject({ path: "data.text" });
    expect(refused.find(({ line }) => line === 6)).toMatchObject({ path: "model" });
  });

  it("takes a body and a line of the longest length, and refuses a longer one", async () => {
    const client = await withNotes();
    const line = record();
    const { lineMaxBytes, bodyMaxBytes } = EXCHANGE;
    const padded = (bytes: number): string => line + " ".repeat(bytes - line.length);
    expect((await imported(client, [padded(lineMaxBytes)])).imported).toBe(1);
    expect((await imported(client, [padded(lineMaxBytes + 1)])).refused).toMatchObject([{ line: 1 }]);
    const send = (bytes: number): Promise<Response> =>
      request(client, "POST", "/import", {
        body: `${line}\n`.padEnd(bytes, "\n"),
        headers: { "Content-Type": EXCHANGE_TYPE },
      });
    expect((await send(bodyMaxBytes)).status).toBe(200);
    expect((await send(bodyMaxBytes + 1)).status).toBe(413);
    const short = (lines: number): Promise<Response> =>
      request(client, "POST", "/import", {
        body: '{"kind":"end"}\n'.repeat(lines),
        headers: { "Content-Type": EXCHANGE_TYPE },
      });
    expect((await short(EXCHANGE.bodyMaxLines)).status).toBe(200);
    expect((await short(EXCHANGE.bodyMaxLines + 1)).status).toBe(413);
  });

  it("refuses ids that a record cannot have (RULES 1.1 and 1.8)", async () => {
    const client = await withNotes();
    await client.model("front", [{ name: "text", type: "string" }], "pages");
    const page = { typeModel: "pages", model: "front" };
    const version = { kind: "version", no: 1, event: "created", isContent: true, actor: null, changed: [] };
    const wrong = ["a/../b", "a\0b", "front", ID.toLowerCase(), `${ID}0`, "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", ""];
    const lines = [
      ...wrong.map((id) => record({ id })),
      record({ ...page, id: "other", data: {} }),
      record({ ...page, id: "front/", data: {} }),
      record({ kind: "published", id: "a/../b" }),
      record({ ...version, id: "a/../b" }),
      record({
        kind: "trash",
        of: "record",
        id: "a\0b",
        deletedAt: TIMES.createdAt,
        expiresAt: TIMES.createdAt,
      }),
      record({ locale: "de", id: "a\0b" }),
    ];
    const { imported: count, refused } = await imported(client, lines);
    expect(count).toBe(0);
    expect(refused.map(({ line, path }) => [line, path])).toEqual(lines.map((_, n) => [n + 1, "id"]));
    expect(await imported(client, [record({ ...page, id: "front", data: {} })])).toMatchObject({
      refused: [],
    });
  });

  it("takes lines of as many objects as a content can have, and refuses one with more before it parses it", async () => {
    const client = await Client.make();
    await client.model("notes", [{ name: "text", type: "json" }]);
    const max = EXCHANGE.lineMaxObjects;
    // Its record, its data and the list are three of them. Brackets in texts are none.
    const line = (objects: number): string =>
      record({ data: { text: "T" } }).replace('"T"', `["[\\"[{",${"{},".repeat(objects - 4)}{}]`);
    const [most, over] = [line(max), line(max + 1)];
    const { refused } = await imported(client, [most, over, most.replace(ID, `${ID.slice(0, -1)}W`)]);
    expect(refused).toMatchObject([
      { line: 1, path: expect.stringMatching(/^data/) as string },
      { line: 2, path: "", message: `has more than ${max} objects and lists` },
      { line: 3, path: expect.stringMatching(/^data/) as string },
    ]);
  });

  it("takes lines that have more bytes as values than it holds at once", async () => {
    const client = await Client.make();
    await client.model("notes", [{ name: "text", type: "json" }]);
    const text = Array.from({ length: 2000 }, () => ({}));
    const lines = Array.from({ length: 150 }, (_, n) =>
      record({ id: `01ARZ3NDEKTSV4RRFFQ${String(n).padStart(7, "0")}`, data: { text } }),
    );
    // An object counts 64 bytes.
    expect(150 * 2000 * 64).toBeGreaterThan(2 * EXCHANGE.valuesMaxBytes);
    expect(await imported(client, lines)).toMatchObject({ imported: 150, refused: [] });
    expect(await imported(client, lines)).toMatchObject({ imported: 0, unchanged: 150 });
  });

  it("is for admins, and has the type of its lines", async () => {
    const client = await withNotes();
    const key = await client.key("write");
    const headers = { "Content-Type": EXCHANGE_TYPE };
    expect((await request(client, "POST", "/import", { body: record(), headers, key })).status).toBe(403);
    expect((await request(client, "GET", "/export", { key })).status).toBe(403);
    const json = { "Content-Type": "application/json" };
    expect((await request(client, "POST", "/import", { body: record(), headers: json })).status).toBe(415);
  });
});

describe("media of an import (RULES 18.5)", () => {
  it("are in two spaces under one id, each with its own file, and wait for the file of their digest", async () => {
    const [from, to] = [await Client.make(), await Client.make()];
    const id = await upload(from, 100, "a.gif");
    const { lines } = await exported(from);
    const { waiting } = await imported(to, lines);
    const [first] = waiting;
    expect(first?.id).toBe(id);
    expect((await to.call("GET", `/media/${id}`)).status).toBe(404);
    expect((await putFile(to, id, gifOf(101), first?.sha256 ?? "")).status).toBe(400);
    expect((await putFile(to, id, gifOf(100), "0".repeat(64))).status).toBe(400);
    expect((await to.call("GET", `/media/${id}`)).status).toBe(404);
    expect((await putFile(to, id, gifOf(100), first?.sha256 ?? "")).status).toBe(200);
    expect((await putFile(to, id, gifOf(100), first?.sha256 ?? "")).status).toBe(200);
    expect((await to.call("GET", `/media/${id}`)).data).toMatchObject({
      id,
      masterVersion: 1,
      filename: "a.gif",
    });
    await to.call("DELETE", `/media/${id}`);
    expect((await from.call("GET", `/media/${id}`)).status).toBe(200);
    const picture = await request(from, "GET", `/pictures/${id}`);
    expect(picture.status).toBe(200);
    expect((await request(to, "GET", `/pictures/${id}`)).status).toBe(404);
  });

  it("are sanitised if they are drawings, whatever their digest", async () => {
    const client = await Client.make();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><rect width="5" height="5"/></svg>`;
    const bytes = new TextEncoder().encode(svg);
    const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))];
    const sha256 = digest.map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const line = JSON.stringify({
      ...{
        kind: "media",
        id: ID,
        filename: "a.svg",
        alt: "",
        focalPoint: null,
        masterVersion: 3,
        lastVersion: 4,
      },
      ...{ mime: "image/svg+xml", sizeBytes: bytes.byteLength, sha256 },
      ...{ createdAt: TIMES.createdAt, updatedAt: TIMES.updatedAt },
    });
    await imported(client, [line]);
    const put = await putFile(client, ID, bytes, sha256);
    if (put.status === 200) {
      const stored = await (await request(client, "GET", `/export/masters/${ID}/3`)).text();
      expect(stored).not.toContain("script");
      expect(await imported(client, [line])).toMatchObject({ imported: 0, unchanged: 1, refused: [] });
    } else expect(put.status).toBe(400);
  });
});

/** Returns the lines of imports in the audit. */
const importLines = async (client: Client): Promise<StoredEvent[]> => eventsOf(client, "import");

describe("the audit of an import (RULES 14.1)", () => {
  it("has a line for the lines of media, and one for each file that comes later, of its sender", async () => {
    const [from, to] = [await Client.make(), await Client.make()];
    const id = await upload(from, 100, "a.gif");
    const { lines } = await exported(from);
    const { waiting } = await imported(to, lines);
    const noted = await importLines(to);
    expect(noted.at(-1)).toMatchObject({ target: to.space.name, facts: { ids: [id] } });
    const { id: keyId, key } = (await to.call<Key>("POST", "/keys", { name: "mover", role: "admin" })).data;
    for (let time = 0; time < 2; time++) {
      const body = gifOf(100);
      const headers = { "Content-Type": "image/gif", "Content-Digest": digestOf(waiting[0]?.sha256 ?? "") };
      expect((await request(to, "PUT", `/media/${id}/file`, { body, headers, key })).status).toBe(200);
    }
    const came = (await importLines(to)).slice(noted.length);
    expect(came).toMatchObject([{ actor: "key", name: "mover", target: id, facts: { masterVersion: 1 } }]);
    expect(keyId).not.toBe(id);
    await imported(to, lines);
    expect(await importLines(to)).toHaveLength(noted.length + 1);
  });

  it("has a line for histories, of which a second run writes none", async () => {
    const [from, to] = [await Client.make(), await Client.make()];
    for (const client of [from, to]) await client.model("notes", [{ name: "text", type: "string" }]);
    const id = await from.create("notes", { text: "a" });
    await from.call("PUT", `/data/collections/notes/${id}`, { text: "b" });
    const { lines } = await exported(from);
    const records = lines.filter((line) => line.includes('"kind":"record"'));
    const versions = lines.filter((line) => line.includes('"kind":"version"'));
    await imported(to, records);
    const before = (await importLines(to)).length;
    expect((await imported(to, versions)).imported).toBe(versions.length);
    expect((await importLines(to)).slice(before)).toMatchObject([{ actor: "root", facts: { ids: [id] } }]);
    expect((await imported(to, versions)).unchanged).toBe(versions.length);
    expect(await importLines(to)).toHaveLength(before + 1);
  });
});

describe("an item that was removed for good, and comes back (RULES 18.5)", () => {
  /** Removes an item for good. */
  async function removed(client: Client, id: string): Promise<void> {
    await client.call("DELETE", `/media/${id}`);
    expect((await client.call("DELETE", `/trash/${id}`)).status).toBe(200);
  }

  const versionOf = async (client: Client, id: string): Promise<unknown> =>
    (await client.call("GET", `/media/${id}`)).data["masterVersion"];

  async function put(client: Client, lines: readonly string[], file: Uint8Array): Promise<void> {
    const { waiting, refused } = await imported(client, lines);
    expect(refused).toEqual([]);
    const [first] = waiting;
    expect((await putFile(client, first?.id ?? "", file, first?.sha256 ?? "")).status).toBe(200);
  }

  it("has its version with its own file", async () => {
    const client = await Client.make();
    const id = await upload(client, 100, "a.gif");
    const { lines } = await exported(client);
    await removed(client, id);
    await put(client, lines, gifOf(100));
    expect(await versionOf(client, id)).toBe(1);
    expect(timeless((await exported(client)).lines)).toEqual(timeless(lines));
  });

  it("has a version that was never used with another file, and the bytes of the first stay", async () => {
    const [from, to] = [await Client.make(), await Client.make()];
    const id = await upload(from, 120, "a.gif");
    const { lines } = await exported(from);
    await put(to, lines, gifOf(120));
    const path = `m/${to.space.id}/${id}/1/master.gif`;
    const master = async (): Promise<number> => (await bindings.BUCKET.get(path))?.size ?? 0;
    await removed(to, id);
    const other = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const [media] = other.filter(({ kind }) => kind === "media");
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", gifOf(90)));
    const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const line = JSON.stringify({ ...media, sha256, sizeBytes: 90 });
    await put(to, [line], gifOf(90));
    expect(await versionOf(to, id)).toBe(2);
    expect(await master()).toBe(120);
    expect(await imported(to, [line])).toMatchObject({ imported: 0, unchanged: 1, refused: [], waiting: [] });
    await removed(to, id);
    await put(to, lines, gifOf(120));
    expect(await versionOf(to, id)).toBe(3);
  });
});

describe("settings of an import (RULES 18.6)", () => {
  it("are refused with origins that the settings refuse, by their line and path", async () => {
    const [from, client] = [await Client.make(), await Client.make()];
    const [space] = (await exported(from)).lines;
    const line = JSON.parse(space ?? "") as { settings: Record<string, unknown> };
    const origins = ["https://img.example.com", "https://10.0.0.1"];
    const text = JSON.stringify({ ...line, settings: { ...line.settings, origins } });
    const { imported: count, refused } = await imported(client, [text]);
    expect([count, refused]).toMatchObject([0, [{ line: 1, path: "settings.origins.1" }]]);
    expect((await client.call("GET", "/settings")).data["origins"]).toEqual([]);
  });
});
