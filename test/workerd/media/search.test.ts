/** Media found by the words of their file names and alt texts (RULES 3.15). */
import { beforeAll, describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { makeMedia } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

let client: Client;
const ids: string[] = [];

const NAMES = [
  { filename: "Été à la plage.jpg", alt: "Two boats" },
  { filename: "boat-1.jpg", alt: "A boat, a boat at sea" },
  { filename: "boat-2.jpg", alt: "" },
  { filename: "日本.png", alt: "Kyoto" },
];

const search = (words: string, more = "") =>
  client.call<{ id: string; filename: string }[]>("GET", `/media?search=${encodeURIComponent(words)}${more}`);
const names = async (words: string, more = ""): Promise<string[]> =>
  (await search(words, more)).data.map(({ filename }) => filename);

beforeAll(async () => {
  client = await Client.make();
  const other = await Client.make();
  const { id } = await makeMedia(other.space);
  await other.call("PATCH", `/media/${id}`, { filename: "boat", alt: "boat" });
  for (const one of NAMES) {
    const { id } = await makeMedia(client.space);
    ids.push(id);
    expect((await client.call("PATCH", `/media/${id}`, one)).status).toBe(200);
  }
  // The rows are as they were before media could be searched.
  expect((await runSweep(Date.now())).filledRows).toBeGreaterThanOrEqual(NAMES.length);
});

describe("a search of media", () => {
  it.each([
    ["ETE plage", ["Été à la plage.jpg"]],
    ["sea", ["boat-1.jpg"]],
    ["1 sea", ["boat-1.jpg"]],
    ["kyo 本", ["日本.png"]],
    ["lage", []],
    ['"', []],
  ])("%s", async (words, expected) => {
    expect(await names(words)).toEqual(expected);
  });

  it("has the best results first, and can be filtered, counted and paged", async () => {
    expect((await names("boat"))[0]).toBe("boat-1.jpg");
    expect((await names("boat")).sort()).toEqual(["boat-1.jpg", "boat-2.jpg", "Été à la plage.jpg"]);
    expect(await names("boat", "&filter[filename][startsWith]=boat-2")).toEqual(["boat-2.jpg"]);
    const first = await search("boat", "&limit=2&count=true");
    expect(first.meta.total).toBe(3);
    const second = await search("boat", `&limit=2&cursor=${first.meta.nextCursor}`);
    expect([...first.data, ...second.data].map(({ id }) => id).sort()).toEqual(ids.slice(0, 3).sort());
    expect(second.meta.nextCursor).toBeNull();
  });

  it("finds the present names", async () => {
    const [id] = ids;
    await client.call("PATCH", `/media/${id}`, { alt: "Two sails" });
    expect(await names("two boats")).toEqual([]);
    expect(await names("plage sails")).toEqual(["Été à la plage.jpg"]);
    await client.call("DELETE", `/media/${id}`);
    expect(await names("sails")).toEqual([]);
    await client.call("POST", `/trash/${id}/restore`);
    expect(await names("sails")).toEqual(["Été à la plage.jpg"]);
  });

  it.each(["search=", "search=a&sort=filename", `search=${"a".repeat(201)}`])("refuses %s", async (query) => {
    const reply = await client.call("GET", `/media?${query}`);
    expect([reply.status, reply.error.code]).toEqual([400, "INVALID_PARAMETER"]);
  });
});
