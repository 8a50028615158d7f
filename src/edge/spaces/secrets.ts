/** Makes, hashes and compares keys and the root token. Only the SHA-256 of a key is stored. */

const KEY_BYTES = 32;
const KEY_PREFIX = "sp_";

/** Returns a new API key: `sp_` and 256 random bits in base64url. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const base64 = btoa(String.fromCharCode(...bytes));
  return KEY_PREFIX + base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}

export const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the hash that is stored and looked up instead of a key. */
export const hashKey = async (key: string): Promise<string> => hex(await sha256(key));

/** Compares in constant time. Both sides are hashed first, so that their lengths do not matter. */
export async function sameSecret(a: string, b: string): Promise<boolean> {
  return crypto.subtle.timingSafeEqual(await sha256(a), await sha256(b));
}
