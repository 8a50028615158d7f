/** D1 with a replica that can be made to stay behind: it answers what it knew when it was frozen. */
import { bindings } from "../rows.ts";

interface Result {
  results: unknown[];
  meta: Record<string, unknown>;
}

export interface LaggingReplica {
  db: D1Database;
  freeze(): void;
  thaw(): void;
}

export function laggingReplica(): LaggingReplica {
  let isFrozen = false;
  const known = new Map<string, Result>();

  const session = (): unknown => ({
    prepare: (query: string) => ({
      bind: (...values: unknown[]) => ({
        async all(): Promise<Result> {
          // Times differ from call to call, and change nothing of what a row says.
          const key = query + JSON.stringify(values.filter((value) => typeof value === "string"));
          const old = known.get(key);
          if (isFrozen && old) return old;
          const { results, meta } = await bindings.DB.prepare(query)
            .bind(...values)
            .all();
          const result = { results, meta: { ...meta, served_by_primary: false } };
          known.set(key, result);
          return result;
        },
      }),
    }),
  });

  const db = new Proxy(bindings.DB, {
    get(target, property) {
      if (property === "withSession") return session;
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { db, freeze: () => (isFrozen = true), thaw: () => (isFrozen = false) };
}
