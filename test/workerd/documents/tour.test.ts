/** The tour that a new user takes: space, key, models, a picture, records, list, populate, delete, restore. */
import { describe, expect, it } from "vitest";
import { call } from "../support/api.ts";
import { makeMedia, type Space } from "../support/rows.ts";

interface Author {
  id: string;
  name: string;
  avatar: { id: string; url: string; formats: { thumbnail: { url: string; width: number } } } | null;
}

interface Article {
  id: string;
  title: string;
  author: Author | string | null;
  views: number;
  version: number;
  createdAt: string;
}

describe("the tour", () => {
  it("goes from an empty deployment to a record that was deleted and restored", async () => {
    const space = await call<Space>("POST", "/api/v1/spaces", {
      name: "tour",
      plan: { trashRetentionDays: 7 },
    });
    expect(space.status).toBe(201);
    const made = await call<{ key: string }>("POST", "/api/v1/tour/keys", { name: "site", role: "admin" });
    const options = { key: made.data.key };
    const at = <Data>(method: string, path: string, body?: unknown, headers = {}) =>
      call<Data>(method, `/api/v1/tour${path}`, body, { ...options, headers });

    const authors = await at("POST", "/models", {
      typeModel: "collections",
      name: "authors",
      fields: [
        { name: "name", type: "string", required: true },
        { name: "avatar", type: "media" },
      ],
    });
    expect(authors.status).toBe(201);
    const articles = await at<{ version: number }>("POST", "/models", {
      typeModel: "collections",
      name: "articles",
      fields: [
        { name: "title", type: "string", required: true, unique: true },
        { name: "author", type: "relation", to: "authors" },
        { name: "views", type: "number", integer: true, default: 0 },
      ],
    });
    expect(articles.status).toBe(201);
    expect(articles.data.version).toBe(1);

    const picture = await makeMedia(space.data);
    const ada = await at<Author>("POST", "/data/collections/authors", { name: "Ada", avatar: picture.id });
    expect(ada.status).toBe(201);
    const first = await at<Article>("POST", "/data/collections/articles", {
      title: "One",
      author: ada.data.id,
    });
    expect(first.status).toBe(201);
    expect(first.headers.get("Location")).toBe(
      `https://api.test/api/v1/tour/data/collections/articles/${first.data.id}`,
    );
    expect(first.data).toMatchObject({ title: "One", author: ada.data.id, views: 0, version: 1 });
    await at("POST", "/data/collections/articles", { title: "Two" });

    const list = await at<Article[]>("GET", "/data/collections/articles?sort=title&filter[views][eq]=0");
    expect(list.error).toBeUndefined();
    expect(list.data.map(({ title }) => title)).toEqual(["One", "Two"]);
    expect(list.meta).toEqual({ nextCursor: null, limit: 25 });

    const path = `/data/collections/articles/${first.data.id}`;
    const populated = await at<Article>("GET", `${path}?populate=author.avatar`);
    expect(populated.status).toBe(200);
    const author = populated.data.author as Author;
    expect(author.name).toBe("Ada");
    expect(author.avatar?.id).toBe(picture.id);
    expect(author.avatar?.formats.thumbnail).toMatchObject({ width: 236 });
    expect(author.avatar?.formats.thumbnail.url).toContain("/api/v1/tour/pictures/");

    const changed = await at<Article>("PUT", path, { views: 3 }, { "If-Match": first.headers.get("ETag") });
    expect(changed.data).toMatchObject({ title: "One", views: 3, version: 2 });

    const deleted = await at<{ id: string; state: string }>("DELETE", path);
    expect(deleted.data).toMatchObject({ id: first.data.id, state: "trashed" });
    expect((await at("GET", path)).status).toBe(404);
    const trash = await at<{ id: string }[]>("GET", "/trash?kind=record");
    expect(trash.data).toMatchObject([{ id: first.data.id, kind: "record", model: "articles" }]);
    expect((await at("POST", `/trash/${first.data.id}/restore`)).status).toBe(200);
    expect((await at<Article>("GET", path)).data).toEqual(changed.data);
    const usage = await at<{ records: object }>("GET", "/usage");
    expect(usage.data.records).toEqual({ active: 3, trashed: 0 });
  });
});
