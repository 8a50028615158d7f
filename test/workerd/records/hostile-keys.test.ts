/** Keys of other spaces, of too low a role, and unknown ones; and cursors that the service did not make. */
import { beforeAll, describe, expect, it } from "vitest";
import { call, type Client } from "../support/api.ts";
import { makeNotes, NOTES } from "../support/notes.ts";

let client: Client;
let other: Client;
let secretId: string;

beforeAll(async () => {
  client = await makeNotes();
  other = await makeNotes();
  secretId = await other.create("notes", { title: "secret" });
  await client.create("notes", { title: "mine", n: 1 });
});

describe("keys", () => {
  it("of another space get 404, those of too low a role 403, unknown ones 401", async () => {
    const foreign = { key: await other.key("admin") };
    const reader = { key: await client.key("read") };
    const writer = { key: await client.key("write") };
    const mine = (await client.call<{ id: string }[]>("GET", NOTES)).data[0]?.id ?? "";
    const routes: [string, string, object?][] = [
      ["GET", `${NOTES}/${mine}`],
      ["GET", NOTES],
      ["POST", NOTES, {}],
      ["PUT", `${NOTES}/${mine}`, { title: "x" }],
      ["DELETE", `${NOTES}/${mine}`],
      ["GET", "/models"],
      ["GET", "/models/collections/notes"],
      ["PUT", "/models/collections/notes", { fields: [] }],
      ["DELETE", "/models/collections/notes"],
      ["GET", "/trash"],
      ["POST", `/trash/${mine}/restore`],
      ["DELETE", `/trash/${mine}`],
      ["GET", "/usage"],
      ["GET", "/activity"],
    ];
    for (const [method, path, body] of routes) {
      const as = async (options: { key: string | null }) =>
        (await client.call(method, path, body, options)).status;
      expect([method, path, await as(foreign)]).toEqual([method, path, 404]);
      expect([method, path, await as({ key: null })]).toEqual([method, path, 401]);
      expect([method, path, await as({ key: "sp_unknown" })]).toEqual([method, path, 401]);
      if (method !== "GET") expect([method, path, await as(reader)]).toEqual([method, path, 403]);
    }
    for (const path of ["/models/collections/notes", `/trash/${mine}`]) {
      expect((await client.call("DELETE", path, undefined, writer)).status).toBe(403);
    }
    // The answer is exactly that of a space that does not exist.
    const there = await client.call("GET", NOTES, undefined, foreign);
    const nowhere = await call("GET", `/api/v1/no-such-space${NOTES}`, undefined, foreign);
    expect({ ...there.error, requestId: "" }).toEqual({ ...nowhere.error, requestId: "" });
    expect((await client.call("GET", `${NOTES}/${secretId}`)).status).toBe(404);
    expect((await client.call("POST", NOTES, { link: secretId })).status).toBe(400);
    expect((await client.call("POST", `/trash/${secretId}/restore`)).status).toBe(404);
  });
});

describe("forged cursors", () => {
  it("are refused if a letter is changed, or if they are of another list, sort, filter or space", async () => {
    for (const one of [client, other]) for (let i = 0; i < 3; i++) await one.create("notes", { n: i });
    const cursorOf = async (one: Client, query: string): Promise<string> =>
      (await one.call("GET", `${NOTES}?limit=1&${query}`)).meta.nextCursor ?? "";
    const cursor = await cursorOf(client, "sort=n");
    const use = async (query: string, value: string): Promise<[number, string | undefined]> => {
      const reply = await client.call("GET", `${NOTES}?${query}&cursor=${value}`);
      return [reply.status, reply.status === 200 ? undefined : reply.error.code];
    };
    expect(await use("sort=n", cursor)).toEqual([200, undefined]);
    const refused = [400, "INVALID_CURSOR"];
    expect(await use("sort=-n", cursor)).toEqual(refused);
    expect(await use("sort=n&filter[n][gt]=0", cursor)).toEqual(refused);
    expect(await use("", cursor)).toEqual(refused);
    expect(await use("sort=n", await cursorOf(other, "sort=n"))).toEqual(refused);
    for (const at of [0, 5, cursor.length - 2]) {
      const letter = cursor[at] === "A" ? "B" : "A";
      expect(await use("sort=n", cursor.slice(0, at) + letter + cursor.slice(at + 1))).toEqual(refused);
    }
    for (const made of ["", "AAAA", "e30", btoa("[1,2]").replaceAll("=", ""), "A".repeat(7000), "%00", "é"]) {
      expect(await use("sort=n", made)).toEqual(refused);
    }
    expect((await client.call("GET", `/trash?cursor=${cursor}`)).error.code).toBe("INVALID_CURSOR");
  });
});
