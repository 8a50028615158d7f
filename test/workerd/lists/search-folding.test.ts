/** Search folds letters that keyboards lack (RULES 3.15), and finds texts again that an earlier folding stored. */
import { describe, expect, it } from "vitest";
import { CONTENT } from "../../../src/limits.ts";
import { FOLD_EDITION } from "../../../src/content/search/fold.ts";
import { Client } from "../support/api.ts";
import { bindings, makeMedia } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

const NOTES = "/data/collections/notes";

async function makeNotes(texts: readonly string[]): Promise<Client> {
  const client = await Client.make();
  await client.model("notes", [{ name: "text", type: "string", searchable: true }]);
  for (const text of texts) await client.create("notes", { text });
  return client;
}

const found = async (client: Client, query: string): Promise<string[]> =>
  (await client.call<{ text: string }[]>("GET", `${NOTES}?${query}`)).data.map(({ text }) => text);

const finds = (client: Client, word: string) => found(client, `search=${encodeURIComponent(word)}`);
const holds = (client: Client, word: string) =>
  found(client, `filter[text][icontains]=${encodeURIComponent(word)}`);

describe("a search", () => {
  it.each([
    ["Hans Christian Ørsted", "orsted", "ØRSTED"],
    ["Łódź", "lodz", "łódź"],
    ["Ærø Kirke", "aero", "ÆRØ"],
    ["Đorđe Balašević", "dorde", "đorđe"],
    ["מְנוֹרָה", "מנורה", "מְנוֹרָה"],
    ["مُحَمَّد", "محمد", "مُحَمَّد"],
    ["Donau\u00addampf\u00adschiff", "donaudampfschiff", "dampf\u00adschiff"],
  ])("finds %s by what a keyboard writes", async (text, plain, same) => {
    const client = await makeNotes([text, "Other"]);
    expect(await finds(client, plain)).toEqual([text]);
    expect(await holds(client, plain)).toEqual([text]);
    expect(await holds(client, same)).toEqual([text]);
  });
});

describe("what was folded by an earlier edition", () => {
  it("is folded anew by the sweep, records, drafts, trash and media, in slices", async () => {
    const client = await makeNotes(["Łódź", "Plain"]);
    const trashed = await client.create("notes", { text: "Łomża" });
    await client.call("DELETE", `${NOTES}/${trashed}`);
    for (let n = 0; n <= CONTENT.searchSliceMedia; n++) await makeMedia(client.space);
    // As the folding of before left them, which kept the letter.
    await bindings.DB.batch(
      [
        "UPDATE records SET folded = replace(replace(folded, 'lodz', 'łodz'), 'lomza', 'łomza')",
        `UPDATE media SET alt = 'Łódź', folded = '["photo.jpg","łodz"]', words = '["photo jpg","łodz"]'`,
        "INSERT OR REPLACE INTO fold_edition (id, edition) VALUES (1, 1)",
      ].map((text) => bindings.DB.prepare(text)),
    );
    const media = async () =>
      (await client.call<object[]>("GET", "/media?search=lodz&count=true&limit=1")).meta.total;
    expect([await finds(client, "lodz"), await holds(client, "lodz"), await media()]).toEqual([[], [], 0]);
    expect((await runSweep(Date.now())).searchSlices).toBeGreaterThan(4);
    expect([await finds(client, "lodz"), await holds(client, "lodz")]).toEqual([["Łódź"], ["Łódź"]]);
    expect(await media()).toBe(CONTENT.searchSliceMedia + 1);
    await client.call("POST", `/trash/${trashed}/restore`);
    expect(await finds(client, "lomza")).toEqual(["Łomża"]);
    const edition = await bindings.DB.prepare("SELECT edition FROM fold_edition").first("edition");
    expect(edition).toBe(FOLD_EDITION);
    expect((await runSweep(Date.now())).searchSlices).toBe(0);
  });
});
