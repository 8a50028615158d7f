/** Records that hold components, blocks and rich text: written, read, found, referred to, expanded (RULES 3.25). */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { makeMedia } from "../support/rows.ts";
import { makeArticles, paragraph } from "./support.ts";

type Shown = Record<string, unknown> & { id: string; version: number };
const ARTICLES = "/data/collections/articles";

async function make(options: object = {}): Promise<Client> {
  const client = await Client.make();
  await makeArticles(client, options);
  return client;
}

const paths = (error: { details?: { path: string }[] }): string[] =>
  (error.details ?? []).map(({ path }) => path);

describe("a record of components", () => {
  it("comes back as it was written, with keys, defaults and types", async () => {
    const client = await make();
    const { data, status } = await client.call<Shown>("POST", ARTICLES, {
      cta: { label: "Buy" },
      sections: [{ _type: "quote", text: "Q", cta: { label: "Go", href: "/go" } }],
      body: [paragraph("Hello")],
    });
    expect(status).toBe(201);
    const key = expect.stringMatching(/^[0-9a-f]{12}$/) as string;
    expect(data["cta"]).toEqual({ _key: key, label: "Buy", href: null, icon: null });
    expect(data["sections"]).toEqual([
      {
        _key: key,
        _type: "quote",
        text: "Q",
        author: null,
        cta: { _key: key, label: "Go", href: "/go", icon: null },
      },
    ]);
    const again = await client.call<Shown>("PUT", `${ARTICLES}/${data.id}`, data);
    expect([again.status, again.data.version]).toEqual([200, 1]);
    const empty = await client.call<Shown>("PUT", `${ARTICLES}/${data.id}`, { cta: null, sections: null });
    expect([empty.data["cta"], empty.data["sections"]]).toEqual([null, []]);
  });

  it("lists every fault at its place, missing targets included", async () => {
    const client = await make();
    const { error, status } = await client.call("POST", ARTICLES, {
      cta: { href: "x" },
      sections: [
        { _type: "quote", author: "NOBODY", cta: { label: "a", href: "b", icon: "NONE" } },
        { _type: "hero" },
      ],
      body: [
        { _type: "image", media: "GONE" },
        paragraph("a", { markDefs: [{ _type: "internalLink", _key: "k", record: "X" }] }),
      ],
    });
    expect(status).toBe(400);
    expect(paths(error).sort()).toEqual([
      "body.0.media",
      "body.1.markDefs.0.record",
      "cta.href",
      "cta.label",
      "sections.0.author",
      "sections.0.cta.href",
      "sections.0.cta.icon",
      "sections.1._type",
    ]);
  });

  it("takes required values inside when it is published, and drafts without them", async () => {
    const client = await make({ drafts: true });
    const id = await client.create("articles", { sections: [{ _type: "quote", cta: { href: "/a" } }] });
    const refused = await client.call("POST", `${ARTICLES}/${id}/publish`, {});
    expect([refused.status, paths(refused.error)]).toEqual([400, ["sections.0.cta.label"]]);
    await client.call("PUT", `${ARTICLES}/${id}`, { sections: [] });
    expect((await client.call("POST", `${ARTICLES}/${id}/publish`, {})).status).toBe(200);
  });

  it("is referred to by what stands inside, until that is gone from it", async () => {
    const client = await make();
    const person = await client.create("people", { name: "Ada" });
    const other = await client.create("people", { name: "Bob" });
    const { id: picture } = await makeMedia(client.space);
    const id = await client.create("articles", {
      title: "T",
      sections: [{ _type: "quote", author: person, cta: { label: "a", icon: picture } }],
      body: [paragraph("a", { markDefs: [{ _type: "internalLink", _key: "k", record: person }] })],
    });
    const of = async (path: string) => (await client.call<Shown[]>("GET", `${path}/references`)).data;
    const own = { typeModel: "collections", model: "articles", id, title: "T" };
    expect(await of(`/data/collections/people/${person}`)).toEqual([
      { ...own, fields: ["sections", "body"] },
    ]);
    expect(await of(`/media/${picture}`)).toEqual([{ ...own, fields: ["sections"] }]);
    expect(await of(`/data/collections/people/${other}`)).toEqual([]);
    const refused = await client.call("DELETE", `/media/${picture}?ifUnreferenced=true`);
    expect(refused.status).toBe(409);
    await client.call("PUT", `${ARTICLES}/${id}`, { sections: [] });
    expect(await of(`/data/collections/people/${person}`)).toEqual([{ ...own, fields: ["body"] }]);
    expect((await client.call("DELETE", `/media/${picture}?ifUnreferenced=true`)).status).toBe(200);
  });

  it("keeps what it held when a target goes, and a version is restored without it on demand", async () => {
    const client = await make();
    const person = await client.create("people", { name: "Ada" });
    const body = [
      paragraph("a", {
        children: [{ _type: "span", text: "a", marks: ["k", "em"] }],
        markDefs: [{ _type: "internalLink", _key: "k", record: person }],
      }),
    ];
    const id = await client.create("articles", { body, sections: [{ _type: "quote", author: person }] });
    await client.call("DELETE", `/data/collections/people/${person}`);
    const kept = await client.call("PUT", `${ARTICLES}/${id}`, { body: [...body, paragraph("b")] });
    expect(kept.status).toBe(200);
    await client.call("PUT", `${ARTICLES}/${id}`, { body: [], sections: [] });
    expect((await client.call("POST", `${ARTICLES}/${id}/versions/1/restore`)).status).toBe(400);
    const restored = await client.call<Shown>(
      "POST",
      `${ARTICLES}/${id}/versions/1/restore?dropMissing=true`,
    );
    expect(restored.status).toBe(200);
    expect(restored.data["body"]).toMatchObject([{ children: [{ text: "a", marks: ["em"] }], markDefs: [] }]);
    expect(restored.data["sections"]).toMatchObject([{ author: null }]);
  });

  it("expands what stands inside, and says which paths lead nowhere", async () => {
    const client = await make();
    const friend = await client.create("people", { name: "Bob" });
    const person = await client.create("people", { name: "Ada", friend });
    const { id: picture } = await makeMedia(client.space);
    const id = await client.create("articles", {
      cta: { label: "a", icon: picture },
      sections: [
        { _type: "cta", label: "b" },
        { _type: "quote", author: person, cta: { label: "c", icon: picture } },
      ],
      body: [
        { _type: "image", media: picture },
        { _type: "quote", author: person },
        paragraph("a", { markDefs: [{ _type: "internalLink", _key: "k", record: person }] }),
      ],
    });
    const path = [
      ...["cta.icon", "sections.author.friend", "sections.quote.cta.icon"],
      ...["body.image", "body.internalLink.friend.friend", "body.quote.author"],
    ].join(",");
    const { data, status } = await client.call<Shown>("GET", `${ARTICLES}/${id}?populate=${path}`);
    expect(status).toBe(200);
    expect(data["cta"]).toMatchObject({ icon: { id: picture } });
    expect(data["sections"]).toMatchObject([
      { label: "b" },
      { author: { name: "Ada", friend: { name: "Bob", friend: null } }, cta: { icon: { id: picture } } },
    ]);
    expect(data["body"]).toMatchObject([
      { media: { id: picture } },
      { author: { name: "Ada", friend } },
      { markDefs: [{ record: { name: "Ada", friend: { name: "Bob", friend: null } } }] },
    ]);
    const list = await client.call<Shown[]>("GET", `${ARTICLES}?populate=${path}`);
    expect(list.data).toEqual([data]);
    const faults: Record<string, string> = {
      "body.text": "is no relation",
      "body.image.x": "goes on below",
      body: "holds components",
      "sections.label": "is no relation",
      "sections.cta": "holds components",
      "body.quote": "is a component",
      "sections.author.friend.friend.friend": "3 levels",
    };
    for (const [wrong, words] of Object.entries(faults)) {
      const { error, status: code } = await client.call("GET", `${ARTICLES}/${id}?populate=${wrong}`);
      expect([wrong, code, error.message]).toEqual([wrong, 400, expect.stringContaining(words)]);
    }
  });

  it("is found by words inside, and by whether it has a value", async () => {
    const client = await make();
    const split = [
      { _type: "span", text: "un" },
      { _type: "span", text: "der", marks: ["em"] },
    ];
    const id = await client.create("articles", {
      cta: { label: "Zebra" },
      sections: [{ _type: "quote", text: "Giraffe" }],
      body: [{ _type: "block", children: split }, paragraph("stood")],
    });
    await client.create("articles", { title: "none" });
    const found = async (query: string) =>
      (await client.call<Shown[]>("GET", `${ARTICLES}?${query}`)).data.map((one) => one.id);
    for (const word of ["zebra", "giraffe", "under", "stood"])
      expect(await found(`search=${word}`)).toEqual([id]);
    expect(await found("search=understood")).toEqual([]);
    for (const field of ["cta", "sections", "body"]) {
      expect(await found(`filter[${field}][null]=false`)).toEqual([id]);
      expect(await found(`filter[${field}][null]=true`)).toHaveLength(1);
      const { status, error } = await client.call("GET", `${ARTICLES}?filter[${field}][eq]=x`);
      expect([status, error.message]).toEqual([400, expect.stringContaining("must use one of null")]);
      expect((await client.call("GET", `${ARTICLES}?sort=${field}`)).status).toBe(400);
    }
  });
});
