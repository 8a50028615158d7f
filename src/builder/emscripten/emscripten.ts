/**
 * Runs one of jSquash's emscripten modules over a memory that is given to it, without its own glue.
 *
 * The glue that jSquash publishes copies the pixels twice on the way in (byte by byte) and once on the way out,
 * and keeps the instance for ever. Here the C++ function is called directly with a `std::string` made by hand
 * around bytes that are already in the memory, and it is left (by an exception thrown through its frames) at the
 * moment when it hands its result over: the result then stays where the codec wrote it. An instance serves one
 * call, or one after each `restart`. Nothing of it outlives that call but the bytes in the memory, which the arena
 * wipes.
 */
import { SYMBOLS, type Act, type CodecName, type Symbols } from "./symbols.ts";
import { type Stretch, writtenIn } from "./memory-snapshot.ts";
import { PAGE_BYTES } from "../../image/memory/pages.ts";
import { CodecError, CodecMemoryError } from "./errors.ts";
import { systemCalls } from "./system-calls.ts";

/** Growing moves no bytes, but each growth makes new views: so not page by page. */
const GROWTH_PAGES = 16;
/** sizeof(std::string) in libc++'s ABI of emscripten: data, size, capacity with the top bit for "on the heap". */
const STRING_BYTES = 12;
const STRING_ON_HEAP = 0x8000_0000;
const HANDLE_BYTES = 16;

/** Bytes in the memory of a codec. */
export interface Span {
  pointer: number;
  length: number;
}

/** Thrown through the codec's frames, not at anybody: carries its result out. */
class Result {
  readonly span: Span;
  constructor(span: Span) {
    this.span = span;
  }
}

interface Field {
  setter: number;
  context: number;
}

type Native = (...args: number[]) => number;

/** What an instance is when it is new. */
interface State {
  stretches: Stretch[];
  stack: number;
}

export class Emscripten {
  readonly memory: WebAssembly.Memory;
  readonly #exports: WebAssembly.Exports;
  readonly #symbols: Symbols["exports"];
  readonly #breakAddress: number;
  /** Where its data and its stack end, and where its heap begins. */
  readonly #dataEnd: number;
  readonly #heapStart: number;
  readonly #functions = new Map<string, number>();
  readonly #fields = new Map<string, Field>();
  #newOptions = 0;
  #wasRefused = false;
  #state: State | null = null;

  /**
   * Instantiates `module` over `memory`, which must be all zero: a module relies on it as C does.
   *
   * @param settle is told where the module's heap would begin, and answers where it shall: what lies between
   *   is left alone (the canvas of the arena)
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
   * Keeps what the instance is now, which has not been used yet, for `restart`.
   * @returns the bytes that takes; 0 for a codec whose stack cannot be put back, which has to be made anew
   */
  keepState(): number {
    const { stackCurrent, stackRestore } = this.#symbols;
    if (stackCurrent === undefined || stackRestore === undefined) return 0;
    const all = new Uint8Array(this.memory.buffer);
    // Below the canvas its data and stack, above it what it has allocated already.
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
   * Makes it what it was at `keepState`, over memory that is all zero again. A new instance would leave its table of
   * functions behind, outside of V8's heap, where it collects late: with the tiles of ten pictures some 30 MB.
   */
  restart(): void {
    if (!this.#state) throw new CodecError("the codec keeps no state to go back to");
    const all = new Uint8Array(this.memory.buffer);
    for (const { at, bytes } of this.#state.stretches) all.set(bytes, at);
    this.#native(this.#symbols.stackRestore as string)(this.#state.stack);
    this.#wasRefused = false;
  }

  /** C's program break, which only ever moves up: everything above it was never written. */
  get usedBytes(): number {
    return new DataView(this.memory.buffer).getUint32(this.#breakAddress, true);
  }

  /** @throws CodecMemoryError when the memory is at its maximum */
  malloc(length: number): Span {
    const pointer = this.#native(this.#symbols.malloc)(length) >>> 0;
    if (pointer === 0) throw new CodecMemoryError(`no memory for ${length} bytes`);
    return { pointer, length };
  }

  bytes({ pointer, length }: Span): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.memory.buffer, pointer, length);
  }

  /**
   * The options struct of an encoder, each field set through the module's own setter.
   * @throws CodecError for a module that does not know one of the fields
   */
  options(values: Readonly<Record<string, number>>): number {
    const struct = this.#indirect(this.#newOptions)();
    for (const [name, value] of Object.entries(values)) {
      const field = this.#fields.get(name);
      if (!field) throw new CodecError(`the codec has no option ${name}`);
      this.#indirect(field.setter)(field.context, struct, value);
    }
    if (Object.keys(values).length !== this.#fields.size) throw new CodecError("not every option was given");
    return struct;
  }

  /**
   * Calls the module's `name(std::string, ...)`, with `input` as the string, and leaves it where it hands over
   * its result. The instance must not be used for anything else afterwards but reading that result.
   * @throws CodecMemoryError when the codec was refused memory, whatever it made of that: libwebp leaves an alpha
   *   empty that it had no memory for, and calls it done
   * @throws CodecError when the codec has none to hand over
   */
  call(name: string, input: Span, ...args: number[]): Span {
    const index = this.#functions.get(name);
    if (index === undefined) throw new CodecError(`the codec has no function ${name}`);
    const text = this.malloc(STRING_BYTES).pointer;
    const handle = this.malloc(HANDLE_BYTES).pointer;
    const view = new DataView(this.memory.buffer);
    view.setUint32(text, input.pointer, true);
    view.setUint32(text + 4, input.length, true);
    view.setUint32(text + 8, STRING_ON_HEAP | (input.length + 1), true);
    try {
      this.#indirect(index)(handle, text, ...args);
    } catch (thrown) {
      if (this.#wasRefused) throw new CodecMemoryError(`no memory for ${name}`, { cause: thrown });
      if (thrown instanceof Result) return thrown.span;
      if (thrown instanceof CodecError) throw thrown;
      throw new CodecError(thrown instanceof Error ? thrown.message : "the codec failed", { cause: thrown });
    }
    if (this.#wasRefused) throw new CodecMemoryError(`no memory for ${name}`);
    throw new CodecError(`${name} gave nothing`);
  }

  #native(letter: string): Native {
    return this.#exports[letter] as unknown as Native;
  }

  #indirect(index: number): Native {
    return (this.#exports[this.#symbols.table] as WebAssembly.Table).get(index) as Native;
  }

  #text(pointer: number): string {
    const bytes = new Uint8Array(this.memory.buffer);
    let text = "";
    for (let at = pointer; bytes[at]; at++) text += String.fromCharCode(bytes[at] as number);
    return text;
  }

  #leave(args: number): never {
    const view = new DataView(this.memory.buffer);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- not a failure: the way out with the result
    throw new Result({ length: view.getUint32(args, true), pointer: view.getUint32(args + 4, true) });
  }

  #grow(requestedBytes: number): number {
    const now = this.memory.buffer.byteLength / PAGE_BYTES;
    const wanted = Math.ceil((requestedBytes >>> 0) / PAGE_BYTES) - now;
    for (const pages of [Math.max(wanted, GROWTH_PAGES), wanted]) {
      try {
        this.memory.grow(pages);
        return 1;
      } catch {
        // At the maximum: less may do; if not, malloc answers null.
      }
    }
    this.#wasRefused = true;
    return 0;
  }

  /** C's way out of a deep call: caught here, with the C stack put back as it was. */
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
      embind_register_function: (name = 0, _count, _types, _signature, _invoker, index = 0) => {
        this.#functions.set(this.#text(name), index);
      },
      embind_register_value_object: (_type, _name, _signature, construct = 0) => {
        this.#newOptions = construct;
      },
      embind_register_value_object_field: (...args) => {
        const [, name = 0, , , , , , , setter = 0, context = 0] = args;
        this.#fields.set(this.#text(name), { setter, context });
      },
      emval_call: (_caller, _handle, _destructors, args = 0) => this.#leave(args),
      emval_new: (_handle, _count, _types, args = 0) => this.#leave(args),
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
