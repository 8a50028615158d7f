/** The real builder in workerd, in one isolate, with a Worker beside it that orders builds and resets rooms. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build as bundle } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { MASTER_PIECES } from "../../src/limits.ts";
import type { BuildOrder } from "../../src/image/protocol/build.ts";

/** That of the builder. */
const COMPATIBILITY_DATE = "2026-11-01";
const ROOT = new URL("../../", import.meta.url).pathname;

/** The Worker of the test. It holds the masters, as the edge's bucket would. */
const SCRIPT = `
  import { BuildRoom as Room } from "./src/builder/build-room.ts";

  export class BuildRoom extends Room {
    reset() { this.ctx.abort("reset by a test"); }
  }

  /** All of the master in pieces, or only the first one: the others do not come. */
  function opened(master, isStalled) {
    let at = 0;
    const take = () => master.slice(at, (at += ${MASTER_PIECES.bytes}));
    /** Polls, because workerd ends a call that can never be resumed. */
    const hang = async () => {
      for (;;) await scheduler.wait(100);
    };
    return { first: take(), next: isStalled ? hang : async () => take() };
  }

  let stalls = 0;

  const brief = (answer, opens) => ({ ok: answer.ok, code: answer.code, failure: answer.failure, isolate: answer.isolate, opens });

  export default {
    async fetch(request, env) {
      const { searchParams: query } = new URL(request.url);
      const room = env.BUILD_ROOM.get(env.BUILD_ROOM.idFromName(query.get("room")));
      if (query.get("do") === "reset") {
        await room.reset().catch(() => undefined);
        return new Response("reset");
      }
      if (query.get("do") === "count") return Response.json(stalls);
      const order = JSON.parse(request.headers.get("x-order"));
      const master = new Uint8Array(await request.arrayBuffer());
      let opens = 0;
      const open = (as) => { if (as !== "pieces") throw new Error("a master is opened in pieces"); opens += 1; if (query.get("do") === "stall") stalls += 1; return opened(master, query.get("do") === "stall"); };
      try {
        const answer = await room.buildFrom(order, open);
        if (!answer.ok || query.get("do") === "leave") return Response.json(brief(answer, opens));
        return new Response(answer.body, { headers: { "x-isolate": answer.isolate } });
      } catch (error) {
        return Response.json({ lost: String(error), opens });
      }
    },
  };`;

export interface BuilderWorker {
  /** The variant's bytes, or what was answered instead. */
  build(room: string, order: BuildOrder, master: Uint8Array): Promise<Uint8Array | Answer>;
  /** The same with a master that stops in its middle. */
  buildStalled(room: string, order: BuildOrder, master: Uint8Array): Promise<Answer>;
  /** How many masters that stop in their middle have been opened. */
  stalled(): Promise<number>;
  /** Builds as before, but no visitor takes the variant. */
  buildAndLeave(room: string, order: BuildOrder, master: Uint8Array): Promise<Answer>;
  reset(room: string): Promise<void>;
  dispose(): Promise<void>;
}

export interface Answer {
  ok?: boolean;
  code?: string;
  failure?: { code: string; stage: string };
  isolate?: string;
  lost?: string;
  /** How often the master was opened. */
  opens: number;
}

export async function startBuilder(): Promise<BuilderWorker> {
  const data: { type: "CompiledWasm" | "Data"; path: string; contents: Uint8Array<ArrayBuffer> }[] = [];
  const { outputFiles } = await bundle({
    stdin: { contents: SCRIPT, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    external: ["cloudflare:*"],
    plugins: [
      {
        name: "modules",
        setup(build) {
          build.onResolve({ filter: /\.(wasm|ttf)$/ }, ({ path, resolveDir }) => {
            const file = path.startsWith(".") ? join(resolveDir, path) : join(ROOT, "node_modules", path);
            const type = path.endsWith(".wasm") ? "CompiledWasm" : "Data";
            data.push({ type, path: basename(path), contents: new Uint8Array(readFileSync(file)) });
            return { path: `./${basename(path)}`, external: true };
          });
        },
      },
    ],
  });
  const modules = [...new Map(data.map((module) => [module.path, module])).values()];
  const worker = new Miniflare(
    convertV4MiniflareOptions({
      workers: [
        {
          name: "builder",
          modules: [{ type: "ESModule", path: "worker.js", contents: outputFiles[0]!.text }, ...modules],
          compatibilityDate: COMPATIBILITY_DATE,
          durableObjects: { BUILD_ROOM: { className: "BuildRoom", useSQLite: true } },
          bindings: { VERSION: "test" },
        },
      ],
    }),
  );
  await worker.ready;
  const ask = (room: string, what: string, order: BuildOrder, master: Uint8Array) =>
    worker.dispatchFetch(`http://builder/?room=${encodeURIComponent(room)}&do=${what}`, {
      method: "POST",
      headers: { "x-order": JSON.stringify(order) },
      body: Uint8Array.from(master),
    });
  return {
    async build(room, order, master) {
      const response = await ask(room, "build", order, master);
      if (response.headers.has("x-isolate")) return new Uint8Array(await response.arrayBuffer());
      return (await response.json()) as Answer;
    },
    buildStalled: async (room, order, master) =>
      (await (await ask(room, "stall", order, master)).json()) as Answer,
    stalled: async () =>
      (await (await worker.dispatchFetch("http://builder/?room=none&do=count")).json()) as number,
    buildAndLeave: async (room, order, master) =>
      (await (await ask(room, "leave", order, master)).json()) as Answer,
    async reset(room) {
      await worker.dispatchFetch(`http://builder/?room=${encodeURIComponent(room)}&do=reset`);
    },
    dispose: () => worker.dispose(),
  };
}
