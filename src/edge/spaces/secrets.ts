/** Makes, hashes and compares keys and the root token. Only the SHA-256 of a key is stored. */

import type { TokenKind } from "../storage/spaces/keys.ts";

const KEY_BYTES = 32;

/** The beginnings of tokens, by which a request finds the table of its token without a query. */
const PREFIXES: Record<TokenKind | "root session", string> = {
  key: "sp_",
  preview: "spp_",
  session: "sps_",
  "root session": "spr_",
};

/** Returns the kind of a token. Any text may be a key. */
export function kindOfToken(token: string): TokenKind | "root session" {
  if (token.startsWith(PREFIXES.preview)) return "preview";
  if (token.startsWith(PREFIXES.session)) return "session";
  return token.startsWith(PREFIXES["root session"]) ? "root session" : "key";
}

/** Returns a new token: the beginning of its kind, and 256 random bits in base64url. */
export function newToken(kind: TokenKind | "root session"): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  const base64 = btoa(String.fromCharCode(...bytes));
  return PREFIXES[kind] + base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function sha256(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}

export const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the SHA-256 of a text, as hexadecimal digits. */
export const sha256Hex = async (text: string): Promise<string> => hex(await sha256(text));

/** Returns the hash that is stored and looked up instead of a key. */
export const hashKey = sha256Hex;

/** The secret of the deployment that requests are compared with, and its digest, which is the same for all of them. */
let own: { secret: string; digest: ArrayBuffer } | null = null;

/** Compares a digest with that of the deployment's secret in constant time. Digests have one length. */
export async function isDigestOf(digest: ArrayBuffer, secret: string): Promise<boolean> {
  if (own?.secret !== secret) own = { secret, digest: await sha256(secret) };
  return crypto.subtle.timingSafeEqual(digest, own.digest);
}
