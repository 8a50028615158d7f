/** Keys with scopes (RULES 1.12): what is outside is as if it were not there. */
import { beforeAll, describe, expect, it } from "vitest";
import { Client, type CallOptions, type Reply } from "../support/api.ts";
import { moveClock } from "../support/clean.ts";
import { makeMedia } from "../support/rows.ts";

let client: Client;
let key: string;
let author: string;
let other: string;
let article: string;
let note: string;
let picture: string;

const as = (method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Reply> =>
  client.call(method, path, body, { key, ...options });

async function scopedKey(scopes: object, role = "write"): Promise<string> {
  const made = await client.call<{ key: string }>("POST", "/keys", { name: role, role, scopes });
  expect(made.status).toBe(201);
  return made.data.key;
}

beforeAll(async () => {
  client = await Client.make();
  await client.model("badges", [{ name: "label", type: "string" }], "components");
  await client.model("secrets", [{ name: "code", type: "string" }], "components");
  await client.model("authors", [
    { name: "name", type: "string", searchable: true },
    { name: "secret", type: "component", component: "secrets" },
  ]);
  await client.model("articles", [
    { name: "title", type: "string", searchable: true },
    { name: "author", type: "relation", to: "authors" },
    { name: "others", type: "relation", to: "authors", multiple: true },
    { name: "cover", type: "media" },
    { name: "badge", type: "component", component: "badges" },
  ]);
  await client.model("notes", [
    { name: "title", type: "string" },
    { name: "about", type: "relation", to: "articles" },
    { name: "picture", type: "media" },
  ]);
  await client.model("home", [{ name: "title", type: "string" }], "pages");
  picture = (await makeMedia(client.space)).id;
  author = await client.create("authors", { name: "Ada" });
  other = await client.create("authors", { name: "Grace" });
  article = await client.create("articles", { title: "On light", author, others: [author], cover: picture });
  note = await client.create("notes", { title: "Read it", about: article, picture });
  key = await scopedKey({ models: ["articles", "home"] });
});

/** Returns an answer without what is different in every answer. */
const comparable = ({ status, error }: Reply) => {
  expect(error.requestId).toBeTruthy();
  return { status, code: error.code, message: error.message, details: error.details };
};

it("answers about a model outside as about one that is not there", async () => {
  const bodies = { POST: {}, PUT: {}, PATCH: {} } as Record<string, unknown>;
  const paths: [string, string][] = [
    ["GET", "/models/collections/MODEL"],
    ["GET", "/data/collections/MODEL"],
    ["GET", "/data/collections/MODEL?status=draft&populate=x&sort=name&filter[name][eq]=1"],
    ["POST", "/data/collections/MODEL"],
    ["GET", "/data/collections/MODEL/ID"],
    ["PUT", "/data/collections/MODEL/ID"],
    ["PATCH", "/data/collections/MODEL/ID"],
    ["DELETE", "/data/collections/MODEL/ID"],
    ["GET", "/data/collections/MODEL/ID/references"],
    ["GET", "/data/collections/MODEL/ID/versions"],
    ["GET", "/data/collections/MODEL/ID/versions/1"],
    ["POST", "/data/collections/MODEL/ID/versions/1/restore"],
    ["POST", "/data/collections/MODEL/ID/publish"],
    ["POST", "/data/collections/MODEL/ID/unpublish"],
  ];
  for (const [method, path] of paths) {
    const at = (model: string) =>
      as(method, path.replace("MODEL", model).replace("ID", author), bodies[method]);
    const hidden = comparable(await at("authors"));
    expect([path, hidden]).toEqual([path, comparable(await at("nowhere"))]);
    expect([path, hidden.status]).toEqual([path, 404]);
  }
  const operations = [{ op: "delete", id: author }];
  const bulk = (model: string) => as("POST", `/data/collections/${model}/bulk`, { operations });
  expect(comparable(await bulk("authors"))).toEqual(comparable(await bulk("nowhere")));
});

it("lists the models inside, with the components that they hold", async () => {
  const { data } = await as("GET", "/models");
  const names = (data as unknown as { name: string }[]).map(({ name }) => name);
  expect(names).toEqual(["badges", "articles", "home"]);
  expect((await as("GET", "/models/components/badges")).status).toBe(200);
  const hidden = await as("GET", "/models/components/secrets");
  expect(comparable(hidden)).toEqual(comparable(await as("GET", "/models/components/nowhere")));
});

it("opens a page by its name", async () => {
  expect((await as("GET", "/data/pages/home/home")).status).toBe(200);
  expect((await as("PUT", "/data/pages/home/home", { title: "Hello" })).status).toBe(200);
});

it("leaves ids of records outside, and does not expand them", async () => {
  const one = await as("GET", `/data/collections/articles/${article}?populate=author,others.secret,cover`);
  expect(one.data).toMatchObject({ author, others: [author], cover: { id: picture } });
  const list = await as("GET", "/data/collections/articles?populate=author&selectFields=author");
  expect(list.data).toEqual([{ id: article, author }]);
});

it("refuses filters through a relation to records outside, as through one to what has no records", async () => {
  const { status, error } = await as("GET", "/data/collections/articles?filter[author.name][eq]=Ada");
  expect(status).toBe(400);
  expect(error.message).not.toContain("Ada");
  const own = await as("GET", `/data/collections/articles?filter[author][eq]=${author}`);
  expect(own.data).toHaveLength(1);
});

describe("a relation to a model outside", () => {
  it("may be sent back as it is", async () => {
    const sent = { title: "On light again", author, others: [author] };
    expect((await as("PUT", `/data/collections/articles/${article}`, sent)).status).toBe(200);
  });

  it("may not be given another target, as if that did not exist", async () => {
    const nowhere = author.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    const faults = async (body: object) => {
      const { status, error } = await as("PUT", `/data/collections/articles/${article}`, body);
      return [status, error.code, error.details?.map(({ message }) => message.replace(/^"[^"]*"/, ""))];
    };
    expect(await faults({ author: other })).toEqual(await faults({ author: nowhere }));
    expect((await faults({ others: [author, other] }))[0]).toBe(400);
    expect((await as("POST", "/data/collections/articles", { author })).status).toBe(400);
    const operations = [{ op: "update", id: article, data: { author: other } }];
    expect((await as("POST", "/data/collections/articles/bulk", { operations })).status).toBe(400);
  });

  it("may be cleared", async () => {
    const made = await client.create("articles", { author, others: [author, other] });
    const cleared = await as("PUT", `/data/collections/articles/${made}`, { author: null, others: [other] });
    expect(cleared.data).toMatchObject({ author: null, others: [other] });
    const back = await as("POST", `/data/collections/articles/${made}/versions/1/restore`);
    expect(back.status).toBe(400);
    const dropped = await as(
      "POST",
      `/data/collections/articles/${made}/versions/1/restore?dropMissing=true`,
    );
    expect(dropped.data).toMatchObject({ author: null, others: [other] });
  });
});

it("counts references from outside without naming them", async () => {
  const listed = await as("GET", `/data/collections/articles/${article}/references`);
  expect(listed.data).toEqual([]);
  expect((await as("GET", `/media/${picture}/references`)).data).toMatchObject([{ model: "articles" }]);
  const refused = await as("DELETE", `/data/collections/articles/${article}?ifUnreferenced=true`);
  expect([refused.status, refused.error.details ?? []]).toEqual([409, []]);
  expect((await client.call("GET", `/data/collections/articles/${article}/references`)).data).toMatchObject([
    { model: "notes", id: note },
  ]);
});

it("shows the trash of models inside", async () => {
  const [mine, hidden] = [await client.create("articles", {}), await client.create("notes", {})];
  await client.call("DELETE", `/data/collections/articles/${mine}`);
  await client.call("DELETE", `/data/collections/notes/${hidden}`);
  const listed = (await as("GET", "/trash")).data as unknown as { id: string }[];
  expect(listed.map(({ id }) => id)).toEqual([mine]);
  for (const [method, path] of [
    ["GET", ""],
    ["POST", "/restore"],
  ] as const) {
    const reply = await as(method, `/trash/${hidden}${path}`);
    expect(comparable(reply)).toEqual(comparable(await as(method, `/trash/${picture}${path}`)));
    expect(reply.status).toBe(404);
  }
  expect((await as("POST", `/trash/${mine}/restore`)).status).toBe(200);
});

it("counts the records inside", async () => {
  const whole = (await client.call("GET", "/usage")).data;
  const inside = (await as("GET", "/usage")).data as {
    records: { active: number };
    media: { active: number };
  };
  const { data } = await as("GET", "/data/collections/articles");
  expect(inside.records).toEqual({ active: (data as unknown as unknown[]).length + 1, trashed: 0 });
  expect(inside.media).toEqual((whole as { media: object }).media);
});

describe("media", () => {
  const paths = (): [string, string, unknown?][] => [
    ["GET", "/media"],
    ["GET", `/media/${picture}`],
    ["PATCH", `/media/${picture}`, { alt: "x" }],
    ["DELETE", `/media/${picture}`],
    ["GET", `/media/${picture}/references`],
    ["GET", `/media/${picture}/variants`],
    ["POST", "/media/uploads", { filename: "a.png", sizeBytes: 1 }],
    ["GET", "/activity"],
    ["GET", "/origins"],
  ];

  it("are 404 with none, and their ids stay", async () => {
    const none = await scopedKey({ media: "none" });
    for (const [method, path, body] of paths()) {
      expect([path, (await as(method, path, body, { key: none })).status]).toEqual([path, 404]);
    }
    const read = `/data/collections/articles/${article}?populate=cover`;
    expect((await as("GET", read, undefined, { key: none })).data).toMatchObject({ cover: picture });
    const moved = (await makeMedia(client.space)).id;
    const put = (cover: string) =>
      as("PUT", `/data/collections/articles/${article}`, { cover }, { key: none });
    expect((await put(moved)).status).toBe(400);
    expect((await put(picture)).status).toBe(200);
    const usage = (await as("GET", "/usage", undefined, { key: none })).data;
    expect(usage).toMatchObject({ media: { active: 0, trashed: 0 }, storage: { masterBytes: 0 } });
  });

  it("are only read with read", async () => {
    const read = await scopedKey({ media: "read" });
    for (const [method, path, body] of paths()) {
      const reply = await as(method, path, body, { key: read });
      expect([path, method, reply.status]).toEqual([path, method, method === "GET" ? 200 : 403]);
    }
  });
});

describe("publish: false", () => {
  let draftsOnly: string;
  beforeAll(async () => {
    await client.call("POST", "/models", {
      typeModel: "collections",
      name: "posts",
      drafts: true,
      fields: [{ name: "title", type: "string" }],
    });
    draftsOnly = await scopedKey({ publish: false });
  });

  it("writes drafts and publishes nothing", async () => {
    const options = { key: draftsOnly };
    const made = await as("POST", "/data/collections/posts", { title: "a" }, options);
    expect(made.status).toBe(201);
    const path = `/data/collections/posts/${String(made.data["id"])}`;
    expect((await as("PUT", path, { title: "b" }, options)).status).toBe(200);
    expect((await as("POST", `${path}/publish`, undefined, options)).status).toBe(403);
    const later = { at: new Date(Date.now() + 60_000).toISOString() };
    expect((await as("POST", `${path}/publish`, later, options)).status).toBe(403);
    const operations = [{ op: "publish", id: made.data["id"] }];
    expect((await as("POST", "/data/collections/posts/bulk", { operations }, options)).status).toBe(403);
    expect((await client.call("POST", `${path}/publish`)).status).toBe(200);
    expect((await as("POST", `${path}/unpublish`, undefined, options)).status).toBe(403);
    expect((await as("DELETE", path, undefined, options)).status).toBe(403);
    expect((await as("PUT", path, { title: "c" }, options)).status).toBe(200);
    expect((await client.call("POST", `${path}/unpublish`)).status).toBe(200);
    expect((await as("DELETE", path, undefined, options)).status).toBe(200);
  });

  it("writes nothing where a write is seen at once", async () => {
    const path = `/data/collections/articles/${article}`;
    expect((await as("PUT", path, { title: "seen" }, { key: draftsOnly })).status).toBe(403);
    expect((await as("DELETE", path, undefined, { key: draftsOnly })).status).toBe(403);
    expect((await as("POST", "/data/collections/articles", {}, { key: draftsOnly })).status).toBe(403);
  });
});

describe("keys", () => {
  it("say their scopes and their end", async () => {
    const scopes = { models: ["articles"], locales: ["de-AT"], media: "read", publish: false };
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const input = { name: "k", role: "write", scopes: { ...scopes, locales: ["DE-at"] }, expiresAt };
    const made = await client.call("POST", "/keys", input);
    expect(made.data).toMatchObject({ scopes, expiresAt });
    const self = await as("GET", "/keys/self", undefined, { key: String(made.data["key"]) });
    expect(self.data).toMatchObject({ id: made.data["id"], scopes, expiresAt });
    expect((await client.call("GET", "/keys")).data).toContainEqual(
      expect.objectContaining({ scopes, expiresAt }),
    );
  });

  it("have scopes or the role admin, not both, and end in time to come", async () => {
    for (const [body, path] of [
      [{ role: "admin", scopes: {} }, "scopes"],
      [{ role: "write", scopes: { models: ["No name"] } }, "scopes.models.0"],
      [{ role: "write", scopes: { locales: ["all"] } }, "scopes.locales.0"],
      [{ role: "write", scopes: { other: 1 } }, "scopes.other"],
      [{ role: "write", expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
      [{ role: "write", expiresAt: "soon" }, "expiresAt"],
    ] as const) {
      const { status, error } = await client.call("POST", "/keys", { name: "k", ...body });
      expect([status, error.details?.map((one) => one.path)]).toEqual([400, [path]]);
    }
  });

  it("end by themselves", async () => {
    moveClock(0);
    const expiresAt = new Date(Date.now() + 1000).toISOString();
    const made = await client.call("POST", "/keys", { name: "k", role: "read", expiresAt });
    const own = { key: String(made.data["key"]) };
    expect((await as("GET", "/data/collections/articles", undefined, own)).status).toBe(200);
    moveClock(1000);
    for (const path of ["/data/collections/articles", "/media", "/keys/self"]) {
      expect([path, (await as("GET", path, undefined, own)).status]).toEqual([path, 401]);
    }
  });

  it("make no keys that outlive them", async () => {
    const end = Date.now() + 3_600_000;
    const until = (time: number) => new Date(time).toISOString();
    const made = await client.call("POST", "/keys", { name: "k", role: "admin", expiresAt: until(end) });
    const own = { key: String(made.data["key"]) };
    const make = (expiresAt?: string) => as("POST", "/keys", { name: "x", role: "admin", expiresAt }, own);
    expect((await make()).status).toBe(403);
    expect((await make(until(end + 1000))).status).toBe(403);
    expect((await make(until(end))).status).toBe(201);
  });
});
