/**
 * Counters of the flood ceiling in memory, as the platform has them on each of its machines. Miniflare's own write each
 * request to the disk before they answer, so that a redirect takes several times as long as what the service does for it.
 */
import type { V4WorkerOptions } from "miniflare";

interface Module {
  type: string;
  path: string;
  contents: Uint8Array | string;
}

/** The limits of wrangler.toml by the names of their bindings: `limit` requests of a key in `period` seconds. */
type Limits = Record<string, { limit: number; period: number }>;

/** Returns a module. All keys of a binding share a window, which begins with the first request after the last window. */
const sourceOf = (entry: string, limits: Limits): string => `import edge from "./${entry}";
export * from "./${entry}";
const counterOf = ({ limit, period }) => {
  const counts = new Map();
  let endsAt = 0;
  return {
    async limit({ key }) {
      const now = Date.now();
      if (now >= endsAt) {
        counts.clear();
        endsAt = now + period * 1000;
      }
      const count = counts.get(key) ?? 0;
      if (count >= limit) return { success: false };
      counts.set(key, count + 1);
      return { success: true };
    },
  };
};
const counters = Object.fromEntries(
  Object.entries(${JSON.stringify(limits)}).map(([name, limits]) => [name, counterOf(limits)]),
);
let bound;
const counting = (env) => (bound ??= { ...env, ...counters });
// Each handler checks that no binding is missing.
export default Object.fromEntries(
  Object.entries(edge).map(([name, handle]) => [name, (event, env, context) => handle(event, counting(env), context)]),
);`;

/** Returns the edge Worker with counters in memory in the place of its rate limits, for all of its handlers. */
export function withCountersInMemory(options: V4WorkerOptions): V4WorkerOptions {
  const { modules, ratelimits, ...others } = options as unknown as {
    modules: [Module, ...Module[]];
    ratelimits: Record<string, { simple: { limit: number; period: number } }>;
  };
  const limits = Object.fromEntries(Object.entries(ratelimits).map(([name, { simple }]) => [name, simple]));
  const source = sourceOf(modules[0].path, limits);
  const counting: Module = { type: "ESModule", path: "counting.js", contents: source };
  return { ...others, modules: [counting, ...modules] } as unknown as V4WorkerOptions;
}
