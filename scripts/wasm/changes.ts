/**
 * Patches a compiled module. Each change replaces bytes by the same number of others, at the only place where they
 * occur. If they do not occur exactly once, as in another build of the module, the script fails.
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
