/** The demo: a space with the content of a small site and a picture of each kind, for the first start. */
import { PAGES, RECORDS } from "./demo-content.ts";
import { DRAWINGS, type Drawing } from "./demo-drawings.ts";
import { LOCALES, MODELS } from "./demo-models.ts";

export const DEMO_SPACE = "demo";

interface Media {
  id: string;
  filename: string;
}

type Call = <T>(
  method: string,
  path: string,
  body?: object | Blob,
  headers?: HeadersInit,
) => Promise<T | null>;

/** Makes a function that calls the API. It returns null for a conflict, because the thing exists already. */
const callerOf =
  (base: string, rootToken: string): Call =>
  async <T>(
    method: string,
    path: string,
    body?: object | Blob,
    more: HeadersInit = {},
  ): Promise<T | null> => {
    const headers = new Headers(more);
    headers.set("Authorization", `Bearer ${rootToken}`);
    if (body && !(body instanceof Blob)) headers.set("Content-Type", "application/json");
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers,
      ...(body && { body: body instanceof Blob ? body : JSON.stringify(body) }),
    });
    if (response.ok) return ((await response.json()) as { data: T }).data;
    const text = await response.text();
    if (response.status === 409) return null;
    throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  };

async function upload(call: Call, { filename, alt, focalPoint, draw }: Drawing): Promise<Media> {
  const headers = {
    "X-Filename": encodeURIComponent(filename),
    ...(focalPoint && { "X-Focal-Point": `${focalPoint.x},${focalPoint.y}` }),
  };
  const media = await call<Media>("POST", `/${DEMO_SPACE}/media`, await draw(), headers);
  if (!media) throw new Error(`${filename} was not taken`);
  await call("PATCH", `/${DEMO_SPACE}/media/${media.id}`, { alt });
  return media;
}

/** Returns the ids of the pictures by file name. Missing ones are drawn and uploaded one after the other. */
async function ensurePictures(call: Call): Promise<Map<string, string>> {
  const known = (await call<Media[]>("GET", `/${DEMO_SPACE}/media?limit=100`)) ?? [];
  const names = new Map(known.map(({ filename, id }) => [filename, id]));
  for (const drawing of DRAWINGS) {
    if (names.has(drawing.filename)) continue;
    names.set(drawing.filename, (await upload(call, drawing)).id);
  }
  return names;
}

/** The query of the demo's second language. */
const IN_GERMAN = "?locale=de";

/** Writes the content only once, so that later changes and deletions are kept. */
async function writeContent(call: Call, names: Map<string, string>): Promise<void> {
  await call("PATCH", `/${DEMO_SPACE}/settings`, { locales: LOCALES });
  for (const model of MODELS) await call("POST", `/${DEMO_SPACE}/models`, model);
  const withDrafts = new Set(MODELS.filter(({ drafts }) => drafts).map(({ name }) => name));
  for (const { model, word, values, german } of RECORDS) {
    const records = `/${DEMO_SPACE}/data/collections/${model}`;
    const record = await call<{ id: string }>("POST", records, values(names));
    if (!record) continue;
    if (word) names.set(word, record.id);
    if (german) await call("PUT", `${records}/${record.id}${IN_GERMAN}`, german(names));
    if (withDrafts.has(model)) await call("POST", `${records}/${record.id}/publish`);
  }
  for (const [name, { values, german }] of Object.entries(PAGES)) {
    const page = `/${DEMO_SPACE}/data/pages/${name}/${name}`;
    await call("PUT", page, values(names));
    await call("PUT", `${page}${IN_GERMAN}`, german(names));
  }
}

/** Makes the demo space and its content unless they exist. @returns the URL of a picture, 1000 pixels wide */
export async function ensureDemo(base: string, rootToken: string): Promise<string> {
  const call = callerOf(base, rootToken);
  await call("POST", "/spaces", { name: DEMO_SPACE });
  const models = (await call<object[]>("GET", `/${DEMO_SPACE}/models?limit=1`)) ?? [];
  const media = (await call<Media[]>("GET", `/${DEMO_SPACE}/media?limit=1`)) ?? [];
  if (models.length === 0) {
    const names = await ensurePictures(call);
    await writeContent(call, names);
    return pictureUrl(base, names.get(DRAWINGS[0]?.filename ?? ""));
  }
  return pictureUrl(base, media[0]?.id);
}

const pictureUrl = (base: string, id: string | undefined): string =>
  `${base}/api/v1/${DEMO_SPACE}/pictures/${id}?w=1000&auto=format`;
