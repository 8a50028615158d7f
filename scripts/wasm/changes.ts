/**
 * Changes in a compiled module: each replaces bytes by as many others, at the one place where they are found.
 * Another build of the module has none, and the script stops.
 */

export interface Change {
  what: string;
  from: readonly number[];
  to: readonly number[];
}

/** @throws Error when the module is not the one that the changes were made for */
export function changed(binary: Uint8Array, changes: readonly Change[]): Uint8Array {
  const patched = Buffer.from(binary);
  for (const { what, from, to } of changes) {
    const bytes = Buffer.from(from);
    const at = patched.indexOf(bytes);
    if (at === -1 || patched.includes(bytes, at + 1))
      throw new Error(`the module has no single place for: ${what}`);
    patched.set(to, at);
  }
  return patched;
}
