/**
 * A typed client of one space. `api` calls any route of the API, with types generated from the API document.
 * `collection` and `page` read and write records, with types that `silverprint types` generates from the space's models.
 */
import createFetch, { type Client } from "openapi-fetch";
import { bodyOf } from "./error.ts";
import type {
  ClientOptions,
  Collection,
  Done,
  Entries,
  IfMatch,
  InLocale,
  OfLocales,
  Keyed,
  Planned,
  SinglePage,
  SpaceClient,
} from "./interface.ts";
import type { AnySpace, RecordOf, SpaceTypes } from "./models.ts";
import { jsonOf } from "./json.ts";
import { modelOf, partOf, versionOf } from "./path.ts";
import { serializeQuery, timeOf } from "./query.ts";
import type { paths } from "./schema.ts";
import { uploadInParts, type SendUpload } from "./upload.ts";

export { SilverprintError } from "./error.ts";
export type * from "./interface.ts";
export type {
  AnySpace,
  InAllLocales,
  Localization,
  Media,
  ModelTypes,
  Publication,
  RecordOf,
} from "./models.ts";
export type { components, paths } from "./schema.ts";

interface Sent {
  query?: object | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

type Send = <T>(method: string, path: string, sent?: Sent) => Promise<T>;

const headersOf = ({ ifMatch, idempotencyKey }: IfMatch & Keyed): Record<string, string> => ({
  ...(ifMatch !== undefined && { "If-Match": `"${versionOf(ifMatch)}"` }),
  ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
});

/** Returns the body of a publication: now without a time, never with null. */
function planOf(time: Planned["at"]): object {
  if (time === undefined) return {};
  if (time === null || typeof time === "string") return { at: time };
  if (time instanceof Date) return { at: timeOf("at", time) };
  throw new TypeError("`at` must be a Date, a text or null.");
}

/** Returns the query that names a locale; none without one. */
const inLocale = ({ locale }: InLocale): { query?: object } =>
  locale === undefined ? {} : { query: { locale } };

const ofLocales = ({ locales }: OfLocales): object => (locales === undefined ? {} : { locales });

/** Returns the operations on one record by id, which collections and pages share. */
function entries<Space extends SpaceTypes, Model>(send: Send, path: string): Entries<Space, Model> {
  const at = (id: string): string => `${path}/${partOf("The id", id)}`;
  const step = <T>(path: string, { at: time, ...options }: Planned): Promise<T> =>
    send("POST", path, {
      body: { ...planOf(time), ...ofLocales(options) },
      headers: headersOf(options),
      ...inLocale(options),
    });
  const data = async <T>(answer: Promise<{ data: T }>): Promise<T> => (await answer).data;
  return {
    get: (id, view = {}) => data(send("GET", at(id), { query: view })),
    update: (id, values, options = {}) =>
      data(send("PUT", at(id), { body: values, headers: headersOf(options), ...inLocale(options) })),
    delete: (id, options = {}) => data(send("DELETE", at(id), { headers: headersOf(options) })),
    publish: (id, options = {}) => data(step(`${at(id)}/publish`, options)),
    unpublish: (id, options = {}) => data(step(`${at(id)}/unpublish`, options)),
    versions: (id, page = {}) => send("GET", `${at(id)}/versions`, { query: page }),
    version: (id, version) => data(send("GET", `${at(id)}/versions/${versionOf(version)}`)),
    restore: (id, version, { dropMissing, ...options } = {}) => {
      const { locale, locales } = options;
      const sent = {
        query: { dropMissing, locale },
        headers: headersOf(options),
        ...(locales !== undefined && { body: { locales } }),
      };
      return data(send("POST", `${at(id)}/versions/${versionOf(version)}/restore`, sent));
    },
  };
}

function collectionOf<Space extends SpaceTypes, Model>(send: Send, path: string): Collection<Space, Model> {
  const list: Collection<Space, Model>["list"] = (options = {}) => send("GET", path, { query: options });
  return {
    ...entries<Space, Model>(send, path),
    list,
    async *all(options = {}) {
      for (let cursor = options.cursor ?? null, first = true; first || cursor !== null; first = false) {
        const page = await list({ ...options, ...(cursor !== null && { cursor }) });
        yield* page.data;
        cursor = page.meta.nextCursor;
      }
    },
    create: async (values, options = {}) => {
      const sent = { body: values, headers: headersOf(options), ...inLocale(options) };
      return (await send<{ data: RecordOf<Space, Model> }>("POST", path, sent)).data;
    },
    bulk: async (operations, options = {}) => {
      const sent = operations.map(({ ifMatch, ...one }) => ({
        ...one,
        ...(ifMatch !== undefined && { ifMatch: `"${versionOf(ifMatch)}"` }),
      }));
      const all = { body: { operations: sent }, headers: headersOf(options), ...inLocale(options) };
      return (await send<{ data: Done[] }>("POST", `${path}/bulk`, all)).data;
    },
  };
}

function pageOf<Space extends SpaceTypes, Model>(send: Send, name: string): SinglePage<Space, Model> {
  const entry = entries<Space, Model>(send, `pages/${name}`);
  return {
    get: (view = {}) => entry.get(name, view),
    update: (values, ifMatch = {}) => entry.update(name, values, ifMatch),
    reset: (ifMatch = {}) => entry.delete(name, ifMatch),
    publish: (options = {}) => entry.publish(name, options),
    unpublish: (options = {}) => entry.unpublish(name, options),
    versions: (page = {}) => entry.versions(name, page),
    version: (version) => entry.version(name, version),
    restore: (version, options = {}) => entry.restore(name, version, options),
  };
}

/**
 * Makes a client. Its calls throw SilverprintError when the service answers with 400 or above, or not as the service
 * does, and TypeError for what cannot be asked. Nothing that is asked for is left out without a word.
 */
export function createClient<Space extends SpaceTypes = AnySpace>(
  options: ClientOptions,
): SpaceClient<Space> {
  const { baseUrl, space, key } = options;
  const base = baseUrl.replace(/\/+$/, "");
  const root = `${base}/api/v1/${partOf("The space", space)}`;
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: `Bearer ${key}` };
  const api: Client<paths> = createFetch<paths>({
    baseUrl: base,
    headers,
    querySerializer: (query) => serializeQuery(query).toString(),
    bodySerializer: (body: unknown) =>
      body instanceof Blob || body instanceof FormData ? body : jsonOf(body),
    ...(options.fetch && { fetch: options.fetch }),
  });

  const send: Send = async <T>(method: string, path: string, sent: Sent = {}): Promise<T> => {
    const url = new URL(`${root}/data/${path}`);
    url.search = serializeQuery(sent.query ?? {}).toString();
    const hasBody = sent.body !== undefined;
    const request = new Request(url, {
      method,
      headers: { ...headers, ...sent.headers, ...(hasBody && { "Content-Type": "application/json" }) },
      ...(hasBody && { body: jsonOf(sent.body) }),
    });
    return bodyOf<T>(await (options.fetch ?? fetch)(request));
  };
  const sendUpload: SendUpload = (method, path, body, signal) => {
    const type = body instanceof Blob ? "application/octet-stream" : "application/json";
    const request = new Request(`${root}/media/uploads${path}`, {
      method,
      headers: { ...headers, ...(body && { "Content-Type": type }) },
      ...(body && { body: body instanceof Blob ? body : jsonOf(body) }),
      ...(signal && { signal }),
    });
    return (options.fetch ?? fetch)(request);
  };

  return {
    api,
    collection: (name) => collectionOf(send, `collections/${modelOf(name)}`),
    page: (name) => pageOf(send, modelOf(name)),
    upload: (file, about) => uploadInParts(file, about, sendUpload),
  };
}
