/**
 * A typed client of one space. `api` speaks every route of the API, typed by the document it is generated from;
 * `collection` and `page` read and write records, typed by the models that `npm run types` wrote down.
 */
import createFetch, { type Client } from "openapi-fetch";
import type { AnySpace, Input, Name, Path, RecordOf, Selected, SpaceTypes } from "./models.ts";
import type { components, paths } from "./schema.ts";

export type { AnySpace, Media, ModelTypes, RecordOf } from "./models.ts";
export type { components, paths } from "./schema.ts";

export interface ClientOptions {
  /** `https://content.example.com` */
  baseUrl: string;
  space: string;
  key: string;
  fetch?: (request: Request) => Promise<Response>;
}

type ErrorBody = components["schemas"]["Error"]["error"];

/** What the service answered with 400 and above. */
export class SilverprintError extends Error {
  override readonly name = "SilverprintError";
  readonly status: number;
  readonly code: ErrorBody["code"] | "UNKNOWN";
  readonly details: ErrorBody["details"];

  constructor(status: number, error: Partial<ErrorBody>) {
    super(error.message ?? `The service answered ${status}.`);
    this.status = status;
    this.code = error.code ?? "UNKNOWN";
    this.details = error.details;
  }
}

interface View<N extends string, P extends string> {
  selectFields?: readonly N[];
  populate?: readonly P[];
}

type Operator = "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "contains" | "null";
type FilterValue = string | number | boolean | readonly (string | number)[];

export interface ListOptions<Names extends string, N extends string, P extends string> extends View<N, P> {
  limit?: number;
  cursor?: string;
  sort?: readonly (Names | `-${Names}`)[];
  filter?: { [Field in Names]?: { [O in Operator]?: FilterValue } };
}

export interface Page<Item> {
  data: Item[];
  meta: { nextCursor: string | null; limit: number };
}

export type Deleted = components["schemas"]["Deleted"];

/** `version` of a record that was read: a write goes through only when it is still that one. */
export interface IfMatch {
  ifMatch?: number;
}

interface Sent {
  query?: Query | undefined;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Absent values are left out. */
type Query = Record<string, string | number | undefined>;

type Send = <T>(method: string, path: string, sent?: Sent) => Promise<T>;

const joined = (names: readonly string[] | undefined): string | undefined => names?.join(",");

function queryOf(options: ListOptions<string, string, string>): Query {
  const { limit, cursor, sort, filter = {}, selectFields, populate } = options;
  const filters = Object.entries(filter).flatMap(([field, operators]) =>
    Object.entries(operators ?? {}).map(([operator, value]) => [
      `filter[${field}][${operator}]`,
      String(value),
    ]),
  );
  return {
    limit,
    cursor,
    sort: joined(sort),
    selectFields: joined(selectFields),
    populate: joined(populate),
    ...(Object.fromEntries(filters) as Record<string, string>),
  };
}

const matching = ({ ifMatch }: IfMatch): Record<string, string> =>
  ifMatch === undefined ? {} : { "If-Match": `"${ifMatch}"` };

/** One record by id: the four operations that collections and pages share. */
function entries<Space extends SpaceTypes, Model>(send: Send, path: string) {
  type Of<N extends string, P extends string> = Selected<RecordOf<Space, Model, P>, N>;
  const at = (id: string): string => `${path}/${encodeURIComponent(id)}`;
  return {
    get: async <const N extends Name<Model> = never, const P extends Path<Space, Model> = never>(
      id: string,
      view: View<N, P> = {},
    ): Promise<Of<N, P>> => (await send<{ data: Of<N, P> }>("GET", at(id), { query: queryOf(view) })).data,
    update: async (
      id: string,
      values: Partial<Input<Model>>,
      options: IfMatch = {},
    ): Promise<RecordOf<Space, Model>> =>
      (
        await send<{ data: RecordOf<Space, Model> }>("PUT", at(id), {
          body: values,
          headers: matching(options),
        })
      ).data,
    delete: async (id: string, options: IfMatch = {}): Promise<Deleted> =>
      (await send<{ data: Deleted }>("DELETE", at(id), { headers: matching(options) })).data,
  };
}

function collectionOf<Space extends SpaceTypes, Model>(send: Send, path: string) {
  type Of<N extends string, P extends string> = Selected<RecordOf<Space, Model, P>, N>;
  const list = <const N extends Name<Model> = never, const P extends Path<Space, Model> = never>(
    options: ListOptions<Name<Model>, N, P> = {},
  ): Promise<Page<Of<N, P>>> => send("GET", path, { query: queryOf(options as object) });
  return {
    ...entries<Space, Model>(send, path),
    list,
    /** Every record of the list, page after page. */
    async *all<const N extends Name<Model> = never, const P extends Path<Space, Model> = never>(
      options: ListOptions<Name<Model>, N, P> = {},
    ): AsyncGenerator<Of<N, P>> {
      for (let cursor = options.cursor ?? null, first = true; first || cursor !== null; first = false) {
        const page: Page<Of<N, P>> = await list({ ...options, ...(cursor !== null && { cursor }) });
        yield* page.data;
        cursor = page.meta.nextCursor;
      }
    },
    create: async (values: Input<Model>): Promise<RecordOf<Space, Model>> =>
      (await send<{ data: RecordOf<Space, Model> }>("POST", path, { body: values })).data,
  };
}

export function createClient<Space extends SpaceTypes = AnySpace>(options: ClientOptions) {
  const { baseUrl, space, key } = options;
  const base = baseUrl.replace(/\/+$/, "");
  const headers = { Authorization: `Bearer ${key}` };
  const api: Client<paths> = createFetch<paths>({
    baseUrl: base,
    headers,
    ...(options.fetch && { fetch: options.fetch }),
  });

  const send: Send = async <T>(method: string, path: string, sent: Sent = {}): Promise<T> => {
    const url = new URL(`${base}/api/v1/${encodeURIComponent(space)}/data/${path}`);
    for (const [name, value] of Object.entries(sent.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const hasBody = sent.body !== undefined;
    const request = new Request(url, {
      method,
      headers: { ...headers, ...sent.headers, ...(hasBody && { "Content-Type": "application/json" }) },
      ...(hasBody && { body: JSON.stringify(sent.body) }),
    });
    const response = await (options.fetch ?? fetch)(request);
    const json = (await response.json().catch(() => ({}))) as T & { error?: Partial<ErrorBody> };
    if (!response.ok) throw new SilverprintError(response.status, json.error ?? {});
    return json;
  };

  return {
    /** Every route, typed by the API document: `api.GET("/api/v1/{spaceName}/media", {params: {...}})`. */
    api,
    collection: <N extends keyof Space["collections"] & string>(name: N) =>
      collectionOf<Space, Space["collections"][N]>(send, `collections/${name}`),
    page: <N extends keyof Space["pages"] & string>(name: N) => {
      const { get, update, delete: reset } = entries<Space, Space["pages"][N]>(send, `pages/${name}`);
      type Model = Space["pages"][N];
      return {
        get: <const F extends Name<Model> = never, const P extends Path<Space, Model> = never>(
          view: View<F, P> = {},
        ) => get<F, P>(name, view),
        update: (values: Partial<Input<Model>>, ifMatch: IfMatch = {}) => update(name, values, ifMatch),
        /** Back to the defaults; the content goes to the trash. */
        reset: (ifMatch: IfMatch = {}) => reset(name, ifMatch),
      };
    },
  };
}
