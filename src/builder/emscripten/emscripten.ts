/**
 * Runs one of jSquash's emscripten modules in a memory that is given to it, without the JavaScript that jSquash
 * publishes with it.
 *
 * That JavaScript copies the pixels twice on the way in (byte by byte) and once on the way out, and keeps the
 * instance for the life of the isolate. Here, the C++ function is called directly, with a `std::string` made around
 * bytes that are already in the memory. When it hands over its result, an exception is thrown through its frames, so
 * that the result stays where the codec wrote it. An instance serves one call, or one after each `restart`. After the
 * call nothing is left of it but the bytes in the memory, which the arena wipes.
 */
import { Embind, Result, type Span } from "./embind.ts";
import { SYMBOLS, type Act, type CodecName, type Symbols } from "./symbols.ts";
import { type Stretch, writtenIn } from "./memory-snapshot.ts";
import { PAGE_BYTES } from "../../image/memory/pages.ts";
import { CodecError, CodecMemoryError } from "./errors.ts";
import { systemCalls } from "./system-calls.ts";

export type { Span } from "./embind.ts";

/** The least growth of the memory. Growing copies no bytes, but new views must be made each time. */
const GROWTH_PAGES = 16;
/** sizeof(std::string) in libc++'s ABI of emscripten: data, size, capacity with the top bit for "on the heap". */
const STRING_BYTES = 12;
const STRING_ON_HEAP = 0x8000_0000;
const HANDLE_BYTES = 16;

type Native = (...args: number[]) => number;

/** The state of a new instance. */
interface State {
  stretches: Stretch[];
  stack: number;
}

export class Emscripten {
  readonly memory: WebAssembly.Memory;
  readonly #exports: WebAssembly.Exports;
  readonly #symbols: Symbols["exports"];
  readonly #breakAddress: number;
  /** Where the module's data and stack end, and where its heap begins. */
  readonly #dataEnd: number;
  readonly #heapStart: number;
  readonly #embind: Embind;
  #wasRefused = false;
  #state: State | null = null;

  /**
   * Instantiates `module` in `memory`, which must be all zero, because C relies on that.
   *
   * @param settle gets the address where the module's heap would begin, and returns where it is to begin. The bytes
   *   between are not touched: the canvas of the arena lies there.
   */
  constructor(
    name: CodecName,
    module: WebAssembly.Module,
    memory: WebAssembly.Memory,
    settle: (heapBase: number) => number = (heapBase) => heapBase,
  ) {
    this.memory = memory;
    const symbols: Symbols = SYMBOLS[name];
    this.#symbols = symbols.exports;
    this.#breakAddress = symbols.breakAddress;
    this.#embind = new Embind(memory);
    const acts = this.#acts();
    const imports: Record<string, (...args: number[]) => unknown> = {};
    for (const { module: space, name: letter, kind } of WebAssembly.Module.imports(module)) {
      if (space !== "env" && kind === "function") {
        const act = symbols.imports[letter];
        imports[letter] = act ? acts[act] : () => 0;
      }
    }
    const instance = new WebAssembly.Instance(module, { a: imports, env: { memory } });
    this.#exports = instance.exports;
    this.#dataEnd = this.usedBytes;
    this.#heapStart = settle(this.#dataEnd);
    new DataView(memory.buffer).setUint32(this.#breakAddress, this.#heapStart, true);
    this.#native(symbols.exports.initialise)();
  }

  /**
   * Stores the state of the instance, which must be new, for `restart`.
   * @returns the bytes that this takes; 0 for a codec whose stack cannot be restored, which must be instantiated again
   */
  keepState(): number {
    const { stackCurrent, stackRestore } = this.#symbols;
    if (stackCurrent === undefined || stackRestore === undefined) return 0;
    const all = new Uint8Array(this.memory.buffer);
    // The codec's data and stack are below the canvas. Memory that it has allocated already is above.
    const stretches = [
      ...writtenIn(all, 0, this.#dataEnd),
      ...writtenIn(all, this.#heapStart, this.usedBytes),
    ];
    this.#state = { stretches, stack: this.#native(stackCurrent)() };
    return stretches.reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  get canRestart(): boolean {
    return this.#state !== null;
  }

  /**
   * Restores the state of `keepState`, in memory that is all zero again. A new instance instead would leave its table
   * of functions behind, outside of V8's heap, where it is collected late: with the tiles of ten pictures some 30 MB.
   */
  restart(): void {
    if (!this.#state) throw new CodecError("The codec has no stored state");
    const all = new Uint8Array(this.memory.buffer);
    for (const { at, bytes } of this.#state.stretches) all.set(bytes, at);
    this.#native(this.#symbols.stackRestore as string)(this.#state.stack);
    this.#wasRefused = false;
  }

  /** C's program break, which never moves down. Nothing above it was ever written. */
  get usedBytes(): number {
    return new DataView(this.memory.buffer).getUint32(this.#breakAddress, true);
  }

  /** Allocates memory. @throws CodecMemoryError when the memory is at its maximum */
  malloc(length: number): Span {
    const pointer = this.#native(this.#symbols.malloc)(length) >>> 0;
    if (pointer === 0) throw new CodecMemoryError(`No memory for ${length} bytes`);
    return { pointer, length };
  }

  bytes({ pointer, length }: Span): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.memory.buffer, pointer, length);
  }

  /**
   * Makes the options struct of an encoder. Each field is set through the module's own setter.
   * @returns its address
   * @throws CodecError when `values` does not have exactly the fields of the module
   */
  options(values: Readonly<Record<string, number>>): number {
    const struct = this.#indirect(this.#embind.newOptions)();
    for (const [name, value] of Object.entries(values)) {
      const field = this.#embind.fields.get(name);
      if (!field) throw new CodecError(`The codec has no option ${name}`);
      this.#indirect(field.setter)(field.context, struct, value);
    }
    if (Object.keys(values).length !== this.#embind.fields.size)
      throw new CodecError("Not every option was given");
    return struct;
  }

  /**
   * Calls the module's `name(std::string, ...)` with `input` as the string, and leaves it when it hands over its
   * result. After this, the instance may only be used to read the result, or be restarted.
   * @throws CodecMemoryError when the codec was refused memory, even if it returned a result: libwebp leaves alpha
   *   empty for which it has no memory, and reports success
   * @throws CodecError when the codec fails
   */
  call(name: string, input: Span, ...args: number[]): Span {
    const index = this.#embind.functions.get(name);
    if (index === undefined) throw new CodecError(`The codec has no function ${name}`);
    const text = this.malloc(STRING_BYTES).pointer;
    const handle = this.malloc(HANDLE_BYTES).pointer;
    const view = new DataView(this.memory.buffer);
    view.setUint32(text, input.pointer, true);
    view.setUint32(text + 4, input.length, true);
    view.setUint32(text + 8, STRING_ON_HEAP | (input.length + 1), true);
    try {
      this.#indirect(index)(handle, text, ...args);
    } catch (thrown) {
      if (this.#wasRefused) throw new CodecMemoryError(`No memory for ${name}`, { cause: thrown });
      if (thrown instanceof Result) return thrown.span;
      if (thrown instanceof CodecError) throw thrown;
      throw new CodecError(thrown instanceof Error ? thrown.message : "The codec failed", { cause: thrown });
    }
    if (this.#wasRefused) throw new CodecMemoryError(`No memory for ${name}`);
    throw new CodecError(`The codec returned no result from ${name}`);
  }

  #native(letter: string): Native {
    return this.#exports[letter] as unknown as Native;
  }

  #indirect(index: number): Native {
    return (this.#exports[this.#symbols.table] as WebAssembly.Table).get(index) as Native;
  }

  #grow(requestedBytes: number): number {
    const now = this.memory.buffer.byteLength / PAGE_BYTES;
    const wanted = Math.ceil((requestedBytes >>> 0) / PAGE_BYTES) - now;
    for (const pages of [Math.max(wanted, GROWTH_PAGES), wanted]) {
      try {
        this.memory.grow(pages);
        return 1;
      } catch {
        // The memory is at its maximum. Fewer pages may be enough; else malloc returns null.
      }
    }
    this.#wasRefused = true;
    return 0;
  }

  /** Makes a call that a longjmp may end. The longjmp is caught here, and the C stack is restored. */
  #invoke(index: number, ...args: number[]): number {
    const { stackCurrent, stackRestore, setThrew } = this.#symbols;
    const stack = this.#native(stackCurrent as string)();
    try {
      return this.#indirect(index)(...args);
    } catch (thrown) {
      this.#native(stackRestore as string)(stack);
      if (thrown !== Infinity) throw thrown;
      this.#native(setThrew as string)(1, 0);
      return 0;
    }
  }

  #acts(): Record<Act, (...args: number[]) => unknown> {
    return {
      ...this.#embind.imports(),
      emscripten_throw_longjmp: () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- what emscripten's longjmp throws
        throw Infinity;
      },
      emscripten_resize_heap: (bytes = 0) => this.#grow(bytes),
      ...systemCalls(this.memory),
      invoke: (index = 0, ...args) => this.#invoke(index, ...args),
    };
  }
}
