/** Alt texts by locale beside replaced files and searches of many items (RULES 3.15, 3.18, 3.31). */
import { expect, it } from "vitest";
import { openMediaList } from "../../../src/edge/lists/media-list.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { CONTENT } from "../../../src/limits.ts";
import { FIXTURE } from "../support/bindings/deployed-d1.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings } from "../support/rows.ts";
import { gifOf, Uploader } from "../support/uploads.ts";

cleanBetweenTests();

async function inTwoLocales(): Promise<Uploader> {
  const client = await Uploader.make();
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }] });
  return client;
}

it("finds the alt text that came with another file, and those of other locales", async () => {
  const client = await inTwoLocales();
  const first = await client.complete((await client.sent(gifOf(100))).id);
  const { id } = first.data;
  const alt = { en: "A boat", de: "Ein Kahn" };
  expect((await client.call("PATCH", `/media/${id}?locale=all`, { alt })).status).toBe(200);
  const found = async (query: string): Promise<number> =>
    (await client.call<unknown[]>("GET", `/media?${query}`)).data.length;
  expect([await found("search=boat"), await found("search=kahn&locale=de")]).toEqual([1, 1]);
  const { status } = await client.complete(
    (await client.sent(gifOf(120), { mediaId: id, alt: "A ship" })).id,
  );
  expect(status).toBeLessThan(300);
  expect((await client.call("GET", `/media/${id}?locale=all`)).data["alt"]).toEqual({ ...alt, en: "A ship" });
  const queries = ["search=ship", "filter[alt][icontains]=SHIP", "search=kahn&locale=de"];
  expect(await Promise.all(queries.map(found))).toEqual([1, 1, 1]);
  expect([await found("search=boat"), await found("search=ship&locale=de")]).toEqual([0, 0]);
});

it("charges a search in a locale for the items of all locales, if these are many", async () => {
  const client = await inTwoLocales();
  const words = (n: number): Promise<unknown> =>
    bindings.DB.prepare(
      `${FIXTURE} WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?1)
        INSERT INTO media (id, space_id, filename, folded, words, master_version, last_version, created_at, updated_at)
        SELECT printf('01ARZ3NDEKTSV4RRFFQ%07d', n), ?2, 'a.jpg', '["a.jpg","product"]', '["a jpg","product"]', 1, 1, 1, 1
        FROM n`,
    )
      .bind(n, client.space.id)
      .run();
  const search = (code: string | null) =>
    openMediaList(
      {
        ...{ db: database(bindings.DB), spaceId: client.space.id, secret: "secret" },
        payer: { name: client.space.id, hasKey: false },
        locale: code === null ? null : { code, isDefault: code === "en" },
      },
      { search: "product" },
      [],
    );
  await words(CONTENT.searchRankedMax);
  expect((await search("de")).items).toEqual([]);
  await bindings.DB.prepare(`${FIXTURE} DELETE FROM media`).run();
  await words(CONTENT.searchRankedMax + 1);
  await expect(search("de")).rejects.toThrow("would read too much");
  await expect(search("en")).rejects.toThrow("search for rarer words");
  expect((await search(null)).items).toEqual([]);
});
