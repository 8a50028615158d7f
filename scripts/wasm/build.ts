/**
 * Makes all WebAssembly modules of the builder in src/builder/wasm (not in the repository): it compiles our
 * AssemblyScript modules by `asc`, and changes jSquash's codecs and resvg so that they import their memory.
 */
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { settleAvifDecoder } from "./avif-decoder.ts";
import { divertGrowth } from "./growth.ts";
import { importMemory } from "./memory.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUILDER = join(ROOT, "src/builder");
const OUT = join(BUILDER, "wasm");

/** Our AssemblyScript modules: name, and folder of the index.ts below src/builder. The one that takes longest is first. */
const MODULES: Record<string, string> = {
  "av1-encoder": "codecs/avif/assembly",
  "av1-decoder": "codecs/avif/assembly/decoder",
  "jpeg-decoder": "codecs/jpeg/assembly/decoder",
  "jpeg-encoder": "codecs/jpeg/assembly/encoder",
  png: "codecs/png/assembly",
  "webp-row-decoder": "codecs/webp/assembly/decoder",
  "vp8-encoder": "codecs/webp/assembly/encoder",
  resampler: "pixels/assembly/resampler",
  planes: "pixels/assembly/planes",
  ssimulacra2: "look/assembly",
};

/** Files that several modules, or modules and TypeScript, share. If one changes, all modules are compiled again. */
const SHARED = [
  "pixels/assembly/shared",
  "codecs/webp/assembly/shared",
  "codecs/avif/assembly/tables",
  "codecs/avif/assembly/transform",
  "codecs/avif/decoder-status.ts",
  "codecs/jpeg/decoder-status.ts",
  "codecs/webp/decoder-status.ts",
  "../image/formats/jpeg/decoder-constants.ts",
  "../image/memory/filter-constants.ts",
];

/** jSquash's codecs: name, and path of the package's file. */
const CODECS: Record<string, string> = {
  "avif-decoder": "@jsquash/avif/codec/dec/avif_dec.wasm",
  "webp-decoder": "@jsquash/webp/codec/dec/webp_dec.wasm",
  "webp-encoder": "@jsquash/webp/codec/enc/webp_enc_simd.wasm",
};

/** The package that draws SVG, and the import by which it is made to grow its memory (svg/resvg.ts). */
const RESVG = "@resvg/resvg-wasm/index_bg.wasm";
const RESVG_GROWS_BY = "__wbg_buffer_12d079cc21e14bdb";

const FOLDERS = new Set(Object.values(MODULES).map((folder) => join(BUILDER, folder)));

/**
 * Returns the latest modification time in a folder, so that unchanged modules are not compiled again. Folders in it
 * that belong to another module do not count.
 */
function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const inside = readdirSync(path).map((name) => join(path, name));
  return Math.max(stat.mtimeMs, ...inside.filter((entry) => !FOLDERS.has(entry)).map(newest));
}

function isStale(target: string, ...sources: string[]): boolean {
  return !existsSync(target) || Math.max(...sources.map(newest)) > statSync(target).mtimeMs;
}

const targetOf = (name: string): string => join(OUT, `${name}.wasm`);

const FLAGS = [
  "-O3",
  "--converge",
  "--noAssert",
  "--enable",
  "simd",
  "--enable",
  "relaxed-simd",
  "--runtime",
  "stub",
  "--importMemory",
  "--zeroFilledMemory",
];

/**
 * Compiles AssemblyScript folders with an `index.ts` into NAME.wasm, importing env.memory, by one thread.
 *
 * @param waiting what is still to be compiled; threads share it
 * @throws Error with the compiler's words when one does not compile
 */
async function compile(waiting: [name: string, folder: string][]): Promise<void> {
  const compiler = new Worker(new URL("compiler.ts", import.meta.url));
  try {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, folder] = next;
      compiler.postMessage([join(BUILDER, folder, "index.ts"), "-o", targetOf(name), ...FLAGS]);
      const [fault] = (await once(compiler, "message")) as [string | null];
      if (fault !== null) throw new Error(`${name}.wasm was not built: ${fault}`);
    }
  } finally {
    await compiler.terminate();
  }
}

/** Compiles the modules that are out of date, one per core at a time. */
async function compileAll(): Promise<void> {
  const waiting = Object.entries(MODULES).filter(([name, folder]) =>
    isStale(targetOf(name), ...[folder, ...SHARED].map((path) => join(BUILDER, path))),
  );
  // Prints nothing when all modules are up to date.
  if (waiting.length > 0) console.log("Building WebAssembly modules (once) ...");
  const threads = Math.min(availableParallelism(), waiting.length);
  await Promise.all(Array.from({ length: threads }, () => compile(waiting)));
}

/** Further changes of codecs. */
const SETTLED: Record<string, (binary: Uint8Array) => Uint8Array> = {
  "avif-decoder": settleAvifDecoder,
};
const REWRITERS = ["memory.ts", "changes.ts", "avif-decoder.ts"];

mkdirSync(OUT, { recursive: true });
for (const [name, path] of Object.entries(CODECS)) {
  const source = join(ROOT, "node_modules", path);
  const target = join(OUT, `${name}.wasm`);
  const rewriters = REWRITERS.map((name) => join(ROOT, "scripts/wasm", name));
  if (!isStale(target, source, ...rewriters)) continue;
  const binary = readFileSync(source);
  writeFileSync(target, importMemory(SETTLED[name]?.(binary) ?? binary));
}
{
  const source = join(ROOT, "node_modules", RESVG);
  const target = join(OUT, "resvg.wasm");
  const rewriters = ["memory.ts", "growth.ts"].map((name) => join(ROOT, "scripts/wasm", name));
  if (isStale(target, source, ...rewriters)) {
    const diverted = divertGrowth(Uint8Array.from(readFileSync(source)), RESVG_GROWS_BY);
    writeFileSync(target, importMemory(diverted));
  }
}
await compileAll();
