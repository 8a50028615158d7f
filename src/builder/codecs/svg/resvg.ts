/**
 * Runs resvg in a memory that is given to it, without the JavaScript of its package, which keeps one instance for the
 * life of the isolate, in a memory without a limit. Here an instance serves one build, and pixels are read where
 * resvg drew them.
 */
import module from "../../wasm/resvg.wasm";
import type { Span } from "../../emscripten/emscripten.ts";
import { PAGE_BYTES } from "../../../image/memory/pages.ts";
import type { Rect } from "../../../image/geometry/size.ts";
import { CodecError } from "../../emscripten/errors.ts";

/** The first page after the module's own data and stack, which is the number of pages that it demands. */
const FIRST_FREE_PAGE = 23;
const NO_PAGES = -1;

/** Handles of JavaScript values are numbers. These two are the handles of the module's memory and of its buffer. */
const MEMORY = 1_000_000;
const BUFFER = 1_000_001;
const UNDEFINED = 1_000_002;
const FIRST_HANDLE = 1_000_003;

const BOX_BYTES = 64;
const BOX_ALIGNMENT = 8;

interface Exports {
  resvg_new(out: number, svg: number, options: number, optionsLength: number, fonts: number): void;
  resvg_render(out: number, drawing: number): void;
  resvg_cropByBBox(drawing: number, box: number): void;
  renderedimage_width(image: number): number;
  renderedimage_height(image: number): number;
  renderedimage_pixels(image: number): number;
  __wbg_renderedimage_free(image: number): void;
  __wbg_set_bbox_x(box: number, value: number): void;
  __wbg_set_bbox_y(box: number, value: number): void;
  __wbg_set_bbox_width(box: number, value: number): void;
  __wbg_set_bbox_height(box: number, value: number): void;
  __wbindgen_malloc(bytes: number, alignment: number): number;
  __wbindgen_add_to_stack_pointer(bytes: number): number;
}

/** A parsed drawing. Its units are pixels of the picture. */
export class Resvg {
  readonly #memory: WebAssembly.Memory;
  readonly #wasm: Exports;
  readonly #handles = new Map<number, unknown>();
  #nextHandle = FIRST_HANDLE;
  #nextPage = FIRST_FREE_PAGE;
  #maxPages: number;
  readonly #drawing: number;
  readonly #box: number;
  #image = 0;

  /**
   * @param memory all zero; the drawing may use all of it up to `limitBytes`
   * @throws CodecError when the drawing cannot be parsed, or does not fit
   */
  constructor(
    memory: WebAssembly.Memory,
    limitBytes: number,
    svg: Uint8Array,
    options: object,
    fonts: Uint8Array[],
  ) {
    this.#memory = memory;
    this.#maxPages = Math.floor(limitBytes / PAGE_BYTES);
    const instance = new WebAssembly.Instance(module, { wbg: this.#imports(), env: { memory } });
    this.#wasm = instance.exports as unknown as Exports;
    const text = new TextEncoder().encode(JSON.stringify(options));
    this.#drawing = this.#guarded((out) => {
      const pointer = this.#wasm.__wbindgen_malloc(text.length, 1) >>> 0;
      new Uint8Array(memory.buffer, pointer, text.length).set(text);
      this.#wasm.resvg_new(out, this.#add(svg), pointer, text.length, this.#add(fonts));
    });
    this.#box = this.#wasm.__wbindgen_malloc(BOX_BYTES, BOX_ALIGNMENT) >>> 0;
    new Uint8Array(memory.buffer, this.#box, BOX_BYTES).fill(0);
  }

  /** Bytes taken so far, from the bottom of the memory. */
  get usedBytes(): number {
    return this.#nextPage * PAGE_BYTES;
  }

  /** Sets how many bytes it may take in all. */
  limit(bytes: number): void {
    this.#maxPages = Math.floor(bytes / PAGE_BYTES);
  }

  /**
   * Draws the picture at the size that the drawing states. Pixels are premultiplied RGBA. They stay in place until the
   * next picture is drawn.
   * @throws CodecError when it does not fit the memory
   */
  draw(width: number, height: number): Span {
    const wasm = this.#wasm;
    if (this.#image !== 0) wasm.__wbg_renderedimage_free(this.#image);
    this.#image = 0;
    this.#image = this.#guarded((out) => wasm.resvg_render(out, this.#drawing));
    if (
      wasm.renderedimage_width(this.#image) !== width ||
      wasm.renderedimage_height(this.#image) !== height
    ) {
      throw new CodecError("The drawing was drawn in another size");
    }
    return this.#take(wasm.renderedimage_pixels(this.#image)) as Span;
  }

  /** Draws a part of it. Units of the drawing must be pixels. */
  drawPart({ left, top, width, height }: Rect): Span {
    const wasm = this.#wasm;
    wasm.__wbg_set_bbox_x(this.#box, left);
    wasm.__wbg_set_bbox_y(this.#box, top);
    wasm.__wbg_set_bbox_width(this.#box, width);
    wasm.__wbg_set_bbox_height(this.#box, height);
    wasm.resvg_cropByBBox(this.#drawing, this.#box);
    return this.draw(width, height);
  }

  /** Makes a call that returns a pointer or an error through three words on the module's stack. */
  #guarded(call: (out: number) => void): number {
    const out = this.#wasm.__wbindgen_add_to_stack_pointer(-16);
    try {
      call(out);
    } catch (thrown) {
      if (thrown instanceof CodecError) throw thrown;
      throw new CodecError("The drawing could not be drawn in the memory given", { cause: thrown });
    }
    const [pointer = 0, error = 0, failed = 0] = new Uint32Array(this.#memory.buffer, out, 3);
    this.#wasm.__wbindgen_add_to_stack_pointer(16);
    if (failed === 0) return pointer;
    const reason = this.#take(error);
    throw new CodecError(reason instanceof Error ? reason.message : "The drawing could not be parsed");
  }

  /** Replaces `memory.grow`: takes pages that the memory already has, or grows it. @returns the first page */
  #grow(pages: number): number {
    const first = this.#nextPage;
    const end = first + pages;
    if (end > this.#maxPages) return NO_PAGES;
    const missing = end - this.#memory.buffer.byteLength / PAGE_BYTES;
    if (missing > 0) {
      try {
        this.#memory.grow(missing);
      } catch {
        return NO_PAGES;
      }
    }
    this.#nextPage = end;
    return first;
  }

  #add(value: unknown): number {
    const handle = this.#nextHandle++;
    this.#handles.set(handle, value);
    return handle;
  }

  #take(handle: number): unknown {
    const value = this.#handles.get(handle);
    this.#handles.delete(handle);
    return value;
  }

  #text(pointer: number, length: number): string {
    return new TextDecoder().decode(new Uint8Array(this.#memory.buffer, pointer >>> 0, length).slice());
  }

  /** Returns the module's imports, by the names that wasm-bindgen gave them. */
  #imports(): Record<string, (...args: number[]) => number | undefined> {
    const value = (handle: number): unknown => this.#handles.get(handle);
    return {
      __wbindgen_memory: () => MEMORY,
      // The module also grows its memory through this import (scripts/wasm/build.ts). Handles are above any number of
      // pages.
      __wbg_buffer_12d079cc21e14bdb: (asked = 0) => (asked === MEMORY ? BUFFER : this.#grow(asked)),
      // A view of its pixels. Only its place is noted.
      __wbg_newwithbyteoffsetandlength_aa4a17c33a06e5cb: (_buffer, pointer = 0, length = 0) =>
        this.#add({ pointer: pointer >>> 0, length: length >>> 0 } satisfies Span),
      // A copy of that view, or a view of the whole memory. Neither is made.
      __wbg_new_63b92bc8671ed464: (handle = 0) => (handle === BUFFER ? BUFFER : this.#add(value(handle))),
      __wbg_length_c20a40f15020d68a: (handle = 0) => (value(handle) as Uint8Array).length,
      __wbg_set_a47bac70306a19a7: (_into, handle = 0, offset = 0) => {
        new Uint8Array(this.#memory.buffer).set(value(handle) as Uint8Array, offset >>> 0);
        return undefined;
      },
      __wbg_instanceof_Uint8Array_2b3bbecd033d19f6: (handle = 0) =>
        Number(value(handle) instanceof Uint8Array),
      __wbg_values_839f3396d5aac002: (handle = 0) => this.#add((value(handle) as unknown[]).values()),
      __wbg_next_196c84450b364254: (handle = 0) => this.#add((value(handle) as Iterator<unknown>).next()),
      __wbg_done_298b57d23c0fc80c: (handle = 0) => Number((value(handle) as IteratorResult<unknown>).done),
      __wbg_value_d93c65011f51a456: (handle = 0) =>
        this.#add((value(handle) as IteratorResult<unknown>).value),
      __wbg_new_28c511d9baebfa89: (pointer = 0, length = 0) =>
        this.#add(new CodecError(this.#text(pointer, length))),
      __wbindgen_string_new: (pointer = 0, length = 0) => this.#add(this.#text(pointer, length)),
      __wbindgen_string_get: (out = 0) => {
        new Uint32Array(this.#memory.buffer, out >>> 0, 2).fill(0);
        return undefined;
      },
      __wbindgen_object_drop_ref: (handle = 0) => {
        this.#handles.delete(handle);
        return undefined;
      },
      __wbg_new_16b304a2cfa7ff4a: () => UNDEFINED,
      __wbg_push_a5b05aedc7234f9f: () => 0,
      __wbindgen_throw: (pointer = 0, length = 0) => {
        throw new CodecError(this.#text(pointer, length));
      },
    };
  }
}
