/** The edge Worker with one database that can be taken away: its calls fail at once, or are never answered. */
import type { V4WorkerOptions } from "miniflare";

/** The path that takes the database away: `?how=fail`, `?how=hang`, or `?how=back`. */
export const AWAY_PATH = "/away-for-the-measurement";

const sourceOf = (binding: string, entry: string): string => `import edge, * as all from "./${entry}";
let how = "back";
let waiting = [];
const answer = (call) => {
  if (how === "back") return call();
  if (how === "fail") return Promise.reject(new Error("D1_ERROR: Network connection lost."));
  // It is not answered before the database is back, and fails then.
  return new Promise((_, reject) => waiting.push(() => reject(new Error("D1_ERROR: Network connection lost."))));
};
const INNER = Symbol("inner");
const statement = (inner) => new Proxy(inner, {
  get(target, name) {
    if (name === INNER) return target;
    const value = target[name];
    if (typeof value !== "function") return value;
    if (name === "bind") return (...given) => statement(target.bind(...given));
    return (...given) => answer(() => value.apply(target, given));
  },
});
const database = (inner) => new Proxy(inner, {
  get(target, name) {
    if (name === "prepare") return (query) => statement(target.prepare(query));
    if (name === "batch") return (list) => answer(() => target.batch(list.map((one) => one[INNER] ?? one)));
    if (name === "withSession") return (...given) => database(target.withSession(...given));
    const value = target[name];
    return typeof value === "function" ? value.bind(target) : value;
  },
});
const wrapped = (env) => ({ ...env, ${binding}: database(env.${binding}) });
const object = (Base) => class extends Base {
  constructor(context, env) {
    super(context, wrapped(env));
  }
};
export const SpaceQueue = object(all.SpaceQueue);
export const Metrics = object(all.Metrics);
export const Sweeper = object(all.Sweeper);
export const Cached = object(all.Cached);
export const RemoteFetcher = object(all.RemoteFetcher);
export const WebhookSender = object(all.WebhookSender);
export default {
  ...edge,
  fetch(request, env, context) {
    const url = new URL(request.url);
    if (url.pathname === "${AWAY_PATH}") {
      how = url.searchParams.get("how");
      for (const fail of waiting.splice(0)) fail();
      return new Response(how);
    }
    return edge.fetch(request, wrapped(env), context);
  },
  scheduled: (controller, env, context) => edge.scheduled(controller, wrapped(env), context),
};`;

/** Puts the database of a binding behind a switch. */
export function withSwitch(binding: string): (options: V4WorkerOptions) => V4WorkerOptions {
  return (options) => {
    const { modules } = options as unknown as {
      modules: { type: string; path: string; contents: Uint8Array | string }[];
    };
    const entry = modules[0]?.path ?? "";
    const source = { type: "ESModule", path: "switched.js", contents: sourceOf(binding, entry) };
    return { ...options, modules: [source, ...modules] } as unknown as V4WorkerOptions;
  };
}
