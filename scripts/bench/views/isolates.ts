/**
 * Isolates of the edge Worker in this process: its script, bundled once, runs anew for each, so that each has memories
 * of its own. They see the simulation's clock.
 */
import { build } from "esbuild";
import { timingSafeEqual } from "node:crypto";
import { runInThisContext } from "node:vm";
import { fileURLToPath } from "node:url";
import type { Clock } from "./clock.ts";

const EDGE = fileURLToPath(new URL("../../../src/edge", import.meta.url));

/** The Worker's entrypoints, and how a built variant is offered. */
const ENTRY = `export { Cached } from "./cached.ts";
export { commitVariant } from "./storage/variants.ts";
export { default as handlers } from "./worker.ts";`;

export interface Context {
  waitUntil(work: Promise<unknown>): void;
  exports?: unknown;
}

/** Its exports, as they are called here. */
export interface Isolate {
  handlers: {
    fetch(request: Request, env: unknown, context: Context): Response | Promise<Response>;
    scheduled(controller: unknown, env: unknown, context: Context): Promise<void>;
  };
  Cached: new (context: Context, env: unknown) => { fetch(request: Request): Promise<Response> };
  commitVariant: (
    db: unknown,
    at: { spaceId: string; mediaId: string; version: number; file: string },
    sizeBytes: number,
    now: number,
  ) => Promise<{ ok: boolean }>;
}

/** What the runtime has and Node has not. */
class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  /** Nothing here checks it. */
  readonly byteLength: number;

  constructor(byteLength: number) {
    super();
    this.byteLength = byteLength;
  }
}

const workersModule = {
  WorkerEntrypoint: class {
    readonly ctx: unknown;
    readonly env: unknown;

    constructor(ctx: unknown, env: unknown) {
      this.ctx = ctx;
      this.env = env;
    }
  },
  DurableObject: class {
    readonly isUncalled = true;
  },
};

const { subtle } = globalThis.crypto;
const workersCrypto = {
  randomUUID: () => globalThis.crypto.randomUUID(),
  getRandomValues: (array: Uint8Array<ArrayBuffer>) => globalThis.crypto.getRandomValues(array),
  subtle: {
    digest: subtle.digest.bind(subtle),
    timingSafeEqual: (a: ArrayBuffer, b: ArrayBuffer) =>
      timingSafeEqual(new Uint8Array(a), new Uint8Array(b)),
  },
};

const quiet = { log: () => undefined, warn: () => undefined, error: () => undefined };

/** Errors of an isolate are counted by event: a run that is full of them shows nothing. */
export type OnError = (line: string) => void;

/** @returns makes an isolate */
export async function isolatesOf(clock: Clock, onError: OnError): Promise<() => Isolate> {
  const bundled = await build({
    stdin: { contents: ENTRY, resolveDir: EDGE },
    bundle: true,
    format: "cjs",
    write: false,
    external: ["cloudflare:workers"],
    loader: { ".txt": "text", ".html": "text" },
    logLevel: "error",
  });
  const { setTimeout, clearTimeout } = clock;
  const console = { ...quiet, error: (line: unknown) => onError(String(line)) };
  const Date = clock.dateClass();
  const globals = { Date, setTimeout, clearTimeout, console, FixedLengthStream, crypto: workersCrypto };
  const names = ["module", "require", ...Object.keys(globals)];
  const source = `(function (${names.join(", ")}) {${bundled.outputFiles[0]?.text ?? ""}\n})`;
  const start = runInThisContext(source) as (...given: unknown[]) => void;
  return () => {
    const module = { exports: {} };
    start(module, () => workersModule, ...Object.values(globals));
    return module.exports as Isolate;
  };
}
