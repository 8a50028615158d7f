/**
 * Cursors of all lists: the position where a page ended, encrypted with AES-GCM under a key that is derived from
 * CURSOR_SECRET. Visitors see cursors and can try secrets on them, so that no other secret is used here. A cursor reveals nothing and cannot be forged. It is valid only for the list (space, model, sort,
 * filters) from which it came. The same position in the same list always gives the same cursor, so that an unchanged
 * list has the same bytes and ETag.
 */
import { ApiError } from "../../../errors.ts";
import type { Position } from "./keyset.ts";

const NONCE_BYTES = 12;
const CURSOR_MAX_CHARACTERS = 8000;

interface Keys {
  cipher: CryptoKey;
  /** Makes the nonces. */
  nonce: CryptoKey;
}

let known: { secret: string; keys: Promise<Keys> } | null = null;

const encode = (text: string): ReturnType<TextEncoder["encode"]> => new TextEncoder().encode(text);

async function deriveKeys(secret: string): Promise<Keys> {
  const bytesFor = (use: string): Promise<ArrayBuffer> =>
    crypto.subtle.digest("SHA-256", encode(`${use}:${secret}`));
  const [cipher, nonce] = await Promise.all([bytesFor("cursor"), bytesFor("cursor-nonce")]);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  return {
    cipher: await crypto.subtle.importKey("raw", cipher, "AES-GCM", false, ["encrypt", "decrypt"]),
    nonce: await crypto.subtle.importKey("raw", nonce, hmac, false, ["sign"]),
  };
}

function keysOf(secret: string): Promise<Keys> {
  if (known?.secret !== secret) known = { secret, keys: deriveKeys(secret) };
  return known.keys;
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
  const { cipher, nonce } = await keysOf(secret);
  const plain = JSON.stringify(position);
  // The nonce is derived from the content, as in RFC 5297, so it repeats only for the same content.
  const mac = await crypto.subtle.sign("HMAC", nonce, encode(JSON.stringify([list, plain])));
  const iv = new Uint8Array(mac, 0, NONCE_BYTES);
  const parameters = { name: "AES-GCM", iv, additionalData: encode(list) };
  const sealed = await crypto.subtle.encrypt(parameters, cipher, encode(plain));
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
      additionalData: encode(list),
    };
    const { cipher } = await keysOf(secret);
    const plain = await crypto.subtle.decrypt(parameters, cipher, bytes.slice(NONCE_BYTES));
    return JSON.parse(new TextDecoder().decode(plain)) as Position;
  } catch (error) {
    throw invalid(error);
  }
}
