/** Compiles kernels of the AV1 decoder's filters, and gives tests their exports and memory. */
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { main } from "assemblyscript/asc";

const FILTERS = fileURLToPath(
  new URL("../../../../../../../src/builder/codecs/avif/assembly/decoder/filters", import.meta.url),
);
const ENTRY = join(FILTERS, "kernels-of-a-test.ts");
/** More than any test needs, because memory that grows leaves its views behind. */
const PAGES = 160;

export interface Kernels {
  call: (name: string, ...args: number[]) => number;
  /** Allocates bytes in the module's arena. */
  allocate: (bytes: number) => number;
  /** Returns another instance with a memory of its own. */
  anew: () => Promise<Kernels>;
  u16: Uint16Array;
  u32: Uint32Array;
  i8: Int8Array;
  u8: Uint8Array;
}

/**
 * Compiles a module that exports what `source`, AssemblyScript in the folder of the filters, exports.
 * @param additions source that is added to modules, by their paths below the decoder's folder
 */
export async function compileKernels(
  source: string,
  additions: Record<string, string> = {},
): Promise<Kernels> {
  const files: Uint8Array<ArrayBuffer>[] = [];
  let words = "";
  const flags = "-O3 --noAssert --enable simd --runtime stub --importMemory --zeroFilledMemory".split(" ");
  const { error } = await main([ENTRY, "--baseDir", "/", "-o", "kernels.wasm", ...flags], {
    stderr: { write: (chunk: Uint8Array | string) => void (words += Buffer.from(chunk).toString()) },
    readFile: async (name: string) => {
      const path = join("/", name);
      if (path === ENTRY) {
        return `import { allocate } from "../../../../../pixels/assembly/shared/arena";\nexport { allocate };\n${source}`;
      }
      const text = await readFile(path, "utf8").catch(() => null);
      const addition = additions[relative(join(FILTERS, ".."), path)];
      return text && addition ? `${text}\n${addition}` : text;
    },
    writeFile: (_name: string, contents: Uint8Array | string) => {
      if (typeof contents !== "string") files.push(Uint8Array.from(contents));
    },
  });
  const [binary] = files;
  if (error ?? !binary) throw new Error(`${error?.message}\n${words}`);
  return start(await WebAssembly.compile(binary));
}

async function start(module: WebAssembly.Module): Promise<Kernels> {
  const memory = new WebAssembly.Memory({ initial: PAGES });
  const { exports } = await WebAssembly.instantiate(module, { env: { memory, abort: () => 0 } });
  const functions = exports as Record<string, (...args: (number | bigint)[]) => number>;
  return {
    call: (name, ...args) => functions[name]!(...args),
    allocate: (bytes) => functions.allocate!(BigInt(bytes)),
    anew: () => start(module),
    u16: new Uint16Array(memory.buffer),
    u32: new Uint32Array(memory.buffer),
    i8: new Int8Array(memory.buffer),
    u8: new Uint8Array(memory.buffer),
  };
}
