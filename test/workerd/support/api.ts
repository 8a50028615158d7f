/** Requests as a client makes them, through the Worker's own fetch handler. */
import { exports } from "cloudflare:workers";
import { bindings, makeSpace, type Space } from "./rows.ts";

const ORIGIN = "https://api.test";

export interface Reply<Data = Record<string, unknown>> {
  status: number;
  headers: Headers;
  data: Data;
  meta: { nextCursor: string | null; limit: number; total?: number; totalIsExact?: boolean };
  /** Absent in a good answer; tests that read it expect one. */
  error: { code: string; message: string; details?: { path: string; message: string }[]; requestId: string };
}

export interface CallOptions {
  key?: string | null;
  headers?: Record<string, string>;
  /** Sent as it stands. */
  text?: string;
}

const handler = (exports as unknown as { default: Fetcher }).default;

export async function call<Data = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  { key = bindings.ROOT_TOKEN, headers = {}, text }: CallOptions = {},
): Promise<Reply<Data>> {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await handler.fetch(`${ORIGIN}${path}`, {
    method,
    headers: {
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(sent !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  });
  const json = response.status === 304 ? {} : await response.json();
  return { status: response.status, headers: response.headers, ...(json as object) } as Reply<Data>;
}

/** A caller in one space: paths are below `/api/v1/{space}`. */
export class Client {
  readonly space: Space;
  #visits = 0;

  constructor(space: Space) {
    this.space = space;
  }

  static async make(): Promise<Client> {
    return new Client(await makeSpace());
  }

  call<Data = Record<string, unknown>>(method: string, path: string, body?: unknown, options?: CallOptions) {
    return call<Data>(method, `/api/v1/${this.space.name}${path}`, body, options);
  }

  /** Asks without a key, each time from another address: one address may ask 6,000 times in a minute. */
  visit<Data = Record<string, unknown>>(path: string) {
    const visit = ++this.#visits;
    const address = `10.${(visit >> 16) & 255}.${(visit >> 8) & 255}.${visit & 255}`;
    return this.call<Data>("GET", path, undefined, {
      key: null,
      headers: { "CF-Connecting-IP": address },
    });
  }

  async model(name: string, fields: object[], typeModel = "collections"): Promise<void> {
    const reply = await this.call("POST", "/models", { typeModel, name, fields });
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.error));
  }

  /** Creates a record, and returns its id. */
  async create(model: string, values: object): Promise<string> {
    const reply = await this.call<{ id: string }>("POST", `/data/collections/${model}`, values);
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.error));
    return reply.data.id;
  }

  async key(role: string): Promise<string> {
    return (await this.call<{ key: string }>("POST", "/keys", { name: role, role })).data.key;
  }
}
