/** The README's tour, as a new user takes it. */
import { describe, expect, inject, it } from "vitest";
import { bearer, json, newSpace, upload } from "../../scripts/harness/api.ts";
import { photoJpeg } from "../support/pictures/draw.ts";

const service = inject("service");

interface Entry {
  id: string;
  version: number;
  [field: string]: unknown;
}

describe("the tour", () => {
  it("makes models, uploads a photo, creates, lists, populates, deletes and restores", async () => {
    const space = await newSpace(service);
    const call = async <T>(method: string, path: string, body?: object, headers = {}): Promise<T> =>
      json(
        await fetch(`${space.api}${path}`, {
          method,
          headers: { ...bearer(space.key), ...(body && { "Content-Type": "application/json" }), ...headers },
          ...(body && { body: JSON.stringify(body) }),
        }),
      );

    await call("POST", "/models", {
      typeModel: "collections",
      name: "authors",
      fields: [{ name: "name", type: "string", required: true, unique: true }],
    });
    await call("POST", "/models", {
      typeModel: "collections",
      name: "articles",
      fields: [
        { name: "title", type: "string", required: true },
        { name: "cover", type: "media" },
        { name: "author", type: "relation", to: "authors" },
      ],
    });
    const cover = await upload(space, await photoJpeg(1200, 800), "cover.jpg");
    const author = await call<Entry>("POST", "/data/collections/authors", { name: "Ada" });
    const article = await call<Entry>("POST", "/data/collections/articles", {
      title: "On engines",
      cover: cover.id,
      author: author.id,
    });
    expect(article).toMatchObject({ title: "On engines", cover: cover.id, author: author.id, version: 1 });

    const list = await call<Entry[]>(
      "GET",
      "/data/collections/articles?filter[title][contains]=engines&populate=cover,author",
    );
    expect(list).toHaveLength(1);
    expect(list[0]).toMatchObject({ author: { name: "Ada" }, cover: { id: cover.id, width: 1200 } });
    expect((list[0]?.["cover"] as typeof cover).formats?.["large"]?.url).toContain(
      `/${space.name}/pictures/${cover.id}`,
    );

    const path = `/data/collections/articles/${article.id}`;
    const changed = await call<Entry>("PUT", path, { title: "On the engine" }, { "If-Match": '"1"' });
    expect(changed).toMatchObject({ title: "On the engine", cover: cover.id, version: 2 });
    const stale = await fetch(`${space.api}${path}`, {
      method: "PUT",
      headers: { ...bearer(space.key), "Content-Type": "application/json", "If-Match": '"1"' },
      body: JSON.stringify({ title: "Too late" }),
    });
    expect(stale.status).toBe(412);
    await stale.body?.cancel();

    expect(await call<{ state: string }>("DELETE", path)).toMatchObject({ id: article.id, state: "trashed" });
    expect((await fetch(`${space.api}${path}`, { headers: bearer(space.key) })).status).toBe(404);
    await call("POST", `/trash/${article.id}/restore`);
    expect(await call<Entry>("GET", `${path}?populate=author`)).toMatchObject({ author: { name: "Ada" } });
  });

  it("finds the API document, and a page that shows it", async () => {
    const document = (await (await fetch(`${service.base}/api/v1/openapi.json`)).json()) as {
      openapi: string;
      paths: object;
    };
    expect(document.openapi).toMatch(/^3\.1/);
    expect(Object.keys(document.paths)).toContain("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}");
    const docs = await fetch(`${service.base}/docs`);
    expect(docs.headers.get("Content-Type")).toContain("text/html");
    expect(await docs.text()).toContain("Image delivery");
  });
});
