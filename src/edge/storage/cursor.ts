/**
 * Cursors of all lists: the position where a page ended, encrypted with AES-GCM under a key that is derived from the
 * root token. A cursor reveals nothing and cannot be forged. It is valid only for the list (space, model, sort,
 * filters) from which it came.
 */
import { ApiError } from "../../errors.ts";
import type { Position } from "./keyset.ts";

const NONCE_BYTES = 12;
const CURSOR_MAX_CHARACTERS = 8000;

let known: { secret: string; key: Promise<CryptoKey> } | null = null;

async function importKey(secret: string): Promise<CryptoKey> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`cursor:${secret}`));
  return crypto.subtle.importKey("raw", digest, "AES-GCM", false, ["encrypt", "decrypt"]);
}

function keyOf(secret: string): Promise<CryptoKey> {
  if (known?.secret !== secret) known = { secret, key: importKey(secret) };
  return known.key;
}

const toBase64Url = (bytes: Uint8Array): string => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

const fromBase64Url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.charCodeAt(0),
  );

const invalid = (cause?: unknown): ApiError =>
  new ApiError(
    "INVALID_CURSOR",
    "The cursor is not one that this list gave, with this sort and these filters.",
    {
      cause,
    },
  );

/** Encrypts a position. `list` identifies the list to which it belongs. */
export async function sealCursor(secret: string, list: string, position: Position): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const additionalData = new TextEncoder().encode(list);
  const plain = new TextEncoder().encode(JSON.stringify(position));
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData },
    await keyOf(secret),
    plain,
  );
  const bytes = new Uint8Array(NONCE_BYTES + sealed.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(sealed), NONCE_BYTES);
  return toBase64Url(bytes);
}

/** @throws ApiError INVALID_CURSOR */
export async function openCursor(secret: string, list: string, cursor: string): Promise<Position> {
  if (cursor.length > CURSOR_MAX_CHARACTERS || !/^[\w-]+$/.test(cursor)) throw invalid();
  try {
    const bytes = fromBase64Url(cursor);
    const parameters = {
      name: "AES-GCM",
      iv: bytes.slice(0, NONCE_BYTES),
      additionalData: new TextEncoder().encode(list),
    };
    const plain = await crypto.subtle.decrypt(parameters, await keyOf(secret), bytes.slice(NONCE_BYTES));
    return JSON.parse(new TextDecoder().decode(plain)) as Position;
  } catch (error) {
    throw invalid(error);
  }
}
