/** Calls of the API for tests, with short signatures. */
import { randomUUID } from "node:crypto";
import type { Service } from "./service.ts";

export interface MediaObject {
  id: string;
  url: string;
  filename: string;
  mime: string;
  size: number;
  width: number;
  height: number;
  frames: number | null;
  masterVersion: number;
  focalPoint: { x: number; y: number } | null;
  focalPointSuggested: { x: number; y: number } | null;
  placeholder: { thumbHash: string; dominantColor: string } | null;
  formats?: Record<string, { url: string; width: number; height: number }>;
}

export interface Space {
  name: string;
  id: string;
  key: string;
  api: string;
}

export const bearer = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` });

export async function json<T>(response: Response): Promise<T> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${response.url}: ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** Makes a space with an admin key. Nothing is built ahead in it, so that only requests of the test cause builds. */
export async function newSpace(
  service: Pick<Service, "base" | "rootToken">,
  { name = `t${randomUUID().slice(-10)}`, ...more }: { name?: string; [setting: string]: unknown } = {},
): Promise<Space> {
  const headers = { ...bearer(service.rootToken), "Content-Type": "application/json" };
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${service.base}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const { id } = await json<{ id: string }>(await post("/spaces", { name, ...more }));
  const { key } = await json<{ key: string }>(await post(`/${name}/keys`, { name: "test", role: "admin" }));
  const settings = { method: "PATCH", headers, body: JSON.stringify({ prebuild: "none" }) };
  await json(await fetch(`${service.base}/api/v1/${name}/settings`, settings));
  return { name, id, key, api: `${service.base}/api/v1/${name}` };
}

export async function upload(space: Space, file: Uint8Array, name = "picture"): Promise<MediaObject> {
  const headers = { ...bearer(space.key), "X-Filename": encodeURIComponent(name) };
  const body = new Uint8Array(file);
  return json(await fetch(`${space.api}/media`, { method: "POST", headers, body }));
}

export interface Picture {
  status: number;
  location: string;
  width: number;
  state: string | null;
  cacheControl: string | null;
  vary: string | null;
}

/** Makes one image request without following redirects. `from` is the client's address. */
export async function picture(
  space: Space,
  id: string,
  query: string,
  options: { accept?: string; from?: string } = {},
): Promise<Picture> {
  const target = `${space.api}/pictures/${id}?${query}`;
  const response = await fetch(target, {
    redirect: "manual",
    headers: {
      ...(options.accept !== undefined && { Accept: options.accept }),
      ...(options.from !== undefined && { "CF-Connecting-IP": options.from }),
    },
  });
  await response.body?.cancel();
  const location = response.headers.get("Location");
  return {
    status: response.status,
    // The redirect is a path. It is made absolute, so that tests can fetch it and compare it with a media object's url.
    location: location === null ? "" : new URL(location, target).href,
    width: Number(response.headers.get("X-Service-Width")),
    state: response.headers.get("X-Service-Transform"),
    cacheControl: response.headers.get("Cache-Control"),
    vary: response.headers.get("Vary"),
  };
}

const POLL_MS = 50;
const PATIENCE_MS = 300_000;

/** Repeats a request until its variant is there. @throws Error when the variant is unavailable */
export async function variantOf(
  space: Space,
  id: string,
  query: string,
  options: { accept?: string; from?: string } = {},
): Promise<{ bytes: Buffer; type: string; location: string; width: number }> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    const { status, state, location, width } = await picture(space, id, query, options);
    if (status !== 302) throw new Error(`${query} answered ${status}`);
    if (state === "hit" || state === "built" || (state === "coalesced" && location.includes("/v/"))) {
      const response = await fetch(location);
      if (!response.ok) throw new Error(`${location} answered ${response.status}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      return { bytes, type: response.headers.get("Content-Type") ?? "", location, width };
    }
    if (state !== "queued" && state !== "coalesced") throw new Error(`${query} is ${state}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${query} was not built in time`);
}
