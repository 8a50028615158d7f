/**
 * The registrations of a module through embind when it starts: its functions, and the options struct of an encoder. And
 * the call through which a function hands its result to JavaScript.
 */
import type { Act } from "./symbols.ts";

/** Bytes in the memory of a codec. */
export interface Span {
  pointer: number;
  length: number;
}

/** Thrown through the codec's frames to carry its result out. It is not an error. */
export class Result {
  readonly span: Span;
  constructor(span: Span) {
    this.span = span;
  }
}

/** A field of the options struct: the table index of its setter, and the setter's first argument. */
interface Field {
  setter: number;
  context: number;
}

type EmbindAct = Extract<Act, `embind_${string}` | `emval_${string}`>;

export class Embind {
  /** The table index of each function, by name. */
  readonly functions = new Map<string, number>();
  /** The fields of the options struct, by name. */
  readonly fields = new Map<string, Field>();
  /** The table index of the function that makes an options struct. */
  newOptions = 0;
  readonly #memory: WebAssembly.Memory;

  constructor(memory: WebAssembly.Memory) {
    this.#memory = memory;
  }

  imports(): Record<EmbindAct, (...args: number[]) => unknown> {
    return {
      embind_register_function: (name = 0, _count, _types, _signature, _invoker, index = 0) => {
        this.functions.set(this.#text(name), index);
      },
      embind_register_value_object: (_type, _name, _signature, construct = 0) => {
        this.newOptions = construct;
      },
      embind_register_value_object_field: (...args) => {
        const [, name = 0, , , , , , , setter = 0, context = 0] = args;
        this.fields.set(this.#text(name), { setter, context });
      },
      emval_call: (_caller, _handle, _destructors, args = 0) => this.#leave(args),
      emval_new: (_handle, _count, _types, args = 0) => this.#leave(args),
    };
  }

  /** Returns a C string in the memory. */
  #text(pointer: number): string {
    const bytes = new Uint8Array(this.#memory.buffer);
    let text = "";
    for (let at = pointer; bytes[at]; at++) text += String.fromCharCode(bytes[at] as number);
    return text;
  }

  /** Leaves the codec with its result, whose length and address are at `args`. */
  #leave(args: number): never {
    const view = new DataView(this.#memory.buffer);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- not a failure: the way out with the result
    throw new Result({ length: view.getUint32(args, true), pointer: view.getUint32(args + 4, true) });
  }
}
