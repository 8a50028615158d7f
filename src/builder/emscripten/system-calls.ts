/** The imports of a codec that replace the C library and the system. They are the same for every module. */
import { CodecError } from "./errors.ts";
import type { Act } from "./symbols.ts";

type SystemAct = "emscripten_memcpy" | "cxa_throw" | "abort" | "exit" | "fd_write" | "environ_sizes_get";

/** Returns the functions, which work on `memory`. Those that end the codec throw CodecError. */
export function systemCalls(
  memory: WebAssembly.Memory,
): Record<SystemAct & Act, (...args: number[]) => unknown> {
  const stop = (what: string) => () => {
    throw new CodecError(what);
  };
  return {
    emscripten_memcpy: (to = 0, from = 0, length = 0) => {
      new Uint8Array(memory.buffer).copyWithin(to >>> 0, from >>> 0, (from + length) >>> 0);
    },
    cxa_throw: stop("The codec threw"),
    abort: stop("The codec aborted"),
    exit: stop("The codec exited"),
    // Nothing is printed, but the codec is told that everything was.
    fd_write: (_file, vectors = 0, count = 0, written = 0) => {
      const view = new DataView(memory.buffer);
      let total = 0;
      for (let i = 0; i < count; i++) total += view.getUint32(vectors + i * 8 + 4, true);
      view.setUint32(written, total, true);
      return 0;
    },
    // There are no environment variables.
    environ_sizes_get: (count = 0, size = 0) => {
      const view = new DataView(memory.buffer);
      view.setUint32(count, 0, true);
      view.setUint32(size, 0, true);
      return 0;
    },
  };
}
