/** Alt texts of media by locale (RULES 3.31). */
import { beforeAll, describe, expect, it } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import { rebuildMediaSlice } from "../../../src/edge/storage/search/media-rebuild.ts";
import { Client, type CallOptions } from "../support/api.ts";
import { bindings, makeMedia } from "../support/rows.ts";

it("keeps an alt text for each locale, and shows it where the item is expanded", async () => {
  const client = await Client.make();
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
  const { id } = await makeMedia(client.space);
  await client.call("PATCH", `/media/${id}`, { alt: "A tree" });
  expect((await client.call("GET", `/media/${id}?locale=de`)).data["alt"]).toBe("");
  const german = await client.call("PATCH", `/media/${id}?locale=de`, { alt: "Ein Baum" });
  expect(german.data["alt"]).toBe("Ein Baum");
  expect((await client.call("GET", `/media/${id}`)).data["alt"]).toBe("A tree");
  const list = await client.call<Record<string, unknown>[]>("GET", "/media?locale=de");
  expect(list.data.map(({ alt }) => alt)).toEqual(["Ein Baum"]);
  await client.model("posts", [{ name: "cover", type: "media" }]);
  const post = await client.create("posts", { cover: id });
  const shown = await client.call("GET", `/data/collections/posts/${post}?locale=de&populate=cover`);
  expect(shown.data["cover"]).toMatchObject({ alt: "Ein Baum" });
  expect((await client.call("PATCH", "/settings", { locales: [{ code: "en" }] })).status).toBe(409);
  expect((await client.call("GET", `/media/${id}?locale=es`)).status).toBe(400);
});

describe("alt texts in several locales", () => {
  let client: Client;
  const ids: string[] = [];
  const namesOf = async (query: string, options?: CallOptions): Promise<unknown[]> => {
    const { data } = await client.call<Record<string, unknown>[]>(
      "GET",
      `/media?${query}`,
      undefined,
      options,
    );
    return data.map(({ id }) => ids.indexOf(String(id)));
  };

  beforeAll(async () => {
    client = await Client.make();
    await client.call("PATCH", "/settings", { locales: ["en", "de", "fr"].map((code) => ({ code })) });
    const texts = [
      { en: "A stone", de: "Ein Stein" },
      { en: "A tree", de: "Ein Baum", fr: "Un arbre" },
      { en: "Ein house", de: "Aus Holz" },
    ];
    for (const alt of texts) {
      const { id } = await makeMedia(client.space);
      const named = `UPDATE media SET folded = '["photo.jpg",""]', words = '["photo jpg",""]' WHERE id = ?1`;
      await bindings.DB.prepare(named).bind(id).run();
      ids.push(id);
      const { data } = await client.call("PATCH", `/media/${id}?locale=all`, { alt });
      expect(data["alt"]).toEqual({ fr: "", ...alt });
    }
  });

  it("are objects by code in `all`: in reads, lists, expanded fields and the trash", async () => {
    const whole = { en: "A tree", de: "Ein Baum", fr: "Un arbre" };
    expect((await client.call("GET", `/media/${ids[1]}?locale=all`)).data["alt"]).toEqual(whole);
    expect((await client.call("GET", `/media/${ids[1]}?locale=FR`)).data["alt"]).toBe("Un arbre");
    const list = await client.call<Record<string, unknown>[]>(
      "GET",
      "/media?locale=all&filter[alt][eq]=A tree",
    );
    expect(list.data.map(({ alt }) => alt)).toEqual([whole]);
    await client.model("covers", [{ name: "cover", type: "media" }]);
    const record = await client.create("covers", { cover: ids[1] });
    const shown = await client.call("GET", `/data/collections/covers/${record}?locale=all&populate=cover`);
    expect(shown.data["cover"]).toMatchObject({ alt: whole });
    const { id } = await makeMedia(client.space);
    await client.call("PATCH", `/media/${id}?locale=de`, { alt: "Weg" });
    await client.call("DELETE", `/media/${id}`);
    const entry = await client.call("GET", `/trash/${id}`);
    expect(entry.data["content"]).toMatchObject({ alt: { en: "", de: "Weg", fr: "" } });
  });

  it("change in `all` as the body names them, and are cleared by null", async () => {
    const { id } = await makeMedia(client.space);
    const change = async (alt: unknown) => client.call("PATCH", `/media/${id}?locale=all`, { alt });
    await change({ en: "One", de: "Eins", fr: "Un" });
    expect((await change({ DE: null })).data["alt"]).toEqual({ en: "One", de: "", fr: "Un" });
    const before = (await client.call("GET", `/media/${id}`)).data["updatedAt"];
    expect((await change({ fr: "Un", de: null })).data["updatedAt"]).toBe(before);
    expect((await change(null)).data["alt"]).toEqual({ en: "", de: "", fr: "" });
    expect((await change("One")).error.details).toEqual([{ path: "alt", message: "must be an object" }]);
    const faults = (await change({ es: "Uno", de: 1 })).error.details;
    expect(faults).toEqual([{ path: "alt.de", message: "must be a string" }]);
    expect((await change({ es: "Uno" })).error.details).toEqual([
      { path: "alt.es", message: "is no locale of this space, which has en, de, fr" },
    ]);
    expect((await change({ de: "Eins", DE: "Zwei" })).error.details).toEqual([
      { path: "alt.DE", message: "is de a second time" },
    ]);
    const plain = await client.call("PATCH", `/media/${id}?locale=de`, { alt: { de: "Eins" } });
    expect(plain.error.details).toEqual([{ path: "alt", message: "must be a string" }]);
    await client.call("DELETE", `/media/${id}`);
  });

  it("filter, sort and search lists in the asked locale", async () => {
    expect(await namesOf("locale=de&filter[alt][eq]=Ein Baum")).toEqual([1]);
    expect(await namesOf("locale=en&filter[alt][eq]=Ein Baum")).toEqual([]);
    expect(await namesOf("locale=de&filter[alt][startsWith]=Ein&sort=alt")).toEqual([1, 0]);
    expect(await namesOf("locale=de&filter[alt][icontains]=STEIN")).toEqual([0]);
    expect(await namesOf("locale=fr&filter[or][0][alt][eq]=Un arbre")).toEqual([1]);
    expect(await namesOf("locale=de&sort=-alt")).toEqual([0, 1, 2]);
    expect(await namesOf("sort=alt")).toEqual([0, 1, 2]);
    expect((await namesOf("locale=de&search=ein&count=true")).toSorted()).toEqual([0, 1]);
    expect(await namesOf("search=ein")).toEqual([2]);
    expect(await namesOf("locale=de&search=ein%20baum")).toEqual([1]);
    expect(await namesOf("locale=en&search=ein%20baum")).toEqual([]);
    expect(await namesOf("locale=fr&search=arbr")).toEqual([1]);
  });

  it("go on page by page in the order of the asked locale", async () => {
    const first = await client.call<Record<string, unknown>[]>("GET", "/media?locale=de&sort=alt&limit=2");
    expect(first.data.map(({ alt }) => alt)).toEqual(["Aus Holz", "Ein Baum"]);
    const next = `/media?locale=de&sort=alt&limit=2&cursor=${first.meta.nextCursor}`;
    const second = await client.call<Record<string, unknown>[]>("GET", next);
    expect(second.data.map(({ alt }) => alt)).toEqual(["Ein Stein"]);
    expect((await client.call("GET", next.replace("de", "fr"))).error.code).toBe("INVALID_CURSOR");
  });

  it("keep the default locale, which would else be that of other texts", async () => {
    const other = await client.call("PATCH", "/settings", {
      locales: [{ code: "de" }, { code: "en" }, { code: "fr" }],
    });
    expect([other.status, other.error.message]).toEqual([
      409,
      "The default locale stays en while media have alt texts in other locales.",
    ]);
  });

  it("are words again after the folding of texts has changed", async () => {
    const names =
      "SELECT group_concat(folded || words, '') AS n FROM (SELECT * FROM media WHERE space_id = ?1 AND deleted_at IS NULL ORDER BY id)";
    const read = () => bindings.DB.prepare(names).bind(client.space.id).first<{ n: string }>();
    const before = await read();
    await bindings.DB.prepare(
      'UPDATE media SET folded = \'["",""]\', words = \'["",""]\' WHERE space_id = ?1',
    )
      .bind(client.space.id)
      .run();
    await rebuildMediaSlice(database(bindings.DB), `${client.space.id}/0`);
    expect(await read()).toEqual(before);
  });

  it("are those of a caller's locales alone", async () => {
    const { data } = await client.call<{ key: string }>("POST", "/keys", {
      ...{ name: "German", role: "write", scopes: { locales: ["de"], media: "write" } },
    });
    const options = { key: data.key };
    const { data: item } = await client.call("GET", `/media/${ids[1]}?locale=all`, undefined, options);
    expect(item["alt"]).toEqual({ de: "Ein Baum" });
    expect(await namesOf("locale=de&search=baum", options)).toEqual([1]);
    expect(await namesOf("locale=de&search=tree", options)).toEqual([]);
    expect(await namesOf("locale=de&filter[alt][eq]=Ein Baum", options)).toEqual([1]);
    const change = { alt: { de: "Ein Baum", en: "A tree!" } };
    expect((await client.call("PATCH", `/media/${ids[1]}?locale=all`, change, options)).status).toBe(403);
    const filtered = await client.call("GET", "/media?locale=all&filter[alt][eq]=A", undefined, options);
    expect(filtered.status).toBe(403);
  });
});
