/**
 * Rewrites a WebAssembly binary so that it imports its memory as `env.memory` instead of defining it. All codecs of the
 * builder can then use one arena in turn, which is wiped in between. WebAssembly memory never shrinks, and the memory
 * of dropped instances is freed too late for an isolate of 128 MB.
 */

const SECTION = { type: 1, import: 2, function: 3, memory: 5 } as const;
const KIND_MEMORY = 2;
const HEADER_BYTES = 8;

/** Reads an unsigned LEB128 number at `at`. @returns the value and the offset after it */
function readU32(bytes: Uint8Array, at: number): [value: number, next: number] {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error("WebAssembly binary ends inside a number");
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return [value >>> 0, at];
  }
}

function writeU32(value: number): number[] {
  const out: number[] = [];
  do {
    const more = value > 0x7f;
    out.push((value & 0x7f) | (more ? 0x80 : 0));
    value >>>= 7;
  } while (value > 0);
  return out;
}

function name(text: string): number[] {
  const bytes = [...new TextEncoder().encode(text)];
  return [...writeU32(bytes.length), ...bytes];
}

function section(id: number, body: Uint8Array | number[]): Uint8Array {
  return Uint8Array.from([id, ...writeU32(body.length), ...body]);
}

/**
 * Returns the same module with its memory imported as `env.memory`, with unchanged limits. An export of the memory
 * stays valid, because its index does not change.
 * @throws Error when the module does not define exactly one memory
 */
export function importMemory(binary: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [binary.subarray(0, HEADER_BYTES)];
  const sections: { id: number; body: Uint8Array }[] = [];
  for (let at = HEADER_BYTES; at < binary.length;) {
    const id = binary[at] as number;
    const [length, start] = readU32(binary, at + 1);
    sections.push({ id, body: binary.subarray(start, start + length) });
    at = start + length;
  }
  const memory = sections.find(({ id }) => id === SECTION.memory);
  if (!memory || memory.body[0] !== 1) throw new Error("expected a module that defines exactly one memory");
  const limits = memory.body.subarray(1);
  const entry = [...name("env"), ...name("memory"), KIND_MEMORY, ...limits];

  const imports = sections.find(({ id }) => id === SECTION.import);
  const [count, at] = imports ? readU32(imports.body, 0) : [0, 0];
  const rest = imports ? imports.body.subarray(at) : new Uint8Array();
  const rewritten = section(SECTION.import, Uint8Array.from([...writeU32(count + 1), ...rest, ...entry]));

  let written = false;
  for (const { id, body } of sections) {
    if (id === SECTION.memory) continue;
    // The import section comes after the types and before the functions, even if the module had none.
    if (!written && (id === SECTION.import || (id >= SECTION.function && id !== 0))) {
      parts.push(rewritten);
      written = true;
      if (id === SECTION.import) continue;
    }
    parts.push(section(id, body));
  }
  return Uint8Array.from(Buffer.concat(parts));
}
