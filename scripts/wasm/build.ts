/**
 * Makes all WebAssembly modules of the builder in src/builder/wasm (not in the repository): it compiles our
 * AssemblyScript modules by `asc`, and changes jSquash's codecs and resvg so that they import their memory.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { settleAvifDecoder } from "./avif-decoder.ts";
import { divertGrowth } from "./growth.ts";
import { importMemory } from "./memory.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const BUILDER = join(ROOT, "src/builder");
const OUT = join(BUILDER, "wasm");

/** Our AssemblyScript modules: name, and folder of the index.ts below src/builder. */
const MODULES: Record<string, string> = {
  "av1-encoder": "codecs/avif/assembly",
  "jpeg-decoder": "codecs/jpeg/assembly/decoder",
  "jpeg-encoder": "codecs/jpeg/assembly/encoder",
  png: "codecs/png/assembly",
  "vp8-decoder": "codecs/webp/assembly/decoder",
  "vp8-encoder": "codecs/webp/assembly/encoder",
  resampler: "pixels/assembly/resampler",
  planes: "pixels/assembly/planes",
};

/** Files that several modules, or modules and TypeScript, share. If one changes, all modules are compiled again. */
const SHARED = [
  "pixels/assembly/shared",
  "codecs/webp/assembly/shared",
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

/** The latest modification time in a folder, so that unchanged modules are not compiled again. */
function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isStale(target: string, ...sources: string[]): boolean {
  return !existsSync(target) || Math.max(...sources.map(newest)) > statSync(target).mtimeMs;
}

let isAnnounced = false;
/** A first build takes half a minute. What it made is nobody's news. */
function announce(): void {
  if (!isAnnounced) console.log("Building WebAssembly modules (once) ...");
  isAnnounced = true;
}

/**
 * Compiles one AssemblyScript folder with an `index.ts` into NAME.wasm, importing env.memory.
 * @throws Error with the compiler's words when it does not compile
 */
async function compile(name: string, folder: string): Promise<void> {
  const target = join(OUT, `${name}.wasm`);
  if (!isStale(target, ...[folder, ...SHARED].map((path) => join(BUILDER, path)))) return;
  announce();
  const flags = [
    "-O3",
    "--converge",
    "--noAssert",
    "--enable",
    "simd",
    "--runtime",
    "stub",
    "--importMemory",
    "--zeroFilledMemory",
  ];
  const asc = join(ROOT, "node_modules/assemblyscript/bin/asc.js");
  const files = [join(BUILDER, folder, "index.ts"), "-o", target];
  // Its words are read only when it fails: it also tells that it might have gone on optimising.
  const compiler = spawn(process.execPath, [asc, ...files, ...flags], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said: Buffer[] = [];
  compiler.stderr.on("data", (words: Buffer) => said.push(words));
  const code = await new Promise((resolve, reject) => compiler.on("error", reject).on("close", resolve));
  if (code !== 0) throw new Error(`${name}.wasm was not built: ${Buffer.concat(said).toString()}`);
}

/** Compiles all modules, one per core at a time. */
async function compileAll(): Promise<void> {
  const waiting = Object.entries(MODULES);
  const one = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await compile(...next);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, one));
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
