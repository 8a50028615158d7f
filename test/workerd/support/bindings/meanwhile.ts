/** D1 before one of whose calls something else happens, as if another invocation were faster. */

interface Prepared {
  statement: D1PreparedStatement;
  query: string;
}

const RUNS = new Set<PropertyKey>(["all", "first", "run", "raw"]);

/** Has `happen` end before the first call that sends a statement for which `isCall` is true. */
export function meanwhile(
  d1: D1Database,
  isCall: (query: string) => boolean,
  happen: () => Promise<unknown>,
): D1Database {
  const prepared = new WeakMap<D1PreparedStatement, Prepared>();
  let isToHappen = true;
  async function wait(queries: readonly string[]): Promise<void> {
    if (!isToHappen || !queries.some(isCall)) return;
    isToHappen = false;
    await happen();
  }
  const wrap = (statement: D1PreparedStatement, query: string): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get(target, property) {
        const value = Reflect.get(target, property, target) as unknown;
        if (typeof value !== "function") return value;
        if (property === "bind") return (...values: unknown[]) => wrap(target.bind(...values), query);
        return async (...args: unknown[]): Promise<unknown> => {
          if (RUNS.has(property)) await wait([query]);
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
    prepared.set(wrapped, { statement, query });
    return wrapped;
  };
  async function batch(statements: D1PreparedStatement[]): Promise<unknown> {
    const own = statements.map((statement) => prepared.get(statement) ?? { statement, query: "" });
    await wait(own.map(({ query }) => query));
    return d1.batch(own.map(({ statement }) => statement));
  }
  return new Proxy(d1, {
    get(target, property) {
      if (property === "prepare") return (query: string) => wrap(target.prepare(query), query);
      if (property === "batch") return batch;
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
