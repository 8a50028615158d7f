/** Uploads in parts: any order, any machine, again and again, one media item. */
import { describe, expect, test } from "vitest";
import { DAY_MS, PARTED_UPLOAD } from "../../../src/limits.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { bindings } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { areSame, gifOf, keysIn, masterOf, partOf, Uploader } from "../support/uploads.ts";

cleanBetweenTests();

const { partBytes } = PARTED_UPLOAD;

const TWO_PARTS = gifOf(partBytes + 3, 7);

describe("an upload", () => {
  test("says how to divide its file, and which parts have arrived", async () => {
    const client = await Uploader.make();
    const before = Date.now();
    const { status, headers, data } = await client.begin(2 * partBytes + 1);
    expect(status).toBe(201);
    const { id, expiresAt, ...said } = data;
    expect(said).toEqual({
      filename: "dot.gif",
      sizeBytes: 2 * partBytes + 1,
      partBytes: 5_242_880,
      parts: 3,
      received: [],
      mediaId: null,
    });
    expect(headers.get("Location")).toBe(`https://api.test/api/v1/${client.space.name}/media/uploads/${id}`);
    const lastsMs = new Date(expiresAt).getTime() - before;
    expect(lastsMs).toBeGreaterThanOrEqual(DAY_MS);
    expect((await client.begin(2 * partBytes)).data.parts).toBe(2);
    expect((await client.begin(1)).data.parts).toBe(1);
    expect((await client.read(id)).data).toEqual(data);
  });

  test("becomes a media item of the parts in order, in whichever order they arrived (RULES 4.7)", async () => {
    const client = await Uploader.make();
    const file = gifOf(3 * partBytes - 5, 9);
    const { id } = (await client.begin(file.length, { alt: "a dot", focalPoint: { x: 0.254, y: 1 } })).data;
    for (const n of [3, 1, 2]) {
      expect((await client.put(id, n, partOf(file, n))).data).toEqual({
        part: n,
        sizeBytes: n === 3 ? partBytes - 5 : partBytes,
      });
    }
    expect((await client.read(id)).data.received).toEqual([1, 2, 3]);
    const { status, headers, data } = await client.complete(id);
    expect(status).toBe(201);
    expect(data).toMatchObject({ filename: "dot.gif", alt: "a dot", size: file.length, masterVersion: 1 });
    for (const query of ["filter[alt][icontains]=A DOT", "search=dot%20gif%20a"]) {
      const found = await client.call<{ id: string }[]>("GET", `/media?${query}`);
      expect(found.data.map((one) => one.id)).toContain(data.id);
    }
    expect(data.focalPoint).toEqual({ x: 0.25, y: 1 });
    expect(headers.get("Location")).toBe(`https://api.test/api/v1/${client.space.name}/media/${data.id}`);
    expect(areSame(await masterOf(data), file)).toBe(true);
    await eventually(async () => expect(await keysIn("u/")).toEqual([]));
    expect((await client.read(id)).data).toMatchObject({ received: [1, 2, 3], mediaId: data.id });
  });

  test("accepts a part again, and keeps the latest one", async () => {
    const client = await Uploader.make();
    const { id } = (await client.begin(TWO_PARTS.length)).data;
    await client.put(id, 1, partOf(TWO_PARTS, 1));
    await client.put(id, 2, Uint8Array.of(1, 2, 3));
    expect((await client.put(id, 2, partOf(TWO_PARTS, 2))).status).toBe(200);
    expect((await client.read(id)).data.received).toEqual([1, 2]);
    expect(areSame(await masterOf((await client.complete(id)).data), TWO_PARTS)).toBe(true);
  });

  test("cannot be completed while parts are missing, and says which ones", async () => {
    const client = await Uploader.make();
    const file = gifOf(3 * partBytes);
    const { id } = (await client.begin(file.length)).data;
    await client.put(id, 2, partOf(file, 2));
    const { status, error } = await client.complete(id);
    expect(status).toBe(409);
    expect(error.code).toBe("UPLOAD_INCOMPLETE");
    expect(error.details?.map(({ path }) => path)).toEqual(["parts.1", "parts.3"]);
    for (const n of [1, 3]) await client.put(id, n, partOf(file, n));
    expect((await client.complete(id)).status).toBe(201);
  });

  test("makes one media item, even when it is completed again or twice at once", async () => {
    const client = await Uploader.make();
    const { id } = await client.sent(TWO_PARTS);
    const answers = await Promise.all([client.complete(id), client.complete(id), client.complete(id)]);
    answers.push(await client.complete(id));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect((await client.call<unknown[]>("GET", "/media")).data).toHaveLength(1);
    const { data } = await client.complete(id);
    await runSweep(Date.now() + 2 * DAY_MS);
    expect(await keysIn("")).toHaveLength(1);
    expect(areSame(await masterOf(data), TWO_PARTS)).toBe(true);
  });

  test("replaces the file of an item, which keeps the properties that are not given", async () => {
    const client = await Uploader.make();
    const first = (await client.complete((await client.sent(gifOf(50), { alt: "old" })).id)).data;
    const { id } = await client.sent(TWO_PARTS, { mediaId: first.id, filename: "new.gif" });
    const { status, data } = await client.complete(id);
    expect(status).toBe(201);
    expect(data).toMatchObject({ id: first.id, masterVersion: 2, filename: "new.gif", alt: "old" });
    expect(areSame(await masterOf(data), TWO_PARTS)).toBe(true);
    expect((await client.complete(id)).data.masterVersion).toBe(2);
    const again = await client.sent(gifOf(60), { mediaId: first.id, alt: "new" });
    expect((await client.complete(again.id)).data).toMatchObject({
      masterVersion: 3,
      alt: "new",
      focalPoint: null,
    });
  });

  test("of an item that does not exist, or is in the trash by then, fails", async () => {
    const client = await Uploader.make();
    expect((await client.begin(10, { mediaId: "01ARZ3NDEKTSV4RRFFQ69G5FAV" })).status).toBe(404);
    const { data } = await client.complete((await client.sent(gifOf(50))).id);
    const { id } = await client.sent(gifOf(60), { mediaId: data.id });
    await client.call("DELETE", `/media/${data.id}`);
    expect((await client.complete(id)).status).toBe(404);
    expect((await client.read(id)).status).toBe(404);
  });
});

describe("an upload that has ended", () => {
  test("because it was deleted has no parts, and accepts none", async () => {
    const client = await Uploader.make();
    const { id } = await client.sent(TWO_PARTS);
    const { status, data } = await client.call("DELETE", `/media/uploads/${id}`);
    expect([status, data]).toEqual([200, { id, state: "removed" }]);
    await eventually(async () => expect(await keysIn("")).toEqual([]));
    expect((await client.put(id, 2, partOf(TWO_PARTS, 2))).status).toBe(404);
    expect((await client.call("DELETE", `/media/uploads/${id}`)).status).toBe(404);
    expect((await client.complete(id)).status).toBe(404);
  });

  test("because it was completed accepts no parts, and its removal leaves the item", async () => {
    const client = await Uploader.make();
    const { id } = await client.sent(gifOf(50));
    const { data } = await client.complete(id);
    expect((await client.put(id, 1, gifOf(50))).status).toBe(409);
    expect((await client.call("DELETE", `/media/uploads/${id}`)).status).toBe(200);
    expect((await client.call("GET", `/media/${data.id}`)).status).toBe(200);
  });

  test("because its 24 hours are over is swept, to the millisecond (RULES 4.7)", async () => {
    const client = await Uploader.make();
    moveClock(0);
    const { id, expiresAt } = await client.sent(TWO_PARTS);
    const end = new Date(expiresAt).getTime();
    expect((await runSweep(end - 1)).expiredUploads).toBe(0);
    moveClock(end - 1 - Date.now());
    expect((await client.read(id)).data.received).toEqual([1, 2]);
    moveClock(1);
    expect((await client.read(id)).status).toBe(404);
    expect((await client.put(id, 1, partOf(TWO_PARTS, 1))).status).toBe(404);
    expect((await client.complete(id)).status).toBe(404);
    expect((await runSweep(end)).expiredUploads).toBe(1);
    expect(await keysIn("")).toEqual([]);
  });

  test("because its space was removed is swept", async () => {
    const client = await Uploader.make();
    await client.sent(TWO_PARTS);
    await client.call("DELETE", "", { confirm: client.space.name });
    await runSweep(Date.now());
    expect(await keysIn("")).toEqual([]);
    const { results } = await bindings.DB.prepare("SELECT * FROM uploads").all();
    expect(results).toEqual([]);
  });
});
