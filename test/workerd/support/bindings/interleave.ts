/** A request into which another one is put, just before the batch that writes. */
import { createApp } from "../../../../src/edge/app.ts";
import type { Client } from "../api.ts";
import { BESIDE } from "../context.ts";
import { bindings } from "../rows.ts";

const app = createApp();

export interface Asked {
  method: string;
  path: string;
  body?: unknown;
}

/** Sends a request; before its first batch runs, `between` does. @returns the status, and the paths of the details */
export async function callWith(
  client: Client,
  { method, path, body }: Asked,
  between: () => Promise<unknown>,
): Promise<{ status: number; paths: string[] }> {
  let isFirst = true;
  const db = new Proxy(bindings.DB, {
    get(target, property) {
      const value = Reflect.get(target, property, target) as unknown;
      if (typeof value !== "function") return value;
      if (property !== "batch") return value.bind(target) as unknown;
      return async (statements: D1PreparedStatement[]) => {
        if (isFirst) {
          isFirst = false;
          await between();
        }
        return target.batch(statements);
      };
    },
  });
  const response = await app.request(
    `/api/v1/${client.space.name}${path}`,
    {
      method,
      headers: { Authorization: `Bearer ${bindings.ROOT_TOKEN}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    { ...bindings, DB: db },
    BESIDE,
  );
  const { error } = await response.json<{ error?: { details?: { path: string }[] } }>();
  return { status: response.status, paths: (error?.details ?? []).map((detail) => detail.path) };
}
