/**
 * Rewrites the only place where a Rust module grows its memory, so that it calls an import instead.
 *
 * Rust's allocator gets pages by `memory.grow` and never uses pages that the memory has already. The builder's arena is
 * large from the start and never shrinks, so the allocator would waste it. The import can return existing pages.
 */

/** `i32.const 16; i32.shr_u; memory.grow 0`: dlmalloc converts bytes to pages and grows the memory. */
const GROWTH = [0x41, 0x10, 0x76, 0x40, 0x00] as const;
const GROW_AT = 3;
const CALL = 0x10;
const LARGEST_SHORT_INDEX = 0x7f;

/**
 * Returns the same module with `memory.grow` replaced by a call of the imported function `name`, which must take and
 * return an i32. The call has as many bytes as the instruction, so nothing moves.
 * @throws Error when there is not exactly one such place, or no such import
 */
export function divertGrowth(binary: Uint8Array<ArrayBuffer>, name: string): Uint8Array<ArrayBuffer> {
  const functions = WebAssembly.Module.imports(new WebAssembly.Module(binary)).filter(
    ({ kind }) => kind === "function",
  );
  const index = functions.findIndex((entry) => entry.name === name);
  if (index < 0 || index > LARGEST_SHORT_INDEX) throw new Error(`the module has no import ${name} in reach`);
  const places: number[] = [];
  for (let at = binary.indexOf(GROWTH[0]); at >= 0; at = binary.indexOf(GROWTH[0], at + 1)) {
    if (GROWTH.every((byte, i) => binary[at + i] === byte)) places.push(at);
  }
  const [place] = places;
  if (place === undefined || places.length > 1) throw new Error(`memory grows in ${places.length} places`);
  const diverted = binary.slice();
  diverted.set([CALL, index], place + GROW_AT);
  // The engine checks the types, so that an import of another type fails here and not in production.
  new WebAssembly.Module(diverted);
  return diverted;
}
