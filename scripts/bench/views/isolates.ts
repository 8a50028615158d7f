/**
 * Isolates of the edge Worker in this process. The script is bundled once and runs again for each isolate, so that each
 * has its own memory. They use the simulation's clock.
 */
import { build } from "esbuild";
import { timingSafeEqual } from "node:crypto";
import { runInThisContext } from "node:vm";
import { fileURLToPath } from "node:url";
import type { Clock } from "./clock.ts";

const EDGE = fileURLToPath(new URL("../../../src/edge", import.meta.url));

/** The Worker's entrypoints, and the function that offers a built variant. */
const ENTRY = `export { Cached } from "./cached.ts";
export { commitVariant } from "./storage/pictures/variants.ts";
export { default as handlers } from "./worker.ts";`;

export interface Context {
  waitUntil(work: Promise<unknown>): void;
  exports?: unknown;
}

/** The exports of the Worker that the simulation calls. */
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

/** Globals of the Workers runtime that Node lacks. */
class FixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  /** The simulation does not check it. */
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

/** Counts an isolate's errors by event, because a run with many errors is worthless. */
export type OnError = (line: string) => void;

/** @returns a function that makes an isolate */
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
