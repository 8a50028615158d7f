/** A space with something of everything that an export has. */
import { Client } from "./api.ts";
import { request, upload } from "./exchange.ts";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="5" height="5"/></svg>`;

async function ok(reply: Promise<{ status: number; error?: unknown }>): Promise<void> {
  const { status, error } = await reply;
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(error)}`);
}

const put = (client: Client, path: string, body: object): Promise<void> => ok(client.call("PUT", path, body));
const post = (client: Client, path: string, body: object = {}): Promise<void> =>
  ok(client.call("POST", path, body));

/** Makes a space with locales, components, rich text, drafts, schedules, histories, pages, media and a trash. */
export async function makeVaried(): Promise<Client> {
  const client = await Client.make();
  await ok(
    client.call("PATCH", "/settings", {
      locales: [{ code: "en" }, { code: "de", fallback: "en" }, { code: "fr" }],
      aspectRatios: ["1:1", "3:2"],
      quality: 90,
      suggestFocalPoint: true,
    }),
  );
  const media = [await upload(client, 100, "one.gif"), await upload(client, 200, "two ü.gif")];
  const drawing = await request(client, "POST", "/media", {
    body: SVG,
    headers: { "Content-Type": "image/svg+xml", "X-Filename": "drawing.svg" },
  });
  media.push((await drawing.json<{ data: { id: string } }>()).data.id);
  const gone = await upload(client, 300, "gone.gif");
  await ok(client.call("PATCH", `/media/${media[0]}`, { alt: "A dot", focalPoint: { x: 0.25, y: 0.75 } }));
  await ok(client.call("PATCH", `/media/${media[0]}?locale=de`, { alt: "Ein Punkt" }));
  await request(client, "PUT", `/media/${media[1]}/file`, {
    body: await (await request(client, "GET", `/export/masters/${gone}/1`)).arrayBuffer(),
    headers: { "Content-Type": "image/gif" },
  });
  await ok(client.call("DELETE", `/media/${gone}`));

  await client.model(
    "cta",
    [
      { name: "label", type: "string", required: true },
      { name: "icon", type: "media" },
    ],
    "components",
  );
  await client.model(
    "section",
    [
      { name: "title", type: "string" },
      { name: "cta", type: "component", component: "cta" },
    ],
    "components",
  );
  await client.model("authors", [
    { name: "name", type: "string", required: true, unique: true, searchable: true },
  ]);
  await post(client, "/models", {
    typeModel: "collections",
    name: "articles",
    drafts: true,
    public: true,
    titleField: "title",
    previewUrl: "https://www.example.com/{slug}?token={token}&lang={locale}",
    fields: [
      { name: "title", type: "string", localized: true, searchable: true, required: true },
      { name: "slug", type: "string", unique: true },
      { name: "n", type: "number", default: 3 },
      { name: "data", type: "json" },
      { name: "cover", type: "media" },
      { name: "author", type: "relation", to: "authors" },
      { name: "related", type: "relation", to: "articles", multiple: true },
      { name: "sections", type: "blocks", components: ["section", "cta"] },
      { name: "body", type: "richtext", localized: true, image: true, components: ["cta"] },
      { name: "at", type: "datetime" },
    ],
  });
  await client.model("front", [{ name: "headline", type: "string", default: "Hello" }], "pages");
  await client.model("quiet", [{ name: "text", type: "text" }], "pages");

  const authors = [
    await client.create("authors", { name: "Ada" }),
    await client.create("authors", { name: "Grace" }),
    await client.create("authors", { name: "Öde" }),
  ];
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) {
    ids.push(
      await client.create("articles", {
        title: `Title ${n} 😀`,
        slug: `slug-${n}`,
        n: n / 3,
        data: { n, deep: [null, true, { "a b": "ü" }] },
        cover: media[n % 2],
        author: authors[n % 2],
        related: ids.slice(-2),
        sections: [
          { _type: "section", title: "S", cta: { label: "Go", icon: media[2] } },
          { _type: "cta", label: `Buy ${n}` },
        ],
        body: [
          { _type: "block", children: [{ _type: "span", text: `Words ${n}`, marks: ["strong"] }] },
          { _type: "image", media: media[0], alt: "Alt" },
        ],
        at: "2026-03-01T10:00:00Z",
      }),
    );
  }
  const path = (n: number): string => `/data/collections/articles/${ids[n]}`;
  await put(client, `${path(0)}?locale=de`, { title: "Titel 0", body: null });
  await put(client, `${path(0)}?locale=fr`, { title: "Titre 0" });
  await post(client, `${path(0)}/publish`, {});
  await put(client, `${path(0)}?locale=de`, { title: "Titel 0, neu" });
  await put(client, path(0), { n: 100 });
  await post(client, `${path(1)}/publish`, {});
  await post(client, `${path(1)}/unpublish`, {});
  for (let n = 0; n < 4; n++) await put(client, path(2), { title: `Edit ${n}`, slug: `edit-${n}` });
  await post(client, `${path(2)}/publish`, {});
  await post(client, `${path(3)}/publish`, { at: new Date(Date.now() + 86_400_000).toISOString() });
  await post(client, `${path(4)}/publish`, {});
  await ok(client.call("DELETE", path(4)));
  await ok(client.call("DELETE", `/data/collections/authors/${authors[2]}`));
  await put(client, "/data/pages/front/front", { headline: "Edited" });
  await put(client, "/data/pages/front/front", { headline: "Edited twice" });
  await ok(client.call("DELETE", "/data/pages/front/front"));
  await put(client, "/data/pages/front/front", { headline: "Third" });
  // A locale that is removed, whose values are kept.
  await put(client, `${path(5)}?locale=fr`, { title: "Titre 5" });
  await ok(
    client.call("PATCH", "/settings", {
      locales: [{ code: "en" }, { code: "de", fallback: "en" }],
      dropLocales: ["fr"],
    }),
  );
  return client;
}
