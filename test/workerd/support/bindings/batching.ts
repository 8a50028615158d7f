/** Returns D1 whose batches a test makes, by the function that it gives. All else is that of `d1`. */
export const batching = (d1: D1Database, batch: D1Database["batch"]): D1Database =>
  new Proxy(d1, {
    get(target, property) {
      if (property === "batch") return batch;
      const value: unknown = Reflect.get(target, property);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
