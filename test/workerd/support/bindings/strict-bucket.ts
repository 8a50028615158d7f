/** The bucket with the refusals of the deployed R2 that the local one does not make. */

const KEYS_PER_DELETE_MAX = 1000;

export function strictBucket(bucket: R2Bucket): R2Bucket {
  return new Proxy(bucket, {
    get(target, property) {
      if (property === "delete") {
        return async (keys: string | string[]): Promise<void> => {
          const count = typeof keys === "string" ? 1 : keys.length;
          if (count === 0 || count > KEYS_PER_DELETE_MAX) {
            throw new Error(`delete: There must be 1 to ${KEYS_PER_DELETE_MAX} keys (10001)`);
          }
          await target.delete(keys);
        };
      }
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
