/** Changes of components, which are checked against all records that hold them (RULES 3.26). */
import { beforeEach, describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { makeMedia } from "../support/rows.ts";
import { makeArticles, paragraph } from "./support.ts";

type Shown = Record<string, unknown> & { id: string; version: number };
const ARTICLES = "/data/collections/articles";
const CTA = "/models/components/cta";

const LABEL = { name: "label", type: "string", required: true };
const HREF = { name: "href", type: "string", pattern: "^/" };
const ICON = { name: "icon", type: "media" };

let client: Client;
beforeEach(async () => {
  client = await Client.make();
  await makeArticles(client);
});

const change = (body: object, query = "") => client.call("PUT", `${CTA}${query}`, body);
const read = async (id: string) => (await client.call<Shown>("GET", `${ARTICLES}/${id}`)).data;
const conflicts = (reply: { error: { details?: { path: string; message: string }[] } }): string[] =>
  (reply.error.details ?? []).map(({ path, message }) => `${path} ${message}`);

const everywhere = (cta: object) => ({
  cta,
  sections: [
    { _type: "cta", ...cta },
    { _type: "quote", cta },
  ],
  body: [{ _type: "quote", cta }, paragraph("a")],
});

describe("a change of a component", () => {
  it("is seen in all records at once: new fields with their default, renamed ones with their values", async () => {
    const id = await client.create("articles", everywhere({ label: "Buy", href: "/a" }));
    const changed = await change({
      fields: [{ ...LABEL, name: "words" }, HREF, ICON, { name: "size", type: "string", default: "big" }],
      rename: { label: "words" },
    });
    expect(changed.status).toBe(200);
    const cta = { _key: expect.any(String) as string, words: "Buy", href: "/a", icon: null, size: "big" };
    const { cta: own, sections, body, version } = await read(id);
    expect(own).toEqual(cta);
    expect(sections).toEqual([{ _type: "cta", ...cta }, expect.objectContaining({ cta })]);
    expect(body).toEqual([expect.objectContaining({ cta }), expect.anything()]);
    expect(version).toBe(1);
    const written = await client.call<Shown>("PUT", `${ARTICLES}/${id}`, {
      cta: { words: "Go", size: "small" },
    });
    expect(written.data["cta"]).toMatchObject({ words: "Go", size: "small", href: null });
    expect((await client.call("PUT", `${ARTICLES}/${id}`, { cta: { label: "old" } })).status).toBe(400);
  });

  it("removes a field that holds values only by name, in the trash too", async () => {
    const id = await client.create("articles", {
      sections: [{ _type: "quote", cta: { label: "a", href: "/a" } }],
    });
    await client.create("articles", { title: "without" });
    await client.call("DELETE", `${ARTICLES}/${id}`);
    const fields = [LABEL, ICON];
    const refused = await change({ fields });
    expect([refused.status, conflicts(refused)]).toEqual([
      409,
      ['href would be removed, and 1 record holds values; name it in "drop" to lose them, or in "rename"'],
    ]);
    const dry = await change({ fields }, "?dryRun=true");
    expect(dry.data).toMatchObject({
      removed: ["href"],
      records: 2,
      conflicts: [{ path: "href", records: 1 }],
    });
    expect((await change({ fields: [LABEL, HREF] })).status).toBe(200);
    expect((await change({ fields: [LABEL], drop: ["href"] })).status).toBe(200);
    await client.call("POST", `/trash/${id}/restore`);
    expect((await read(id))["sections"]).toMatchObject([{ cta: { label: "a" } }]);
  });

  it("is refused if an object does not fit, with its place", async () => {
    const id = await client.create("articles", everywhere({ label: "too long", href: "/a" }));
    const refused = await change({ fields: [{ ...LABEL, maxLength: 3 }, HREF, ICON] });
    expect([refused.status, conflicts(refused)]).toEqual([
      409,
      [`label does not fit 1 record: the value in record ${id} at cta.label must have at most 3 characters`],
    ]);
    const needed = await change({
      fields: [LABEL, { ...HREF, required: true }, ICON, { ...ICON, name: "b", required: true }],
    });
    expect(conflicts(needed)).toEqual([
      "b is required and has no default, and 1 record holds the component; give it a default",
    ]);
    const other = await change({ fields: [{ name: "label", type: "number" }, HREF, ICON] });
    expect(conflicts(other)).toEqual([expect.stringContaining("at cta.label must be a number")]);
    expect((await change({ fields: [LABEL, HREF, ICON, { name: "c", type: "string" }] })).status).toBe(200);
  });

  it("lets a draft lack what becomes required, but nothing that is published", async () => {
    await client.call("PUT", "/models/collections/articles", {
      drafts: true,
      fields: (await client.call("GET", "/models/collections/articles")).data["fields"],
    });
    const id = await client.create("articles", { cta: { label: "a" } });
    const fields = [LABEL, { ...HREF, required: true }, ICON];
    expect((await change({ fields })).status).toBe(200);
    const publish = () => client.call("POST", `${ARTICLES}/${id}/publish`, {});
    expect(conflicts(await publish())).toEqual(["cta.href is required to be published"]);
    await change({ fields: [LABEL, HREF, ICON] });
    expect((await publish()).status).toBe(200);
    const refused = await change({ fields });
    expect(conflicts(refused)).toEqual([
      `href does not fit 1 record: the value in record ${id} at cta.href is missing`,
    ]);
  });

  it("forgets references from a removed field at once, and the words of removed texts", async () => {
    await client.call("PUT", "/models/components/quote", {
      fields: [
        { name: "text", type: "text" },
        { name: "cta", type: "component", component: "cta" },
      ],
    });
    const { id: picture } = await makeMedia(client.space);
    const id = await client.create("articles", {
      sections: [{ _type: "quote", cta: { label: "zebra", icon: picture } }],
    });
    const references = async () => (await client.call<Shown[]>("GET", `/media/${picture}/references`)).data;
    const found = async (word: string) =>
      (await client.call<Shown[]>("GET", `${ARTICLES}?search=${word}`)).data.length;
    expect([await references(), await found("zebra")]).toEqual([[expect.objectContaining({ id })], 1]);
    expect((await change({ fields: [HREF], drop: ["icon", "label"] })).status).toBe(200);
    expect([await references(), await found("zebra")]).toEqual([[], 0]);
    expect((await client.call("DELETE", `/media/${picture}?ifUnreferenced=true`)).status).toBe(200);
  });

  it("and writes at the same time leave nothing that does not fit", async () => {
    for (let round = 0; round < 4; round++) {
      const maxLength = 40 - round;
      const label = "x".repeat(maxLength + 1);
      const [changed, written] = await Promise.all([
        change({ fields: [{ ...LABEL, maxLength }, HREF, ICON] }),
        client.call<Shown>("POST", ARTICLES, { sections: [{ _type: "quote", cta: { label } }] }),
      ]);
      expect([changed.status, written.status]).toContainEqual(expect.any(Number));
      const pair = `${changed.status} ${written.status}`;
      expect(["200 400", "409 201"]).toContain(pair);
      if (written.status === 201) await client.call("DELETE", `${ARTICLES}/${written.data.id}`);
      if (written.status === 201) await client.call("DELETE", `/trash/${written.data.id}`);
    }
  });

  it("honours If-Match and the version, and says nothing of what stays", async () => {
    const { data } = await client.call("GET", CTA);
    const stale = await change({ fields: [LABEL], version: Number(data["version"]) + 1 });
    expect(stale.status).toBe(412);
    const same = await change({ fields: data["fields"] as object[] });
    expect(same.data["version"]).toBe(data["version"]);
    expect((await change({ fields: [LABEL, HREF, ICON], drafts: true })).status).toBe(400);
  });

  it("keeps values of a removed component out of a new one of its name, in the history too", async () => {
    const id = await client.create("articles", { cta: { label: "old" } });
    const fields = (await client.call("GET", "/models/collections/articles")).data["fields"] as {
      name: string;
    }[];
    const own = fields.filter(({ name }) => name !== "cta");
    await replaceComponent(client, own);
    const { data } = await client.call<{ record: Shown }>("GET", `${ARTICLES}/${id}/versions/1`);
    expect(data.record["cta"]).toBeNull();
    expect((await client.call("POST", `${ARTICLES}/${id}/versions/1/restore`)).status).toBe(200);
  });
});

/** Replaces the component `cta` by another one of the same name, and the field of articles that holds it. */
async function replaceComponent(of: Client, rest: object[]): Promise<void> {
  const without = rest.map((field) => ("components" in field ? { ...field, components: [] } : field));
  const text = without.map((field) =>
    (field as { type: string }).type === "blocks" ? { name: "notes", type: "text" } : field,
  );
  const steps = [
    await of.call("PUT", "/models/collections/articles", { fields: text, drop: ["cta", "sections"] }),
    await of.call("DELETE", "/models/components/quote"),
    await of.call("DELETE", CTA),
    await of.call("POST", "/models", {
      typeModel: "components",
      name: "cta",
      fields: [{ name: "label", type: "string" }],
    }),
    await of.call("PUT", "/models/collections/articles", {
      fields: [...text, { name: "cta", type: "component", component: "cta" }],
    }),
  ];
  expect(steps.map(({ status }) => status)).toEqual([200, 200, 200, 201, 200]);
}
