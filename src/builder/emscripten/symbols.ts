/**
 * The meaning of the one-letter imports and exports of jSquash's modules, for those that are used here. They are
 * taken from the `wasmImports` and `wasmExports` tables in the JavaScript that is published with each module. A test
 * compares them, so that an update of jSquash is noticed.
 */

/** An import that does something. Every other import of a module returns 0 and does nothing. */
export type Act =
  | "embind_register_function"
  | "embind_register_value_object"
  | "embind_register_value_object_field"
  /** The codec hands its result to JavaScript. */
  | "emval_call"
  | "emval_new"
  | "emscripten_throw_longjmp"
  | "emscripten_resize_heap"
  | "emscripten_memcpy"
  | "cxa_throw"
  | "abort"
  | "exit"
  | "fd_write"
  | "environ_sizes_get"
  /** Every `invoke_*`, a call through the function table that a longjmp may end. */
  | "invoke";

export interface Symbols {
  /** The address of C's program break (`sbrk_val`, which has no name in the binary). */
  breakAddress: number;
  imports: Readonly<Record<string, Act>>;
  exports: {
    initialise: string;
    malloc: string;
    table: string;
    /** Only in modules whose C code uses setjmp. */
    setThrew?: string;
    stackRestore?: string;
    stackCurrent?: string;
  };
}

export const SYMBOLS = {
  "avif-decoder": {
    breakAddress: 342752,
    imports: {
      x: "embind_register_function",
      u: "emscripten_throw_longjmp",
      f: "emval_call",
      a: "abort",
      v: "emscripten_resize_heap",
      y: "fd_write",
      d: "invoke",
      r: "invoke",
      s: "invoke",
      t: "invoke",
      k: "invoke",
      q: "invoke",
    },
    exports: {
      initialise: "G",
      malloc: "I",
      table: "K",
      setThrew: "L",
      stackRestore: "M",
      stackCurrent: "N",
    },
  },
  "webp-decoder": {
    breakAddress: 11632,
    imports: {
      n: "cxa_throw",
      c: "embind_register_function",
      h: "emval_new",
      j: "abort",
      q: "emscripten_memcpy",
      p: "emscripten_resize_heap",
    },
    exports: { initialise: "t", malloc: "u", table: "y" },
  },
  "webp-encoder": {
    breakAddress: 38156,
    imports: {
      k: "cxa_throw",
      f: "embind_register_function",
      n: "embind_register_value_object",
      a: "embind_register_value_object_field",
      v: "emval_new",
      g: "abort",
      r: "emscripten_memcpy",
      p: "emscripten_resize_heap",
    },
    exports: { initialise: "y", malloc: "z", table: "D" },
  },
} as const satisfies Record<string, Symbols>;

export type CodecName = keyof typeof SYMBOLS;
