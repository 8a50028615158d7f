/** Files of media that an import finds, and replaces (RULES 18.4 and 18.5). */
import { expect, it } from "vitest";
import type { MediaLine } from "../../../src/exchange/lines.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";
import { mediaOf } from "../../../src/edge/storage/exchange/media.ts";
import { insertImported, readWaiting } from "../../../src/edge/storage/exchange/waiting.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { exported, imported, putFile, request, upload } from "../support/exchange.ts";
import { bindings } from "../support/rows.ts";
import { gifOf } from "../support/uploads.ts";

cleanBetweenTests();

const SCRIPT = "<script>alert(1)</script>";
const drawing = (width: number): Uint8Array =>
  new TextEncoder().encode(
    `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${SCRIPT}<rect width="${width}" height="5"/></svg>`,
  );

async function sha256Of(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Makes a space with one media item, and returns its line. */
async function withFile(bytes: Uint8Array, type: string): Promise<{ client: Client; line: MediaLine }> {
  const client = await Client.make();
  const headers = { "Content-Type": type, "X-Filename": "a" };
  expect((await request(client, "POST", "/media", { body: bytes as BodyInit, headers })).status).toBe(201);
  const { lines } = await exported(client);
  return { client, line: JSON.parse(lines[1] ?? "") as MediaLine };
}

const OVERWRITE = "?overwrite=true";

it("a drawing is compared by its bytes as they were sent, and as they are stored, and is replaced", async () => {
  const { client, line } = await withFile(drawing(5), "image/svg+xml");
  const sent = { ...line, sha256: await sha256Of(drawing(5)) };
  expect(sent.sha256).not.toBe(line.sha256);
  const other = { ...line, sha256: await sha256Of(drawing(6)) };
  const send = (one: object, query = "") => imported(client, [JSON.stringify(one)], query);
  for (const query of ["", OVERWRITE]) {
    expect(await send(line, query)).toMatchObject({ unchanged: 1, refused: [], waiting: [] });
    expect(await send(sent, query)).toMatchObject({ unchanged: 1, refused: [], waiting: [] });
  }
  expect(await send(other)).toMatchObject({ unchanged: 0, refused: [{ path: "id" }] });
  expect(await send(other, OVERWRITE)).toMatchObject({ imported: 1, waiting: [{ sha256: other.sha256 }] });
  expect((await putFile(client, line.id, drawing(6), other.sha256)).status).toBe(200);
  // Also where the answer was lost, and where the run is repeated.
  expect((await putFile(client, line.id, drawing(6), other.sha256)).status).toBe(200);
  expect(await send(other, OVERWRITE)).toMatchObject({ imported: 0, unchanged: 1, waiting: [] });
  const events = "SELECT action FROM events WHERE target_kind = 'media' ORDER BY no";
  const { results } = await bindings.DB.prepare(events).all();
  expect(results.map(({ action }) => action)).toEqual(["media.created", "import.created"]);
  const { data } = await client.call("GET", `/media/${line.id}`);
  expect(data).toMatchObject({ masterVersion: 2 });
  expect(await (await request(client, "GET", `/export/masters/${line.id}/2`)).text()).toContain('width="6"');
});

it("a drawing from before the digests of sent files is the file of its line, unless that is a picture", async () => {
  const { client, line } = await withFile(drawing(5), "image/svg+xml");
  await bindings.DB.prepare("UPDATE masters SET sent_sha256 = NULL").run();
  const sent = { ...line, sha256: await sha256Of(drawing(5)) };
  const send = (one: object, query = "") => imported(client, [JSON.stringify(one)], query);
  expect(await send(sent)).toMatchObject({ unchanged: 1, refused: [] });
  expect(await send({ ...sent, mime: "image/gif" })).toMatchObject({
    unchanged: 0,
    refused: [{ path: "id" }],
  });
  // An import that overwrites sends it once, and knows it from then on.
  expect((await send(sent, OVERWRITE)).waiting).toHaveLength(1);
  expect((await putFile(client, line.id, drawing(5), sent.sha256)).status).toBe(200);
  expect(await send(sent, OVERWRITE)).toMatchObject({ imported: 0, unchanged: 1, waiting: [] });
});

it("an import that was given up does not keep an editor from replacing the file of an item", async () => {
  const client = await Client.make();
  const id = await upload(client, 100, "a.gif");
  const line = JSON.parse((await exported(client)).lines[1] ?? "") as MediaLine;
  const sha256 = await sha256Of(gifOf(200));
  const text = JSON.stringify({ ...line, sha256, sizeBytes: 200 });
  expect((await imported(client, [text], OVERWRITE)).waiting).toEqual([{ id, sha256 }]);
  const headers = { "Content-Type": "image/gif" };
  const edited = await request(client, "PUT", `/media/${id}/file`, { body: gifOf(300) as BodyInit, headers });
  expect([edited.status, await edited.json()]).toMatchObject([200, { data: { masterVersion: 2 } }]);
  const withDigest = await putFile(client, id, gifOf(301), await sha256Of(gifOf(301)));
  expect(withDigest.status).toBe(200);
  // The import is repeated, sends its file, and changes nothing from then on (RULES 18.4).
  expect((await imported(client, [text], OVERWRITE)).waiting).toEqual([{ id, sha256 }]);
  expect((await putFile(client, id, gifOf(200), sha256)).status).toBe(200);
  for (let run = 0; run < 2; run++) {
    expect(await imported(client, [text], OVERWRITE)).toEqual({
      ...{ imported: 0, unchanged: 1, refused: [], waiting: [] },
    });
  }
  expect((await client.call("GET", `/media/${id}`)).data).toMatchObject({ masterVersion: 4 });
});

it("a file that is sent twice ends no newer waiting of its item", async () => {
  const client = await Client.make();
  const id = await upload(client, 100, "a.gif");
  const line = JSON.parse((await exported(client)).lines[1] ?? "") as MediaLine;
  const sha256 = await sha256Of(gifOf(200));
  const text = JSON.stringify({ ...line, sha256, sizeBytes: 200 });
  expect((await imported(client, [text], OVERWRITE)).waiting).toEqual([{ id, sha256 }]);
  const db = database(bindings.DB);
  const [item, waiting] = [
    (await mediaOf(db, client.space.id, [id])).get(id),
    await readWaiting(db, client.space.id, id),
  ];
  if (!item || !waiting) throw new Error("no item");
  // The first sending of the earlier file made the item while this one was on its way.
  const awaited = { ...waiting, sha256: line.sha256 };
  const sent = { key: "m/none", awaited, by: { origin: OF_SYSTEM, now: Date.now() } };
  expect(await insertImported(db, item.media, item.master, sent)).toBe(false);
  expect(await readWaiting(db, client.space.id, id)).toEqual(waiting);
});
