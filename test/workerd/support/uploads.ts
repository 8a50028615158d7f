/** Uploads in parts as a client makes them, and files for them. */
import { PARTED_UPLOAD } from "../../../src/limits.ts";
import { Client, type Reply } from "./api.ts";
import { request } from "./http.ts";
import { bindings } from "./rows.ts";

const { partBytes } = PARTED_UPLOAD;

/**
 * Returns a GIF of one pixel with `bytes` bytes in all: those after its end belong to no picture. `fill` tells files
 * apart.
 */
export function gifOf(bytes: number, fill = 0): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(bytes).fill(fill);
  file.set(
    Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (character) =>
      character.charCodeAt(0),
    ),
  );
  return file;
}

/** Returns part `n` of a file, from 1. */
export const partOf = (file: Uint8Array<ArrayBuffer>, n: number): Uint8Array<ArrayBuffer> =>
  file.slice((n - 1) * partBytes, n * partBytes);

export interface Begun {
  id: string;
  filename: string;
  sizeBytes: number;
  partBytes: number;
  parts: number;
  received: number[];
  mediaId: string | null;
  expiresAt: string;
}

export interface MediaAnswer {
  id: string;
  url: string;
  filename: string;
  alt: string;
  focalPoint: { x: number; y: number } | null;
  size: number;
  masterVersion: number;
}

export class Uploader extends Client {
  static override async make(): Promise<Uploader> {
    return new Uploader((await Client.make()).space);
  }

  begin(sizeBytes: number, more: object = {}): Promise<Reply<Begun>> {
    return this.call<Begun>("POST", "/media/uploads", { filename: "dot.gif", sizeBytes, ...more });
  }

  read(id: string): Promise<Reply<Begun>> {
    return this.call<Begun>("GET", `/media/uploads/${id}`);
  }

  async put(id: string, n: number | string, body: BodyInit | null, init: RequestInit = {}): Promise<Reply> {
    const response = await request(`/api/v1/${this.space.name}/media/uploads/${id}/parts/${n}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${bindings.ROOT_TOKEN}` },
      body,
      ...init,
    });
    return {
      status: response.status,
      headers: response.headers,
      ...(await response.json<object>()),
    } as Reply;
  }

  /** Begins an upload and sends all of its parts. */
  async sent(file: Uint8Array<ArrayBuffer>, more: object = {}): Promise<Begun> {
    const { data } = await this.begin(file.length, more);
    for (let n = 1; n <= data.parts; n++) await this.put(data.id, n, partOf(file, n));
    return data;
  }

  complete(id: string): Promise<Reply<MediaAnswer>> {
    return this.call<MediaAnswer>("POST", `/media/uploads/${id}/complete`);
  }
}

/** Returns the keys in the bucket that begin with `prefix`. */
export const keysIn = async (prefix: string): Promise<string[]> =>
  (await bindings.BUCKET.list({ prefix })).objects.map(({ key }) => key);

/** Compares without a diff of megabytes when it fails. */
export const areSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

/** Returns the bytes behind a media object's `url`. */
export async function masterOf({ url }: MediaAnswer): Promise<Uint8Array> {
  return new Uint8Array(await (await request(new URL(url).pathname)).arrayBuffer());
}
