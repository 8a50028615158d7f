/** Fills a space by the API, as callers do: models, media, records by bulk, and what becomes of them. */
import sharp from "sharp";
import { bearer, json, upload, type Space } from "../../harness/api.ts";
import { forEach } from "../../harness/at-once.ts";

const BULK = 100;
/** Every how many records something is done to one. */
const EVERY = { published: 2, updated: 5, otherLanguage: 3, trashed: 50 } as const;

type Operation = Record<string, unknown>;

/** Sends a request with JSON. @throws Error for an answer of 400 and above */
const send = async <T>(space: Space, method: string, path: string, body?: object): Promise<T> =>
  json<T>(
    await fetch(`${space.api}${path}`, {
      method,
      headers: { ...bearer(space.key), "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );

/** Sends operations in pieces, in their order within a piece. @returns the ids of the records */
async function bulk(space: Space, path: string, operations: readonly Operation[]): Promise<string[]> {
  const pieces = Array.from({ length: Math.ceil(operations.length / BULK) }, (_, index) =>
    operations.slice(index * BULK, (index + 1) * BULK),
  );
  const ids: string[][] = [];
  await forEach(pieces.length, async (index) => {
    const done = await send<{ id: string }[]>(space, "POST", path, { operations: pieces[index] });
    ids[index] = done.map(({ id }) => id);
  });
  return ids.flat();
}

/** Draws a small picture that no other number has. */
const picture = (n: number): Promise<Buffer> =>
  sharp({
    create: {
      width: 16 + (n % 32),
      height: 16 + (Math.floor(n / 32) % 32),
      channels: 3,
      background: { r: n % 256, g: Math.floor(n / 7) % 256, b: Math.floor(n / 256) % 256 },
    },
  })
    .png()
    .toBuffer();

async function makeModels(space: Space): Promise<void> {
  await send(space, "PATCH", "/settings", { locales: [{ code: "en" }, { code: "de", fallback: "en" }] });
  const models = [
    { typeModel: "components", name: "button", fields: [{ name: "label", type: "string" }] },
    {
      typeModel: "collections",
      name: "notes",
      fields: [
        { name: "title", type: "string", required: true, searchable: true },
        { name: "n", type: "number" },
        { name: "code", type: "string", unique: true },
        { name: "data", type: "json" },
        { name: "picture", type: "media" },
      ],
    },
    {
      typeModel: "collections",
      name: "articles",
      drafts: true,
      titleField: "title",
      fields: [
        { name: "title", type: "string", required: true, localized: true, searchable: true },
        { name: "body", type: "richtext", localized: true, image: true, components: ["button"] },
        { name: "note", type: "relation", to: "notes" },
        { name: "covers", type: "media", multiple: true },
        { name: "at", type: "datetime" },
      ],
    },
    { typeModel: "pages", name: "home", fields: [{ name: "headline", type: "string" }] },
  ];
  for (const model of models) await send(space, "POST", "/models", model);
  await send(space, "PUT", "/data/pages/home/home", { headline: "Hello" });
  const webhook = { url: "https://hooks.example.com/build", events: ["*"] };
  const { id } = await send<{ id: string }>(space, "POST", "/webhooks", webhook);
  await send(space, "PATCH", `/webhooks/${id}`, { enabled: false });
}

async function makeMedia(space: Space, count: number): Promise<string[]> {
  const ids: string[] = [];
  await forEach(count, async (n) => {
    const { id } = await upload(space, await picture(n), `picture ${n}.png`);
    ids[n] = id;
  });
  for (const id of ids.filter((_, n) => n % EVERY.trashed === 1)) await send(space, "DELETE", `/media/${id}`);
  return ids.filter((_, n) => n % EVERY.trashed !== 1);
}

/** Returns a rich text of some 600 characters. */
const bodyOf = (n: number, media: string): object[] => [
  {
    _type: "block",
    style: "h2",
    children: [{ _type: "span", text: `Chapter ${n} – „Überschrift“ 😀`, marks: [] }],
  },
  {
    _type: "block",
    children: [
      { _type: "span", text: `Words of article ${n}. `.repeat(1 + (n % 20)), marks: ["strong"] },
      { _type: "span", text: "And plain ones.", marks: [] },
    ],
  },
  ...(n % 3 === 0 ? [{ _type: "image", media, alt: `Picture of ${n}` }] : []),
  ...(n % 4 === 0 ? [{ _type: "button", label: `More of ${n}` }] : []),
];

/**
 * Makes records: three of five without drafts, the others with drafts, languages, rich text, relations and pictures. Some
 * are published, changed later, or trashed.
 */
export async function fill(space: Space, records: number, mediaCount: number): Promise<void> {
  await makeModels(space);
  const media = await makeMedia(space, mediaCount);
  const mediaOf = (n: number): string => media[n % media.length] ?? "";
  const notePath = "/data/collections/notes/bulk";
  const notes = await bulk(
    space,
    notePath,
    Array.from({ length: Math.round(records * 0.6) }, (_, n) => ({
      op: "create",
      data: {
        title: `Note ${n}`,
        n: n / 3,
        code: `code-${n}`,
        data: { n, deep: [null, true, { "a b": "ü" }] },
        picture: n % 4 === 0 ? mediaOf(n) : null,
      },
    })),
  );
  const path = "/data/collections/articles/bulk";
  const articles = await bulk(
    space,
    path,
    Array.from({ length: records - notes.length }, (_, n) => ({
      op: "create",
      data: {
        title: `Title ${n}`,
        body: bodyOf(n, mediaOf(n)),
        note: notes[n] ?? null,
        covers: [mediaOf(n), mediaOf(n + 1)],
        at: "2026-03-01T10:00:00Z",
      },
    })),
  );
  const some = (ids: readonly string[], every: number): string[] => ids.filter((_, n) => n % every === 0);
  const on = (ids: readonly string[], of: (id: string, n: number) => Operation): Operation[] => ids.map(of);
  await bulk(
    space,
    `${path}?locale=de`,
    on(some(articles, EVERY.otherLanguage), (id, n) => ({
      op: "update",
      id,
      data: { title: `Titel ${n}`, body: bodyOf(n, mediaOf(n)) },
    })),
  );
  await bulk(
    space,
    path,
    on(some(articles, EVERY.published), (id) => ({ op: "publish", id })),
  );
  await bulk(
    space,
    path,
    on(some(articles, EVERY.updated), (id, n) => ({ op: "update", id, data: { title: `Edited ${n}` } })),
  );
  const later = notes.filter((_, n) => n % EVERY.updated === 3);
  await bulk(
    space,
    notePath,
    on(later, (id, n) => ({ op: "update", id, data: { title: `Edited ${n}` } })),
  );
  await bulk(
    space,
    path,
    on(some(articles, EVERY.trashed), (id) => ({ op: "delete", id })),
  );
}
